#include "cuda/pe/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cuda/pe/kernel.hpp"
#include "weft/error.hpp"

namespace weft::pe_kernel {
namespace {

/// A warp for each scheduler of a multiprocessor: smaller tiles only have more edges.
constexpr int kLeastPes = 128;
/// Places::beside has 16 bits for each neighbour. (Of the host there are as many as of a rim at
/// most.)
constexpr int kMostCells = 32767;

constexpr int whole(int pes, int of) { return (pes + of - 1) / of * of; }

/// Less is better; of two that are equal, the wider one.
auto cost(const Tiles& t) { return std::tuple(t.pes(), t.rim(), -t.width); }

}  // namespace

std::optional<Tiles> find_tiles(int multiprocessors, int mesh_width, int mesh_height) {
  const int most_width = whole(mesh_width, kPatchWidth);
  const int most_height = whole(mesh_height, kPatchHeight);
  std::optional<Tiles> best;
  for (int width = kPatchWidth; width <= most_width; width += kPatchWidth)
    for (int height = kPatchHeight; height <= most_height; height += kPatchHeight) {
      const Tiles tiles = tiles_of(mesh_width, mesh_height, width, height);
      if (tiles.count() > multiprocessors || tiles.cells(tiles.rim()) > kMostCells) continue;
      if (tiles.count() > 1 && tiles.pes() < kLeastPes) continue;
      if (!best || cost(tiles) < cost(*best)) best = tiles;
    }
  return best;
}

Tiles choose_tiles(int multiprocessors, int mesh_width, int mesh_height) {
  const std::optional<Tiles> best = find_tiles(multiprocessors, mesh_width, mesh_height);
  if (!best)
    throw Error(
        ErrorCategory::environment,
        fmt::format("a mesh of {} x {} PEs is too large for the CUDA device", mesh_width,
                    mesh_height),
        fmt::format("each of its {} multiprocessors has {} places for PEs and the PEs beside them",
                    multiprocessors, kMostCells),
        "use a smaller mesh, or the host engine");
  return *best;
}

int threads_of(const Tiles& tiles) {
  const int pes = tiles.pes(), sets = (pes + kMostThreads - 1) / kMostThreads;
  return whole((pes + sets - 1) / sets, pe::kPatch);
}

}  // namespace weft::pe_kernel
