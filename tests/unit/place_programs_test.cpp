// The same program, placed more than once, is kept once.
#include <gtest/gtest.h>

#include "fabric/build/state.hpp"
#include "support/mesh.hpp"

namespace weft::test::place_programs_test {
namespace {

Program program(int value) {
  ProgramBuilder b("p");
  b.start(b.local_task(0));
  b.li(Reg{1}, value);
  b.end();
  return b.build();
}

TEST(PlacePrograms, KeepsEqualProgramsOnce) {
  Layout layout(20, 5);
  const auto number = [](int x, int y) { return (x + y) % 3; };
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 20; ++x) layout.place({x, y, 1, 1}, program(number(x, y)));
  const fabric::State state = fabric::build(layout, Machine{});
  EXPECT_EQ(state.programs.size(), 3U);
  EXPECT_EQ(state.code.size(), 6U);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 20; ++x) {
      const model::LaneAddress address = model::address_of(state.strips, x, y);
      EXPECT_EQ(state.core[static_cast<std::size_t>(address.strip)].program[address.lane],
                number(x, y))
          << x << ", " << y;
    }
}

}  // namespace
}  // namespace weft::test::place_programs_test
