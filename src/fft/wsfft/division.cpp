#include "fft/wsfft/division.hpp"

#include <algorithm>

namespace weft::wsfft {
namespace {

/// Strides of an array in C order.
std::array<int, 3> strides_of(const std::array<int, 3>& extents) {
  return {extents[1] * extents[2], extents[2], 1};
}

}  // namespace

std::vector<Axis> exchanges_of(const Division& division, FftDirection direction) {
  std::vector<Axis> axes;
  if (division.sides[0] > 1) axes.push_back(Axis::row);
  if (division.sides[1] > 1) axes.push_back(Axis::column);
  if (direction == FftDirection::inverse) std::ranges::reverse(axes);
  return axes;
}

std::vector<Arrangement> arrangements_of(const Division& division, FftDirection direction) {
  std::vector<Arrangement> all{kSpace};
  for (const Axis axis : exchanges_of(division, FftDirection::forward))
    all.push_back(all.back().exchanged(axis));
  if (direction == FftDirection::inverse) std::ranges::reverse(all);
  return all;
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
