#include <gtest/gtest.h>

#include <string>

#include "expect_error.hpp"
#include "pattern_case.hpp"

namespace weft::test {
namespace {

TEST(Patterns, SayWhatIsMissing) {
  Design d(3, 3);
  for (int k = 0; k < kColors - 1; ++k) d.color("mine " + std::to_string(k));
  expect_error(
      ErrorCategory::program, [&] { NeighborShift(d, d.all(), Port::east, "my shift"); },
      "no color is left for my shift");
  Design e(3, 3);
  expect_error(
      ErrorCategory::program, [&] { Broadcast(e, e.all(), 3, 0, "b"); },
      "b cannot begin at (3, 0)");
  expect_error(
      ErrorCategory::program,
      [&] {
        RingShift(e, {0, 0, 1, 3}, Along::rows, "r");
      },
      "r has one PE");
  const HaloExchange halo(e, e.all());
  expect_error(
      ErrorCategory::program,
      [&] {
        e.program(e.all(), "flat",
                  [&](PeProgram& pe) { halo.exchange(pe, pe.array<float>("u", 9)); });
      },
      "u has no halo");
}

}  // namespace
}  // namespace weft::test
