// The longest way of an explanation has the cycles of its links: those of a hop, and more of far
// ones.
#include <gtest/gtest.h>

#include <cstdint>

#include "support/mesh.hpp"
#include "weft/design.hpp"
#include "weft/explanation.hpp"
#include "weft/fabric.hpp"
#include "weft/patterns.hpp"

namespace weft::test::longest_way_test {
namespace {

/// Of a number that the first of so many PEs sends along a row or a column.
std::uint64_t way_along(Along along, int pes, const Machine& machine) {
  const bool rows = along == Along::rows;
  Design d(rows ? pes : 1, rows ? 1 : pes);
  const Broadcast send(d, d.all(), along, 0);
  d.program(d.all(), "send", [&](PeProgram& pe) { send.broadcast(pe, pe.array<float>("v", 1)); });
  FabricOptions options;
  options.observe.counts = true;
  Fabric fabric = d.fabric(machine, options);
  fabric.run_until_idle(100'000);
  return explain(fabric.profile()).phases.front().way;
}

TEST(LongestWay, HasTheCyclesOfItsHops) {
  Machine m = test_machine();
  for (const int hop : {1, 2}) {
    m.hop_cycles = hop;
    EXPECT_EQ(way_along(Along::rows, 8, m), 7U * static_cast<unsigned>(hop));
  }
}

TEST(LongestWay, HasMoreForEachFarLinkOnIt) {
  Machine m = test_machine();
  m.die_link_cycles = 100;
  m.die_width = 3;
  EXPECT_EQ(way_along(Along::rows, 8, m), 7U + 2 * 100);
  EXPECT_EQ(way_along(Along::columns, 8, m), 7U) << "dies end along rows alone";
  m.die_height = 2;
  EXPECT_EQ(way_along(Along::columns, 8, m), 7U + 3 * 100);
  m.die_width = m.die_height = 0;
  EXPECT_EQ(way_along(Along::rows, 8, m), 7U + 7 * 100) << "all links are far";
}

}  // namespace
}  // namespace weft::test::longest_way_test
