#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "weft/error.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {

namespace {

/// A vector with a halo as rows of elements: a column of points is `wide` of them.
struct Block {
  PeVector u;
  int rows, columns, wide;  ///< points without the halo; elements of a point
};

[[noreturn]] void refuse(const PeVector& u, int depth) {
  throw Error(
      ErrorCategory::program, fmt::format("{} has no halo", u.name()),
      fmt::format("a block of rows x columns with a halo of {} has (rows + {}) x (columns + "
                  "{}) points, and perhaps a third dimension",
                  depth, 2 * depth, 2 * depth),
      fmt::format("declare it with two dimensions of {} or more", 2 * depth + 1));
}

Block block_of(const PeVector& u, int depth) {
  const bool in_columns = u.dimensions() == 3;
  if ((u.dimensions() != 2 && !in_columns) || u.extent(0) <= 2 * depth || u.extent(1) <= 2 * depth)
    refuse(u, depth);
  Block block{u, u.extent(0) - 2 * depth, u.extent(1) - 2 * depth, in_columns ? u.extent(2) : 1};
  if (!in_columns) return block;
  if (u.kind() != PeVector::Kind::memory || u.by_register() || u.joined().size() != 1)
    throw Error(ErrorCategory::program, fmt::format("{} has gaps, or is moved", u.name()),
                "the columns of a halo are sent as they are in an array",
                "give an array as it is declared");
  block.u =
      PeVector::in_memory(u.name(), u.type(), u.address(), {u.extent(0), u.extent(1) * block.wide});
  return block;
}

/// A step's share of the halo: so many lines, the first one so far out from the block.
struct Share {
  int lines, from;
};

Share share_of(int step, int depth, int block) {
  const int from = step * block;
  return {std::min(block, depth - from), from};
}

int checked_depth(int depth, const std::string& name) {
  if (depth < 1)
    throw Error(ErrorCategory::program, fmt::format("invalid depth of {}: {}", name, depth),
                "a halo has one point or more on each side", "give 1 or more");
  return depth;
}

int steps_of(int depth, int block) { return (depth + block - 1) / block; }

}  // namespace

HaloExchange::HaloExchange(Design& design, const Rect& where, Corners corners,
                           const std::string& name, int depth)
    : place_(patterns::place_in(design, where, name)),
      corners_(corners),
      depth_(checked_depth(depth, name)),
      east_(design, where, Port::east, name + " to the east"),
      west_(design, where, Port::west, name + " to the west"),
      south_(design, where, Port::south, name + " to the south"),
      north_(design, where, Port::north, name + " to the north") {}

namespace {

/// The steps of an exchange. Each sends what the one before it has received, the first one the
/// block itself: what a PE sends lies a block's width behind what it receives.
struct Steps {
  PeProgram& pe;
  Block b;
  int depth;
  bool corners;
  std::vector<PeOperation> all{};  ///< that are not waited for

  void start(const NeighborShift& to, const PeVector& out, const PeVector& in) {
    for (const PeOperation& operation : to.start(pe, out, in)) all.push_back(operation);
  }
  void wait() {
    pe.wait(all);
    all.clear();
  }

  int across() const { return steps_of(depth, b.columns); }
  int down() const { return steps_of(depth, b.rows); }

  void to_sides(int step, const NeighborShift& east_shift, const NeighborShift& west_shift) {
    const Share share = share_of(step, depth, b.columns);
    const auto columns = [&](int first) {
      return b.u.block(depth, first * b.wide, b.rows, share.lines * b.wide);
    };
    const int west = depth - share.from - share.lines, east = depth + b.columns + share.from;
    start(east_shift, columns(west + b.columns), columns(west));
    start(west_shift, columns(east - b.columns), columns(east));
  }

  /// With the corners, which came from the neighbours' own halos.
  void up_and_down(int step, const NeighborShift& south_shift, const NeighborShift& north_shift) {
    const Share share = share_of(step, depth, b.rows);
    const int first = corners ? 0 : depth;
    const int length = corners ? b.columns + 2 * depth : b.columns;
    const auto rows = [&](int row) {
      return b.u.block(row, first * b.wide, share.lines, length * b.wide);
    };
    const int north = depth - share.from - share.lines, south = depth + b.rows + share.from;
    start(south_shift, rows(north + b.rows), rows(north));
    start(north_shift, rows(south - b.rows), rows(south));
  }
};

}  // namespace

void HaloExchange::exchange(PeProgram& pe, const PeVector& with_halo, CallLine) const {
  patterns::check_place(pe, place_, "halo");
  patterns::check_written("halo", with_halo);
  Steps steps{pe, block_of(with_halo, depth_), depth_, corners_ == Corners::all};
  const int across = steps.across(), down = steps.down();
  for (int step = 0; step < std::max(across, down) && !steps.corners; ++step) {
    if (step < across) steps.to_sides(step, east_, west_);
    if (step < down) steps.up_and_down(step, south_, north_);
    steps.wait();
  }
  for (int step = 0; step < across && steps.corners; ++step) {
    steps.to_sides(step, east_, west_);
    steps.wait();
  }
  for (int step = 0; step < down && steps.corners; ++step) {
    steps.up_and_down(step, south_, north_);
    steps.wait();
  }
}

std::vector<PeOperation> HaloExchange::start(PeProgram& pe, const PeVector& with_halo,
                                             CallLine) const {
  patterns::check_place(pe, place_, "halo");
  patterns::check_written("halo", with_halo);
  Steps steps{pe, block_of(with_halo, depth_), depth_, corners_ == Corners::all};
  if (steps.corners || steps.across() > 1 || steps.down() > 1)
    throw Error(ErrorCategory::program,
                fmt::format("halo: {} is exchanged in steps", with_halo.name()),
                steps.corners ? "corners come with the second step"
                              : "the halo is deeper than the block, and neighbours pass it on",
                "use exchange, which waits between the steps");
  steps.to_sides(0, east_, west_);
  steps.up_and_down(0, south_, north_);
  return std::move(steps.all);
}

std::uint64_t HaloExchange::most_cycles(const Machine& machine, std::uint64_t rows,
                                        std::uint64_t columns, Corners corners, int depth,
                                        std::uint64_t n) {
  for (const std::uint64_t count : {rows, columns, n}) patterns::check_elements(count);
  patterns::check_length(depth);  // in PEs of one point, those of a line
  // A step with so many operations and elements.
  const auto step = [&](std::uint64_t operations, std::uint64_t elements) {
    const auto task = static_cast<std::uint64_t>(machine.task_start_cycles);
    return operations * patterns::go_on(machine) + patterns::first_element(machine) +
           patterns::travel(machine, 1) + elements +
           (operations - 1) * (task + 3 * patterns::go_on(machine));
  };
  const auto far = static_cast<std::uint64_t>(depth);
  const std::uint64_t across = (far + columns - 1) / columns, down = (far + rows - 1) / rows;
  if (corners == Corners::all)
    return across * step(4, 0) + 2 * far * rows * n + down * step(4, 0) +
           2 * far * (columns + 2 * far) * n;
  const std::uint64_t both = std::min(across, down), rest = std::max(across, down) - both;
  return both * step(8, 0) + rest * step(4, 0) + 2 * far * (rows + columns) * n;
}

}  // namespace weft::inline v0
