#include "fft/wsfft/division.hpp"

#include <algorithm>
#include <bit>

#include "weft/patterns.hpp"

namespace weft::wsfft {
namespace {

/// Strides of an array in C order.
std::array<int, 3> strides_of(const std::array<int, 3>& extents) {
  return {extents[1] * extents[2], extents[2], 1};
}

/// The lowest bits of x, so many, in reverse order.
int reversed(int x, int bits) {
  int y = 0;
  for (int bit = 0; bit < bits; ++bit) y |= (x >> bit & 1) << (bits - 1 - bit);
  return y;
}

int padded_to(int side, int parts) { return (side + parts - 1) / parts * parts; }

// Of a folded array: before, between and after the exchanges of a forward transform.
constexpr Arrangement kFoldedSpace{{0, 0, 2}}, kHalfWay{{2, 0, 1}}, kFoldedFrequency{{2, 2, 0}};

/// The index along axis 0 has the digits (x, y, one of a), that along axis 2 (x, y, one of b). Half
/// way a PE has [y and one of b of axis 2][x and one of a of axis 0].
Blocks folded_blocks(const Division& d, const Arrangement& before, Axis axis) {
  const int n0 = d.pitch(0), n2 = d.pitch(2), pes = d.px * d.py, a = n0 / pes, b = n2 / pes;
  const int half_0 = d.px * a, half_2 = d.py * b;  // numbers of a PE half way
  if (axis == Axis::row) {
    if (before == kFoldedSpace) return {{a, 1, half_2}, {n2, 1, 1}, {1, 1, half_0}, half_2, a};
    return {{half_2, 1, a}, {half_0, 1, 1}, {1, 1, n2}, a, half_2};
  }
  const std::array<int, 3> half_way{half_0, a, 1}, at_end{n0, d.py * a, 1}, extents{b, d.px, a};
  if (before == kHalfWay) return {extents, half_way, at_end, b * half_0, a};
  return {extents, at_end, half_way, a, b * half_0};
}

}  // namespace

int Division::block(int axis, Axis line) const {
  const int side = axis == 2 ? spectrum() : sides[static_cast<std::size_t>(axis)];
  if (folded()) return padded_to(side, px * py) / along(line);
  const int least = padded_to(side, along(line)) / along(line);
  const bool pairs = real && axis == 0 && line == Axis::row;
  return pairs && least * block(1, Axis::column) % 2 != 0 ? least + 1 : least;
}

int Division::pitch(int axis) const {
  int least = axis == 2 ? spectrum() : sides[static_cast<std::size_t>(axis)];
  if (in_place) return least;
  // Of a cube as of axis 0, which both exchanges divide: round trips go back by the same exchanges.
  const bool is_cube = sides[0] == sides[1] && sides[1] == sides[2] && inner == 1 && !real;
  if (is_cube && axis != 0) return pitch(0);
  for (const Arrangement& now : arrangements_of(*this, FftDirection::forward)) {
    if (now.axes[0] == axis) least = std::max(least, px * block(axis, Axis::row));
    if (now.axes[1] == axis) least = std::max(least, py * block(axis, Axis::column));
  }
  return inner > 1 && axis == 2 ? padded_to(least, lines()) : least;  // whole columns of a plane
}

bool Division::one_table() const {
  return least_roots && std::has_single_bit(static_cast<std::uint64_t>(size()));
}

double Division::padding() const {
  return 1 - static_cast<double>(sides[0]) * sides[1] * spectrum() / px / py /
                 static_cast<double>(numbers());
}

int Division::part_at(int x, Axis axis, bool after) const {
  const int length = along(axis), number = x % length;
  if (in_place) {
    const int gray = number ^ number >> 1;
    return after ? reversed(gray, std::countr_zero(static_cast<unsigned>(length))) : gray;
  }
  return ring && length > 1 ? RingShift::place_of(number, length) : number;
}

std::int64_t Division::numbers() const {
  std::int64_t most = 0;
  for (const Arrangement& now : arrangements_of(*this, FftDirection::forward)) {
    const auto [e0, e1, whole] = now.extents(*this);
    most = std::max(most, std::int64_t{e0} * e1 * pitch(now.axes[2]));
  }
  return most;
}

int Arrangement::pitch(const Division& d) const {
  return d.inner > 1 && axes[2] == 2 ? d.sides[2] : d.pitch(axes[2]);
}

Pencils pencils_of(const Division& division, const Arrangement& arrangement) {
  const auto [e0, e1, n] = arrangement.extents(division);
  if (arrangement.after) return {1, 1, 1};
  const int whole = arrangement.axes[2];
  const auto axis = static_cast<std::size_t>(whole);
  if (division.real && whole == 2) return {n, n, e0 * e1 / 2, axis};
  return {n, division.pitch(whole), e0 * e1, axis};
}

std::vector<Pencils> passes_of(const Division& division, const Arrangement& arrangement,
                               FftDirection direction) {
  const Pencils all = pencils_of(division, arrangement);
  if (division.inner == 1 || arrangement.axes[2] != 2) return {all};
  const int inner = division.inner, lines = division.lines();
  std::vector<Pencils> passes{{inner, inner, all.count * lines, 3},
                              {lines, lines, all.count * (all.pitch / lines), 2}};
  if (direction == FftDirection::inverse) std::ranges::reverse(passes);
  return passes;
}

int longest_pencil(const Division& division) {
  return std::max({division.sides[0], division.sides[1], division.lines(), division.inner});
}

std::vector<Axis> exchanges_of(const Division& division, FftDirection direction) {
  std::vector<Axis> axes;
  if (division.sides[0] > 1) axes.push_back(Axis::row);
  if (division.sides[1] > 1 || division.folded()) axes.push_back(Axis::column);
  if (division.back) axes.push_back(axes.front());
  if (direction == FftDirection::inverse && !division.in_place) std::ranges::reverse(axes);
  return axes;
}

std::vector<Arrangement> arrangements_of(const Division& division, FftDirection direction) {
  std::vector<Arrangement> all{kSpace};
  if (division.in_place) {
    all.resize(1 + exchanges_of(division, direction).size(), {kSpace.axes, true});
    return all;
  }
  if (division.back)
    return {
        kSpace, kSpace.exchanged(exchanges_of(division, direction).front()), {kSpace.axes, true}};
  if (division.folded())
    all = {kFoldedSpace, kHalfWay, kFoldedFrequency};
  else
    for (const Axis axis : exchanges_of(division, FftDirection::forward))
      all.push_back(all.back().exchanged(axis));
  if (direction == FftDirection::inverse) std::ranges::reverse(all);
  return all;
}

Blocks blocks_of(const Division& division, const Arrangement& before, Axis axis) {
  if (division.folded()) return folded_blocks(division, before, axis);
  if (division.in_place) return {before.extents(division), {}, {}, 0, 0};  // all that it has
  const std::size_t divided = axis == Axis::row ? 0 : 1;
  const Arrangement after = before.exchanged(axis);
  const std::array<int, 3> here = before.extents(division), there = after.extents(division);
  const auto in_memory = [&](std::array<int, 3> extents, const Arrangement& arrangement) {
    extents[2] = division.pitch(arrangement.axes[2]);
    return strides_of(extents);
  };
  Blocks blocks{};
  blocks.extents = here;
  blocks.extents[2] = there[divided];  // the part of the whole axis that one PE is to have
  blocks.from = in_memory(here, before);
  blocks.to = in_memory(there, after);
  std::swap(blocks.to[divided], blocks.to[2]);
  blocks.from_step = there[divided];
  blocks.to_step = here[divided];
  return blocks;
}

std::array<std::int64_t, 3> strides_of(const Division& division, const Arrangement& arrangement) {
  const auto [n0, n1, n2] = division.sides;
  if (!division.digits) return {std::int64_t{n1} * n2, n2, 1};
  if (arrangement == kSpace) return {n1, 1, std::int64_t{n0} * n1};
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
