#include "fft/wsfft/division.hpp"

namespace weft::wsfft {
namespace {

/// Strides of an array in C order.
std::array<int, 3> strides_of(const std::array<int, 3>& extents) {
  return {extents[1] * extents[2], extents[2], 1};
}

}  // namespace

std::array<Axis, 2> exchange_order(FftDirection direction) {
  return direction == FftDirection::forward ? std::array{Axis::row, Axis::column}
                                            : std::array{Axis::column, Axis::row};
}

Blocks blocks_of(const Division& division, const Arrangement& before, Axis axis) {
  const std::size_t divided = axis == Axis::row ? 0 : 1;
  const std::array<int, 3> here = before.extents(division);
  const std::array<int, 3> there = before.exchanged(axis).extents(division);
  Blocks blocks{};
  blocks.extents = here;
  blocks.extents[2] = there[divided];  // the part of the whole axis that one PE is to have
  blocks.from = strides_of(here);
  blocks.to = strides_of(there);
  std::swap(blocks.to[divided], blocks.to[2]);
  blocks.from_step = there[divided];
  blocks.to_step = here[divided];
  return blocks;
}

}  // namespace weft::wsfft
