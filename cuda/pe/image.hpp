#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "cuda/pe/fabric.hpp"
#include "cuda/pe/record.hpp"
#include "pe/build/mesh.hpp"

/// The arrays of a mesh in the order of tiles, on the host.
namespace weft::pe_kernel {

/// Where PEs are: patches at a tile's edge first.
class Places {
 public:
  explicit Places(const Tiles& tiles) : tiles_(tiles) {
    const int columns = tiles.width / kPatchWidth, rows = tiles.height / kPatchHeight;
    rank_.resize(static_cast<std::size_t>(columns * rows));
    int next = 0;
    for (const bool edge : {true, false})
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x)
          if ((x == 0 || y == 0 || x == columns - 1 || y == rows - 1) == edge)
            rank_[static_cast<std::size_t>(y * columns + x)] = next++;
  }

  int tile(int x, int y) const {
    return (y + tiles_.shift_y) / tiles_.height * tiles_.across +
           (x + tiles_.shift_x) / tiles_.width;
  }
  /// In its tile.
  int number(int x, int y) const {
    x = column(x);
    y = row(y);
    const int patch = y / kPatchHeight * (tiles_.width / kPatchWidth) + x / kPatchWidth;
    return rank_[static_cast<std::size_t>(patch)] * pe::kPatch + y % kPatchHeight * kPatchWidth +
           x % kPatchWidth;
  }
  /// Of all PEs, tile by tile.
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(tile(x, y)) * static_cast<std::size_t>(tiles_.pes()) +
           static_cast<std::size_t>(number(x, y));
  }
  /// The cell for the neighbour that a link leads to, if that is in another tile.
  int rim_cell(int x, int y, int link) const {
    return tiles_.pes() + tiles_.side(link) + (link < 2 ? row(y) : column(x));
  }
  /// Pe::beside.
  std::uint64_t beside(int x, int y) const {
    constexpr int kX[] = {-1, 1, 0, 0}, kY[] = {0, 0, 1, -1};
    std::uint64_t all = 0;
    for (int link = 0; link < kLinks; ++link) {
      const int nx = x + kX[link], ny = y + kY[link];
      if (nx < 0 || nx >= tiles_.mesh_width || ny < 0 || ny >= tiles_.mesh_height) continue;
      const bool same = tile(nx, ny) == tile(x, y);
      const int there = same ? number(nx, ny) : rim_cell(x, y, link);
      all |= std::uint64_t{static_cast<std::uint16_t>(there - number(x, y))} << 16 * link;
    }
    return all;
  }
  bool leads_out(int x, int y, int link) const {
    const auto offset = static_cast<std::int16_t>(beside(x, y) >> 16 * link);
    return number(x, y) + offset >= tiles_.pes();
  }

 private:
  int column(int x) const { return (x + tiles_.shift_x) % tiles_.width; }  // of the tile
  int row(int y) const { return (y + tiles_.shift_y) % tiles_.height; }

  Tiles tiles_;
  std::vector<int> rank_;
};

template <class S>
class Image {
 public:
  Image(const pe::Mesh<S>& mesh, const Tiles& tiles) : places_(tiles) {
    fabric_.arrays.rules = mesh.rules;
    fabric_.tiles = tiles;
    fabric_.sizes = {static_cast<std::uint32_t>(tiles.pes()),
                     static_cast<std::uint32_t>(tiles.cells()),
                     0,
                     mesh.rules.to_core.slots,
                     mesh.rules.to_router.slots,
                     static_cast<std::uint32_t>(mesh.words())};
    number_rings(mesh);
    const auto take = [this](auto*& array, std::uint32_t n) {
      using T = std::remove_const_t<std::remove_reference_t<decltype(*array)>>;
      blocks_.emplace_back(static_cast<std::size_t>(fabric_.tiles.count()) * n * sizeof(T));
      array = reinterpret_cast<T*>(blocks_.back().data());
    };
    for_parts(fabric_, [&](Part, auto*& array, std::uint32_t n) { take(array, n); });
    for_far_arrays(fabric_, take);
    fill(mesh);
  }

  /// Its arrays are those of this image.
  Fabric<S>& fabric() { return fabric_; }
  const Places& places() const { return places_; }
  /// In the order of for_parts and for_far_arrays.
  std::vector<std::vector<std::byte>>& blocks() { return blocks_; }

  /// Copies what a run changes into the mesh.
  void bring_back(const pe::Mesh<S>& mesh) {
    for_mesh(mesh, [&](pe::Pe<S> pe, int x, int y) {
      const pe::Far<S> before = pe.far();
      for_pe(pe, x, y, [](auto& in_mesh, const auto& here) { in_mesh = here; });
      std::memcpy(pe.far().ring_beyond, before.ring_beyond, sizeof before.ring_beyond);
    });
  }

