// A process builds the strips that it has: rows of them, columns, and the routers beside its rows.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "fabric/build/state.hpp"
#include "support/mesh.hpp"

namespace weft::test::own_strips_test {
namespace {

constexpr int kWidth = 70, kHeight = 26;  // 5 x 7 strips

/// Each PE has a program, a route and a filter.
Layout everywhere() {
  Layout layout(kWidth, kHeight);
  ProgramBuilder b("p");
  b.start(b.local_task(0));
  b.end();
  layout.place({0, 0, kWidth, kHeight}, b.build());
  Route route{Port::ramp, Port::ramp};
  route.input_queue = 1;
  layout.route({0, 0, kWidth, kHeight}, 3, route);
  layout.filter({0, 0, kWidth, kHeight}, 3,
                CounterFilter{.counter = 1, .limit1 = 2, .max_counter = 3});
  return layout;
}

void expect_strips(const fabric::OwnStrips& own) {
  const fabric::State whole = fabric::build(everywhere(), Machine{});
  const fabric::State part = fabric::build(everywhere(), Machine{}, {}, own);
  ASSERT_EQ(part.strip_count(), whole.strip_count());
  for (int row = 0; row < whole.rows; ++row)
    for (int column = 0; column < whole.strips; ++column) {
      SCOPED_TRACE(testing::Message() << "strip (" << column << ", " << row << ")");
      const auto strip = static_cast<std::size_t>(row * whole.strips + column);
      const bool owns = own.rows.has(row) || own.columns.has(column);
      const bool routes = owns || own.rows.has(row - 1) || own.rows.has(row + 1);
      EXPECT_EQ(part.core[strip].placed, owns ? whole.core[strip].placed : 0);
      EXPECT_EQ(part.core_wake[strip], owns ? 0 : model::kNever);
      ASSERT_EQ(part.strip[strip].colors, routes ? whole.strip[strip].colors : 0);
      const std::int32_t here = part.strip[strip].color_state[3];
      ASSERT_EQ(here >= 0, routes);
      if (!routes) continue;
      const model::ColorState& color = part.colors[static_cast<std::size_t>(here)];
      const model::ColorState& expected =
          whole.colors[static_cast<std::size_t>(whole.strip[strip].color_state[3])];
      EXPECT_EQ(color.routed, expected.routed);
      EXPECT_EQ(color.filtered, owns ? expected.filtered : 0);
      EXPECT_EQ(color.room[0], expected.room[0]);
    }
}

TEST(OwnStrips, AreRowsAndColumns) { expect_strips({.rows = {2, 4}, .columns = {1, 3}}); }

TEST(OwnStrips, AreRowsAlone) { expect_strips({.rows = {0, 3}}); }

TEST(OwnStrips, AreColumnsWhereThereAreNoRows) { expect_strips({.columns = {4, 5}}); }

}  // namespace
}  // namespace weft::test::own_strips_test
