#include <fmt/format.h>

#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "weft/error.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {

HaloExchange::HaloExchange(Design& design, const Rect& where, Corners corners,
                           const std::string& name)
    : place_(patterns::place_in(design, where, name)),
      corners_(corners),
      east_(design, where, Port::east, name + " to the east"),
      west_(design, where, Port::west, name + " to the west"),
      south_(design, where, Port::south, name + " to the south"),
      north_(design, where, Port::north, name + " to the north") {}

void HaloExchange::exchange(PeProgram& pe, const PeVector& u) const {
  patterns::check_place(pe, place_, "halo");
  patterns::check_written("halo", u);
  if (u.dimensions() != 2 || u.extent(0) < 3 || u.extent(1) < 3)
    throw Error(ErrorCategory::program, fmt::format("{} has no halo", u.name()),
                "a block of rows x columns with its halo has (rows + 2) x (columns + 2) elements",
                "declare it with two dimensions of 3 or more");
  const int rows = u.extent(0) - 2, columns = u.extent(1) - 2;
  std::vector<PeOperation> all;
  const auto start = [&](const NeighborShift& to, const PeVector& out, const PeVector& in) {
    for (const PeOperation& operation : to.start(pe, out, in)) all.push_back(operation);
  };
  const auto column = [&](int c) { return u.block(1, c, rows, 1); };
  start(east_, column(columns), column(0));
  start(west_, column(1), column(columns + 1));
  if (corners_ == Corners::all) {
    pe.wait(all);
    all.clear();
  }
  // With the corners, which came from the neighbours' own halos.
  const int first = corners_ == Corners::all ? 0 : 1;
  const int length = corners_ == Corners::all ? columns + 2 : columns;
  const auto row = [&](int r) { return u.block(r, first, 1, length); };
  start(south_, row(rows), row(0));
  start(north_, row(1), row(rows + 1));
  pe.wait(all);
}

std::uint64_t HaloExchange::most_cycles(const Machine& machine, std::uint64_t rows,
                                        std::uint64_t columns, Corners corners) {
  patterns::check_elements(rows);
  patterns::check_elements(columns);
  // A step with so many operations and elements.
  const auto step = [&](std::uint64_t operations, std::uint64_t elements) {
    const auto task = static_cast<std::uint64_t>(machine.task_start_cycles);
    return operations * patterns::go_on(machine) + patterns::first_element(machine) +
           patterns::travel(machine, 1) + elements +
           (operations - 1) * (task + 3 * patterns::go_on(machine));
  };
  if (corners == Corners::none) return step(8, 2 * (rows + columns));
  return step(4, 2 * rows) + step(4, 2 * (columns + 2));
}

}  // namespace weft::inline v0
