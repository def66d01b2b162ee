// Halos of several points, deeper than a block too, of points and of columns.
#include <gtest/gtest.h>

#include <algorithm>

#include "expect_error.hpp"
#include "pattern_case.hpp"

namespace weft::test::deep_halo_test {
namespace {

using Corners = HaloExchange::Corners;

struct Plane {
  Corners corners;
  int width, height;  ///< PEs
  int rows, columns;  ///< of a block
  int depth, n;       ///< n: elements of a point; 0: no third dimension
};

std::vector<int> extents_of(const Plane& p) {
  std::vector<int> extents{p.rows + 2 * p.depth, p.columns + 2 * p.depth};
  if (p.n > 0) extents.push_back(p.n);
  return extents;
}

/// The halo of every PE; 0 beyond the plane, where no PE has written.
void check(const Plane& p) {
  Design d(p.width, p.height);
  const HaloExchange halo(d, d.all(), p.corners, "halo", p.depth);
  d.program(d.all(), "halo", [&](PeProgram& pe) {
    halo.exchange(pe, pe.array("u", ElementType::i32, extents_of(p)));
  });
  const int n = std::max(p.n, 1), height = p.height * p.rows, width = p.width * p.columns;
  const auto at = [&](int r, int c, int k) {
    const bool inside = r >= 0 && r < height && c >= 0 && c < width;
    return inside ? 10000 * r + 100 * c + k + 1 : 0;
  };
  std::vector<std::int32_t> plane;
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c)
      for (int k = 0; k < n; ++k) plane.push_back(at(r, c, k));
  Fabric f = d.fabric(test_machine(), test_options());
  f.scatter<std::int32_t>(d.all(), "u", plane, p.depth);
  f.run_until_idle(kFarLimit);
  EXPECT_EQ(f.gather<std::int32_t>(d.all(), "u", p.depth), plane);
  const std::vector<std::int32_t> u = f.read<std::int32_t>(d.all(), "u");
  std::size_t i = 0;
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width; ++x)
      for (int r = -p.depth; r < p.rows + p.depth; ++r)
        for (int c = -p.depth; c < p.columns + p.depth; ++c)
          for (int k = 0; k < n; ++k, ++i) {
            const bool corner = (r < 0 || r >= p.rows) && (c < 0 || c >= p.columns);
            const int there = at(y * p.rows + r, x * p.columns + c, k);
            EXPECT_EQ(u[i], corner && p.corners == Corners::none ? 0 : there)
                << "PE (" << x << ", " << y << "), row " << r << ", column " << c << ", " << k;
          }
}

TEST(DeepHalo, BringsAllPointsOfItsDepth) {
  for (const Corners corners : {Corners::none, Corners::all}) {
    check({corners, 3, 2, 4, 3, 2, 0});
    check({corners, 3, 3, 2, 2, 2, 3});
    check({corners, 2, 1, 5, 4, 4, 0});
  }
}

TEST(DeepHalo, ComesFromFartherPesWhereItIsDeeperThanTheBlock) {
  for (const Corners corners : {Corners::none, Corners::all}) {
    check({corners, 6, 5, 1, 1, 4, 3});  // of a stencil of 25 points
    check({corners, 4, 3, 1, 2, 3, 0});
    check({corners, 3, 2, 3, 1, 5, 2});
  }
}

TEST(DeepHalo, TakesNoMoreCyclesThanItsFormula) {
  for (const Machine& machine : kMachines)
    for (const Corners corners : {Corners::none, Corners::all})
      for (const Plane& p : {Plane{corners, 9, 9, 1, 1, 4, 20}, Plane{corners, 5, 5, 4, 3, 2, 0},
                             Plane{corners, 5, 5, 1, 2, 2, 50}}) {
        Design d(p.width, p.height);
        const HaloExchange halo(d, d.all(), corners, "halo", p.depth);
        PeVector u;
        const auto taken = cycles_of(
            d, machine, [&](PeProgram& pe) { u = pe.array("u", ElementType::f32, extents_of(p)); },
            [&](PeProgram& pe) { halo.exchange(pe, u); });
        const int n = std::max(p.n, 1);
        const int most = as_int(HaloExchange::most_cycles(
            machine, static_cast<std::uint64_t>(p.rows), static_cast<std::uint64_t>(p.columns),
            corners, p.depth, static_cast<std::uint64_t>(n)));
        const int elements = 2 * p.depth * n * (p.rows + p.columns) +
                             (corners == Corners::all ? 4 * p.depth * p.depth * n : 0);
        const int middle = taken[taken.size() / 2];
        EXPECT_LE(middle, most) << machine.name << ", depth " << p.depth;
        EXPECT_GE(middle, elements) << machine.name << ", depth " << p.depth;
      }
}

TEST(DeepHalo, RefusesWhatHasNone) {
  Design d(2, 2);
  const HaloExchange halo(d, d.all(), Corners::none, "halo", 3);
  expect_error(
      ErrorCategory::program,
      [&] {
        d.program(d.all(), "p", [&](PeProgram& pe) {
          halo.exchange(pe, pe.array<float>("u", {6, 7}));
        });
      },
      "u has no halo", "(rows + 6) x (columns + 6) points", "two dimensions of 7 or more");
  expect_error(
      ErrorCategory::program, [&] { HaloExchange(d, d.all(), Corners::none, "flat", 0); },
      "invalid depth of flat: 0");
}

}  // namespace
}  // namespace weft::test::deep_halo_test
