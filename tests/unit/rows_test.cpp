// How soon something comes from one row of strips to another: a cut asks it in one way, a thread in
// another, and both have to agree.
#include "engine/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "model/state/timing.hpp"
#include "support/effort.hpp"

namespace weft::test::rows_test {
namespace {

using Wakes = std::vector<std::uint64_t>;

/// Whether anything comes from the rows `from` to the rows `to`.
bool comes(engine::Rows from, engine::Rows to, const Wakes& wakes, std::uint64_t end) {
  Wakes of_those(wakes.size(), model::kNever);
  std::copy(wakes.begin() + from.first, wakes.begin() + from.last, of_those.begin() + from.first);
  return !engine::reachable(to, {to.first, to.first}, of_those, end).empty();
}

TEST(Rows, CrossACutWhereTheyReachARowBeyondIt) {
  std::mt19937_64 draw(seed_from(1));
  int crossed = 0, stayed = 0;
  for (int n = 0; n < 20'000; ++n) {
    const auto number = [&](std::uint64_t below) { return draw() % below; };
    const auto rows = static_cast<int>(2 + number(14));
    const std::uint64_t end = 100 + 1 + number(engine::kMostCycles);
    const std::uint64_t never = number(100);  // in percent
    Wakes wakes(static_cast<std::size_t>(rows), model::kNever);
    for (std::uint64_t& wake : wakes)
      if (number(100) >= never) wake = 100 + number(engine::kMostCycles + 4);
    const auto above = static_cast<int>(number(static_cast<std::uint64_t>(rows - 1)));
    const engine::Rows north{0, above + 1}, south{above + 1, rows};
    const bool comes_over = comes(north, south, wakes, end) || comes(south, north, wakes, end);
    ASSERT_EQ(engine::crosses(above, wakes, end), comes_over)
        << "below row " << above << " of " << rows << " before " << end << ", case " << n;
    ++(comes_over ? crossed : stayed);
  }
  EXPECT_GT(crossed, 1000);
  EXPECT_GT(stayed, 1000);
}

}  // namespace
}  // namespace weft::test::rows_test
