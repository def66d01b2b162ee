#include <gtest/gtest.h>

#include "pattern_case.hpp"

namespace weft::test::neighbors_test {
namespace {

TEST(NeighborShift, TakesTheCyclesOfItsFormula) {
  for (const Machine& machine : kMachines)
    for (const int n : {2, 3, 10, 50}) {
      Design d(5, 1);
      const NeighborShift east(d, d.all(), Port::east);
      PeVector u, v;
      const auto taken = cycles_of(
          d, machine,
          [&](PeProgram& pe) {
            u = pe.array<float>("u", n);
            v = pe.array<float>("v", n);
          },
          [&](PeProgram& pe) { east.shift(pe, u, v); });
      EXPECT_EQ(taken[2],
                static_cast<int>(NeighborShift::cycles(machine, static_cast<std::uint64_t>(n))))
          << machine.name << ", n = " << n;
    }
}

TEST(NeighborShift, GoesToAllSides) {
  for (const Port to : {Port::east, Port::west, Port::south, Port::north}) {
    Design d(4, 3);
    const NeighborShift shift(d, {0, 0, 4, 3}, to);
    d.program(d.all(), "shift", [&](PeProgram& pe) {
      const PeVector u = pe.parameter<std::int32_t>("u", [](int x, int y) { return 10 * y + x; });
      const PeVector v = pe.values<std::int32_t>("v", {-1});
      shift.shift(pe, u, v);
    });
    const std::vector<std::int32_t> v = run(d).read<std::int32_t>(d.all(), "v");
    const int dx = to == Port::east ? -1 : to == Port::west ? 1 : 0;
    const int dy = to == Port::south ? -1 : to == Port::north ? 1 : 0;
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x) {
        const bool there = x + dx >= 0 && x + dx < 4 && y + dy >= 0 && y + dy < 3;
        EXPECT_EQ(v[static_cast<std::size_t>(4 * y + x)], there ? 10 * (y + dy) + x + dx : -1)
            << "to " << static_cast<int>(to) << " at " << x << ", " << y;
      }
  }
}

/// The halo of every PE, with or without corners, after two rounds with other numbers.
void check_halo(HaloExchange::Corners corners, int width, int height, int rows, int columns) {
  Design d(width, height);
  const HaloExchange halo(d, d.all(), corners);
  d.program(d.all(), "halo", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", {rows + 2, columns + 2});
    halo.exchange(pe, u);
    pe.mul(u.block(1, 1, rows, columns), u.block(1, 1, rows, columns), 2.0);
    halo.exchange(pe, u);
  });
  // Numbers of the whole plane, by place; -1 beyond it.
  const auto at = [&](int r, int c) {
    const bool inside = r >= 0 && r < height * rows && c >= 0 && c < width * columns;
    return inside ? static_cast<float>(100 * r + c) : -1.0F;
  };
  std::vector<float> start;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int r = -1; r <= rows; ++r)
        for (int c = -1; c <= columns; ++c) {
          const bool own = r >= 0 && r < rows && c >= 0 && c < columns;
          start.push_back(own ? at(y * rows + r, x * columns + c) : -1.0F);
        }
  Fabric f = d.fabric(test_machine(), test_options());
  f.write(d.all(), "u", start);
  f.run_until_idle(kFarLimit);
  const std::vector<float> u = f.read<float>(d.all(), "u");
  std::size_t i = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int r = -1; r <= rows; ++r)
        for (int c = -1; c <= columns; ++c, ++i) {
          const bool corner = (r < 0 || r == rows) && (c < 0 || c == columns);
          const float there = at(y * rows + r, x * columns + c);
          const bool left = there < 0 || (corner && corners == HaloExchange::Corners::none);
          EXPECT_EQ(u[i], left ? -1.0F : 2 * there)
              << "PE (" << x << ", " << y << "), row " << r << ", column " << c;
        }
}

TEST(HaloExchange, BringsTheNeighboursBorders) {
  check_halo(HaloExchange::Corners::none, 3, 4, 2, 3);
  check_halo(HaloExchange::Corners::none, 2, 1, 1, 1);
}

TEST(HaloExchange, BringsTheCornersToo) {
  check_halo(HaloExchange::Corners::all, 3, 3, 3, 2);
  check_halo(HaloExchange::Corners::all, 1, 2, 1, 1);
}

TEST(HaloExchange, TakesNoMoreCyclesThanItsFormula) {
  for (const Machine& machine : kMachines)
    for (const HaloExchange::Corners corners :
         {HaloExchange::Corners::none, HaloExchange::Corners::all})
      for (const int rows : {1, 2, 7, 30, 60})
        for (const int columns : {1, 3, 9, 50}) {
          Design d(3, 3);
          const HaloExchange halo(d, d.all(), corners);
          PeVector u;
          const auto taken = cycles_of(
              d, machine,
              [&](PeProgram& pe) {
                u = pe.array<float>("u", {rows + 2, columns + 2});
              },
              [&](PeProgram& pe) { halo.exchange(pe, u); });
          const int elements =
              2 * (rows + columns) + (corners == HaloExchange::Corners::all ? 4 : 0);
          const int most =
              as_int(HaloExchange::most_cycles(machine, static_cast<std::uint64_t>(rows),
                                               static_cast<std::uint64_t>(columns), corners));
          EXPECT_LE(taken[4], most) << machine.name << ", " << rows << " x " << columns;
          EXPECT_GE(taken[4], elements) << machine.name << ", " << rows << " x " << columns;
        }
}

}  // namespace
}  // namespace weft::test::neighbors_test
