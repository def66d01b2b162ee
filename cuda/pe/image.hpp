#pragma once

#include <algorithm>
#include <cstring>
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

  int tile(int x, int y) const { return y / tiles_.height * tiles_.across + x / tiles_.width; }
  /// In its tile.
  int number(int x, int y) const {
    x %= tiles_.width;
    y %= tiles_.height;
    const int patch = y / kPatchHeight * (tiles_.width / kPatchWidth) + x / kPatchWidth;
    return rank_[static_cast<std::size_t>(patch)] * pe::kPatch +
           y % kPatchHeight * kPatchWidth + x % kPatchWidth;
  }
  /// Of all PEs, tile by tile.
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(tile(x, y)) * static_cast<std::size_t>(tiles_.pes()) +
           static_cast<std::size_t>(number(x, y));
  }
  /// The cell for the neighbour that a link leads to, if that is in another tile.
  int rim_cell(int x, int y, int link) const {
    return tiles_.pes() + tiles_.side(link) + (link < 2 ? y % tiles_.height : x % tiles_.width);
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
  const Tiles& tiles() const { return tiles_; }

 private:
  Tiles tiles_;
  std::vector<int> rank_;
};

template <class S>
class Image {
 public:
  Image(const pe::Mesh<S>& mesh, const Tiles& tiles) : places_(tiles) {
    fabric_.arrays.rules = mesh.rules;
    fabric_.tiles = tiles;
    set_sizes(mesh);
    const auto take = [this](auto*& array, std::uint32_t n) {
      using T = std::remove_const_t<std::remove_reference_t<decltype(*array)>>;
      const std::size_t bytes =
          static_cast<std::size_t>(fabric_.tiles.count()) * n * sizeof(T);
      blocks_.emplace_back(bytes);
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
      for_pe_arrays(pe, x, y, [](auto* in_mesh, const auto* here, std::size_t n) {
        std::copy_n(here, n, in_mesh);
      });
      std::memcpy(pe.far().ring_beyond, before.ring_beyond, sizeof before.ring_beyond);
      copy_memory(pe, x, y, [](std::uint32_t& in_mesh, std::uint32_t here) { in_mesh = here; });
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

  void set_sizes(const pe::Mesh<S>& mesh) {
    const Tiles& tiles = fabric_.tiles;
    std::vector<std::uint32_t> words(static_cast<std::size_t>(tiles.count()));
    for_mesh(mesh, [&](pe::Pe<S> pe, int x, int y) {
      words[static_cast<std::size_t>(places_.tile(x, y))] += ring_words(pe);
    });
    fabric_.sizes = {static_cast<std::uint32_t>(tiles.pes()),
                     static_cast<std::uint32_t>(tiles.cells()),
                     *std::ranges::max_element(words) +
                         static_cast<std::uint32_t>(tiles.rim() * S::kSlots),
                     mesh.rules.to_core.slots,
                     mesh.rules.to_router.slots,
                     static_cast<std::uint32_t>(mesh.words())};
  }

  /// f(in the mesh, here, elements) for all that a PE has of its own but memory.
  template <class F>
  void for_pe_arrays(pe::Pe<S> pe, int x, int y, F f) {
    const pe::Arrays<S>&from = *pe.arrays, &to = fabric_.arrays;
    const std::size_t i = places_.index(x, y);
    const auto each = [&](auto* in_mesh, auto* here, std::size_t n) {
      f(in_mesh + pe.n * n, here + i * n, n);
    };
    each(from.router, to.router, 1);
    each(from.core, to.core, 1);
    each(from.ramp, to.ramp, 2);
    each(from.marks, to.marks, 2);
    each(from.into_core, to.into_core, fabric_.sizes.into_core);
    each(from.into_router, to.into_router, fabric_.sizes.into_router);
    each(from.far, to.far, 1);
    each(from.far_core, to.far_core, 1);
    const std::size_t cell = at_cell(x, y);
    f(from.inbox + 2 * pe.n, to.inbox + 2 * cell, 2);
    f(pe.rings(), tile_rings(x, y) + to.first_ring[cell], ring_words(pe));
  }

  std::size_t at_cell(int x, int y) const {
    return static_cast<std::size_t>(places_.tile(x, y)) * fabric_.sizes.cells +
           static_cast<std::size_t>(places_.number(x, y));
  }
  std::uint32_t* tile_rings(int x, int y) const {
    return fabric_.arrays.rings +
           static_cast<std::size_t>(places_.tile(x, y)) * fabric_.sizes.ring_words;
  }

  /// f(word in the mesh, word here)
  template <class F>
  void copy_memory(pe::Pe<S> pe, int x, int y, F f) {
    const std::size_t words = fabric_.sizes.memory_words, i = places_.index(x, y);
    std::uint32_t* const in_mesh = pe.arrays->memory_of(pe.n);
    std::uint32_t* const here =
        fabric_.arrays.memory + i / pe::kPatch * words * pe::kPatch + i % pe::kPatch;
    for (std::size_t w = 0; w < words; ++w) f(in_mesh[w * pe::kPatch], here[w * pe::kPatch]);
  }

  void fill(const pe::Mesh<S>& mesh) {
    const Tiles& tiles = fabric_.tiles;
    const std::size_t pes = static_cast<std::size_t>(tiles.count() * tiles.pes());
    auto* const beside = const_cast<std::uint64_t*>(fabric_.beside);
    std::fill_n(beside, pes, kEmpty);
    std::fill_n(fabric_.faults, pes, PeFault{model::kNever, {}});
    number_rings(mesh);
    for_mesh(mesh, [&](pe::Pe<S> pe, int x, int y) {
      beside[places_.index(x, y)] = places_.beside(x, y);
      for_pe_arrays(pe, x, y, [](const auto* in_mesh, auto* here, std::size_t n) {
        std::copy_n(in_mesh, n, here);
      });
      copy_memory(pe, x, y, [](std::uint32_t in_mesh, std::uint32_t& here) { here = in_mesh; });
      pe::Far<S>& far = fabric_.arrays.far[places_.index(x, y)];
      for (int link = 0; link < kLinks; ++link)
        if (places_.leads_out(x, y, link)) std::ranges::fill(far.ring_beyond[link], 0);
    });
  }

  /// The first word of each cell's rings, in its tile. A cell of the rim has one ring.
  void number_rings(const pe::Mesh<S>& mesh) {
    const Tiles& tiles = fabric_.tiles;
    auto* const first = const_cast<std::uint32_t*>(fabric_.arrays.first_ring);
    std::vector<std::uint32_t> next(static_cast<std::size_t>(tiles.count()));
    for (std::size_t tile = 0; tile < next.size(); ++tile)
      for (int n = 0; n < tiles.rim(); ++n, next[tile] += S::kSlots)
        first[tile * fabric_.sizes.cells + static_cast<std::size_t>(tiles.pes() + n)] = next[tile];
    for_mesh(mesh, [&](pe::Pe<S> pe, int x, int y) {
      std::uint32_t& word = next[static_cast<std::size_t>(places_.tile(x, y))];
      first[at_cell(x, y)] = word;
      word += ring_words(pe);
    });
  }

  Places places_;
  Fabric<S> fabric_{};
  std::vector<std::vector<std::byte>> blocks_;
};

}  // namespace weft::pe_kernel
