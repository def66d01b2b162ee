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

std::array<std::int64_t, 3> strides_of(const Division& division, const Arrangement& arrangement) {
  const auto [n0, n1, n2] = division.sides;
  if (!division.digits) return {std::int64_t{n1} * n2, n2, 1};
  if (arrangement.axes == kSpace.axes) return {n1, 1, std::int64_t{n0} * n1};
  return {n2, std::int64_t{n0} * n2, 1};
}

Roots roots_of(const Division& division, FftDirection direction, int superstep) {
  const std::vector<Arrangement> arrangements = arrangements_of(division, direction);
  const auto first = static_cast<std::size_t>(superstep);
  const auto axis_of = [&](std::size_t k) {
    return static_cast<std::size_t>(arrangements[k].axes[2]);
  };
  Roots roots{axis_of(first)};
  for (std::size_t k = arrangements.size() - 1; k > first; --k) {
    roots.weights[axis_of(k)] = roots.n;
    roots.n *= division.sides[axis_of(k)];
  }
  roots.n *= division.sides[roots.transformed];
  return roots;
}

}  // namespace weft::wsfft
