#pragma once

#include <cstddef>

#include "cuda/tile_kernel.hpp"
#include "model/state/arrays.hpp"

/// The arrays that the engine keeps in a device's memory, as a list: for the code that allocates
/// them, and the code that computes whether they fit.
namespace weft::cuda {

/// Arrays that are not the fabric's.
struct OwnArrays {
  RowStart* starts = nullptr;        ///< by row, and one more
  TileProgress* progress = nullptr;  ///< by tile, of which there are at most as many as rows
  LaunchState* launch = nullptr;
  Summary* summary = nullptr;
};

/// f(pointer, elements) for each array.
template <class F>
void for_device_arrays(model::View& v, OwnArrays& own, const model::Sizes& n, F f) {
  const auto rows = static_cast<std::size_t>(v.rows);
  model::for_constant_arrays(v, n, f);
  model::for_state_arrays(v, n, f);
  f(v.memory, v.strip_count() * v.memory_words * model::kLanes);
  f(own.starts, rows + 1);
  f(own.progress, rows);
  f(own.launch, std::size_t{1});
  f(own.summary, std::size_t{1});
}

/// Device memory is given out in pages, which at worst no two arrays share.
inline constexpr std::size_t kPage = std::size_t{2} << 20U;

/// Bytes of all arrays, of each in whole pages.
std::size_t device_bytes(model::View v, const model::Sizes& sizes, std::size_t page);

/// Side of the largest square mesh that fits in so many bytes, if its strips are as this fabric's
/// are on average: whole strips, unless not even one fits in a row. 0: there is none.
int largest_side(const model::View& v, const model::Sizes& sizes, std::size_t bytes);

/// Throws an Error (environment) that names all sizes, and a largest mesh that is smaller than
/// this.
[[noreturn]] void refuse_mesh(const model::View& v, const model::Sizes& sizes, std::size_t page);

/// Refuses the fabric if what is free is not enough even without gaps.
void check_device_memory(const model::View& v, const model::Sizes& sizes);

}  // namespace weft::cuda
