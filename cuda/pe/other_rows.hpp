#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "cuda/pe/host_fabric.hpp"
#include "engine/share.hpp"
#include "model/lanes/lanes.hpp"

namespace weft::pe_kernel {

/// Of a mesh that processes share, in the first process: the rows of the others, all but the PEs'
/// memory, as they were when states were collected.
template <class S>
class OtherRows {
 public:
  /// Called by all, each with its rows, which the host has. Throws the same Error in all.
  void collect(const engine::Share& share, const HostFabric<S>& own, const pe::Mesh<S>& mesh,
               const Layout& layout, const std::vector<std::uint16_t>& program_of) {
    Processes& processes = share.processes();
    const std::vector<Tiles> tiles = base::gathered(processes, own.fabric().tiles);
    const bool first = processes.rank() == 0;
    base::in_all(&processes, [&] {
      for (std::size_t rank = parts_.size() + 1; first && rank < tiles.size(); ++rank)
        parts_.push_back(
            std::make_unique<Part>(layout, mesh.rules, program_of, tiles[rank],
                                   share.rows(static_cast<int>(rank)).first * model::kStripHeight));
    });
    if (!first) return send(processes, own);
    for (std::size_t n = 0; n < parts_.size(); ++n)
      receive(processes, static_cast<int>(n) + 1, parts_[n]->host);
  }

  /// Null: nobody has collected it here.
  const pe::Mesh<S>* with(int row) const {
    for (const auto& part : parts_)
      if (part->mesh.places.has_row(row)) return &part->mesh;
    return nullptr;
  }

 private:
  struct Part {
    Part(const Layout& layout, const pe::Rules& rules, const std::vector<std::uint16_t>& program_of,
         const Tiles& tiles, int first_row)
        : mesh(layout, rules, program_of, places_of(tiles, {}, first_row, layout.height()),
               nullptr),
          host(mesh, tiles) {}

    pe::Mesh<S> mesh;
    HostFabric<S> host;
  };

  // Array by array: of each process one is under way.
  static void send(Processes& processes, const HostFabric<S>& own) {
    std::vector<std::byte> taken;
    for (const Bytes& array : state_arrays(own.fabric())) {
      processes.send(0, {static_cast<const std::byte*>(array.data), array.rows.bytes});
      processes.receive(0, taken);
    }
  }
  static void receive(Processes& processes, int rank, const HostFabric<S>& into) {
    std::vector<std::byte> bytes;
    for (const Bytes& array : state_arrays(into.fabric())) {
      processes.receive(rank, bytes);
      std::ranges::copy(bytes, static_cast<std::byte*>(array.data));
      processes.send(rank, {});
    }
  }

  std::vector<std::unique_ptr<Part>> parts_{};  ///< by rank, from 1 on
};

}  // namespace weft::pe_kernel