 private:
  template <class F>
  static void for_mesh(const pe::Mesh<S>& mesh, F f) {
    for (int y = 0; y < mesh.height(); ++y)
      for (int x = 0; x < mesh.width(); ++x) f(mesh.at(x, y), x, y);
  }

  static std::uint32_t ring_words(pe::Pe<S> pe) {
    std::uint32_t rings = 0;
    for (const auto& port : pe.far().ring)
      for (const std::uint8_t ring : port) rings += ring != pe::kNone;
    return rings * S::kSlots;
  }

  /// The first word of each patch's rings, in its tile. A cell of the rim has one ring.
  void number_rings(const pe::Mesh<S>& mesh) {
    const std::size_t patches = fabric_.sizes.cells / pe::kPatch;
    const auto tiles = static_cast<std::size_t>(fabric_.tiles.count());
    first_ring_.assign(tiles * patches, S::kSlots * pe::kPatch);  // at first: words of a patch
    for_mesh(mesh, [&](pe::Pe<S> pe, int x, int y) {
      std::uint32_t& words = first_ring_[patch(x, y)];
      words = std::max(words, ring_words(pe) * pe::kPatch);
    });
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      std::uint32_t next = 0;
      for (std::size_t k = tile * patches; k < (tile + 1) * patches; ++k)
        next += std::exchange(first_ring_[k], next);
      fabric_.sizes.ring_words = std::max(fabric_.sizes.ring_words, next);
    }
  }

  std::size_t tile(int x, int y) const { return static_cast<std::size_t>(places_.tile(x, y)); }
  std::size_t number(int x, int y) const { return static_cast<std::size_t>(places_.number(x, y)); }
  /// Of cells, tile by tile.
  std::size_t cell(int x, int y) const { return tile(x, y) * fabric_.sizes.cells + number(x, y); }
  /// Of patches of cells.
  std::size_t patch(int x, int y) const { return cell(x, y) / pe::kPatch; }
  std::uint32_t* rings(int x, int y) const {
    return fabric_.arrays.rings + tile(x, y) * fabric_.sizes.ring_words + first_ring_[patch(x, y)] +
           number(x, y) % pe::kPatch;
  }

  /// f(in the mesh, here) for all that a PE has.
  template <class F>
  void for_pe(pe::Pe<S> pe, int x, int y, F f) const {
    const pe::Arrays<S>&from = *pe.arrays, &to = fabric_.arrays;
    const std::size_t n = pe.n, i = places_.index(x, y);
    const auto words = [&](std::uint32_t* in_mesh, std::uint32_t* here, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) f(in_mesh[k * pe::kPatch], here[k * pe::kPatch]);
    };
    const auto interleaved = [&](std::uint32_t* in_mesh, std::uint32_t* here, std::size_t count) {
      words(pe::CoreArrays::interleaved(in_mesh, n, count),
            pe::CoreArrays::interleaved(here, i, count), count);
    };
    f(from.router[n], to.router[i]);
    f(from.core[n], to.core[i]);
    f(from.far[n], to.far[i]);
    f(from.far_core[n], to.far_core[i]);
    for (int k = 0; k < 2; ++k) {
      f(from.ramp[k][n], to.ramp[k][i]);
      f(from.marks[k][n], to.marks[k][i]);
      f(from.inbox[k][n], to.inbox[k][cell(x, y)]);
    }
    interleaved(from.payload[0], to.payload[0], fabric_.sizes.to_core);
    interleaved(from.payload[1], to.payload[1], fabric_.sizes.to_router);
    interleaved(from.registers, to.registers, kRegisters);
    interleaved(from.memory, to.memory, fabric_.sizes.memory_words);
    words(pe.rings(), rings(x, y), ring_words(pe));
  }

  void fill(const pe::Mesh<S>& mesh) {
    const auto pes = static_cast<std::size_t>(fabric_.tiles.count()) * fabric_.sizes.pes;
    auto* const beside = const_cast<std::uint64_t*>(fabric_.beside);
    std::fill_n(beside, pes, kEmpty);
    std::fill_n(fabric_.faults, pes, PeFault{model::kNever, {}});
    std::ranges::copy(first_ring_, const_cast<std::uint32_t*>(fabric_.arrays.first_ring));
    for_mesh(mesh, [&](pe::Pe<S> pe, int x, int y) {
      beside[places_.index(x, y)] = places_.beside(x, y);
      for_pe(pe, x, y, [](const auto& in_mesh, auto& here) { here = in_mesh; });
      pe::Far<S>& far = fabric_.arrays.far[places_.index(x, y)];
      for (int link = 0; link < kLinks; ++link)
        if (places_.leads_out(x, y, link)) std::ranges::fill(far.ring_beyond[link], 0);
    });
  }

  Places places_;
  Fabric<S> fabric_{};
  std::vector<std::uint32_t> first_ring_;  ///< [tile][patch]
  std::vector<std::vector<std::byte>> blocks_;
};

}  // namespace weft::pe_kernel
