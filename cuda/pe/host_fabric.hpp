#pragma once

#include <type_traits>
#include <vector>

#include "cuda/copier.hpp"
#include "cuda/pe/fabric.hpp"
#include "cuda/pe/places.hpp"
#include "pe/build/mesh.hpp"

/// The host's arrays of a fabric, element by element as the device has them.
namespace weft::pe_kernel {

/// A mesh, and what the kernel keeps beside it.
template <class S>
class HostFabric {
 public:
  HostFabric(const pe::Mesh<S>& mesh, const Tiles& tiles)
      : wake_(mesh.places.all_pes()),
        faults_(mesh.places.all_pes(), PeFault{model::kNever, {}}),
        places_(mesh.places) {
    fabric_.rules = mesh.rules;
    fabric_.arrays = mesh.arrays();
    fabric_.tiles = tiles;
    fabric_.sizes = {places_.pes,
                     places_.cells,
                     mesh.ring_words(),
                     mesh.rules.to_core.slots,
                     mesh.rules.to_router.slots,
                     static_cast<std::uint32_t>(mesh.words()),
                     places_.pes + places_.host_cells,
                     static_cast<std::uint32_t>(mesh.host->words().all()),
                     static_cast<std::uint32_t>(mesh.host->came().all())};
    fabric_.wake = wake_.data();
    fabric_.faults = faults_.data();
  }

  const Fabric<S>& fabric() const { return fabric_; }

  /// A PE is to be stepped in this cycle; as the kernel's Wake, whose bit 0 stays.
  void wake(int x, int y, std::uint64_t cycle) {
    std::uint32_t& word = wake_[places_.index(x, y)];
    word = static_cast<std::uint32_t>(cycle) << 1U | (word & 1U);
  }

  /// By PE (x, y).
  const PeFault& fault(int x, int y) const { return faults_[places_.index(x, y)]; }

 private:
  std::vector<std::uint32_t> wake_;
  std::vector<PeFault> faults_;
  const pe::Places& places_;
  Fabric<S> fabric_{};
};

/// An array of all tiles, whatever is in it, or a member of each of its elements.
struct Bytes {
  void* data;
  cuda::ByteRows rows;
};

/// `n`: elements of a tile.
template <class T>
Bytes whole(const Tiles& tiles, T* array, std::size_t n) {
  const std::size_t size = static_cast<std::size_t>(tiles.count()) * n * sizeof(T);
  return {array, {1, size, size}};
}

/// All arrays of a fabric that runs change, but for the PEs' memory.
template <class S>
std::vector<Bytes> state_arrays(Fabric<S> f) {
  std::vector<Bytes> all;
  const auto add = [&](auto*& array, std::size_t n) {
    using T = std::remove_reference_t<decltype(*array)>;
    if constexpr (!std::is_const_v<T>) all.push_back(whole(f.tiles, array, n));
  };
  for_parts(f, [&](Part, auto*& array, std::uint32_t n) { add(array, n); });
  for_far_arrays(f, add);
  return all;
}

/// FarCore::active of all PEs.
template <class S>
Bytes active_tasks(const Fabric<S>& f) {
  std::uint32_t& first = f.arrays.far_core.first->active;
  const std::size_t pes = static_cast<std::size_t>(f.tiles.count()) * f.sizes.pes;
  return {&first, {pes, sizeof first, sizeof(pe::FarCore)}};
}

/// Of these, those that pe::anything_left looks at.
template <class S>
std::vector<Bytes> arrays_of_what_is_left(const Fabric<S>& f, unsigned parity) {
  const pe::Arrays<S>& a = f.arrays;
  const auto of_all = [&](auto* array) { return whole(f.tiles, array, f.sizes.pes); };
  return {of_all(a.core.first), of_all(a.router.first),
          whole(f.tiles, a.inbox[parity], f.sizes.cells), active_tasks(f)};
}

/// Of PEs that count: what they have counted.
template <class S>
Bytes array_of_counts(const Fabric<S>& f) {
  return whole(f.tiles, f.arrays.counts.words, count_words(f));
}

/// Of these, those that change when the host activates a task.
template <class S>
std::vector<Bytes> arrays_of_activations(const Fabric<S>& f) {
  const pe::Arrays<S>& a = f.arrays;
  return {whole(f.tiles, a.core.first, f.sizes.pes), whole(f.tiles, f.wake, f.sizes.pes),
          active_tasks(f)};
}

/// The first of all PEs' faults, by cycle, then by row and column.
template <class S>
Fault first_fault(const pe::Mesh<S>& mesh, const HostFabric<S>& host) {
  Fault first;
  for (int y = mesh.first_row(); y < mesh.end_row(); ++y)
    for (int x = 0; x < mesh.width(); ++x) {
      const PeFault& f = host.fault(x, y);
      if (f.cycle == model::kNever) continue;
      if (first.kind != FaultKind::none && first.cycle <= f.cycle) continue;
      first = {f.note.kind, f.cycle, x, y, f.note.color, f.note.detail};
    }
  return first;
}

/// The first cycle of which no core has executed anything, if nothing at or after `from` was
/// stepped, but at least the one after it. A run with a fault goes on to it.
template <class S>
std::uint64_t first_whole_cycle(const pe::Mesh<S>& mesh, const HostFabric<S>& host,
                                std::uint64_t from) {
  std::uint64_t end = from + 1;
  for (int y = mesh.first_row(); y < mesh.end_row(); ++y)
    for (int x = 0; x < mesh.width(); ++x) {
      const pe::Core& core = mesh.at(x, y).core();
      if (core.goes_on()) end = std::max(end, pe::in_full(core.due, from));
      const std::uint64_t fault = host.fault(x, y).cycle;
      if (fault != model::kNever) end = std::max(end, fault + 1);
    }
  return end;
}

}  // namespace weft::pe_kernel
