// The same program, placed more than once, is kept once.
#include <gtest/gtest.h>

#include "fabric/state.hpp"
#include "support/mesh.hpp"

namespace weft::test {
namespace {

Program program(int value) {
  ProgramBuilder b("p");
  b.start(b.local_task(0));
  b.li(Reg{1}, value);
  b.end();
  return b.build();
}

TEST(PlacePrograms, KeepsEqualProgramsOnce) {
  Layout layout(80, 1);
  for (int x = 0; x < 80; ++x) layout.place({x, 0, 1, 1}, program(x % 3));
  const fabric::State state = fabric::build(layout, Machine{});
  EXPECT_EQ(state.programs.size(), 3U);
  EXPECT_EQ(state.code.size(), 6U);
  for (int x = 0; x < 80; ++x)
    EXPECT_EQ(state.core[static_cast<std::size_t>(x / model::kLanes)].program[x % model::kLanes],
              x % 3)
        << x;
}

}  // namespace
}  // namespace weft::test
