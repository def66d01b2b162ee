// The limits of stepping by line: it says so, or leaves the fabric to be stepped as always.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "support/by_line.hpp"
#include "support/effort.hpp"
#include "support/mesh.hpp"

namespace weft::test::lines_test {
namespace {

constexpr int kRow = 3, kColumn = 6;  // colors

Setting setting_of(const std::shared_ptr<Mesh>& mesh, int threads = 1) {
  return {mesh->layout(), mesh->machine(), threads, true,
          [mesh](Fabric& fabric) { mesh->fill(fabric); }};
}

Setting setting_of(Mesh&& mesh, int threads = 1) {
  return setting_of(std::make_shared<Mesh>(std::move(mesh)), threads);
}

FaultKind fault_of(const Setting& setting) {
  try {
    run(setting, false);
  } catch (const FaultError& error) {
    return error.fault().kind;
  }
  return FaultKind::none;
}

/// PE (0, `row`) sends to the east after a hundred instructions, PE (1, 0) to the south after
/// `wait`. PE (1, `row`) gets both; those between pass on.
Mesh crossing(int row, int wait) {
  Mesh mesh(2, row + 1);
  Route from_west{Port::west, Port::ramp}, from_north{Port::north, Port::ramp};
  from_west.input_queue = 0;
  from_north.input_queue = 1;
  mesh.route({0, row, 1, 1}, kRow, {Port::ramp, Port::east});
  mesh.route({1, row, 1, 1}, kRow, from_west);
  mesh.route({1, 0, 1, 1}, kColumn, {Port::ramp, Port::south});
  if (row > 1) mesh.route({1, 1, 1, row - 1}, kColumn, {Port::north, Port::south});
  mesh.route({1, row, 1, 1}, kColumn, from_north);
  mesh.pe(0, row).wait(100).send(0, kRow, counting(5));
  mesh.pe(1, 0).wait(wait).send(0, kColumn, counting(5, 100));
  mesh.pe(1, row).catch_data(kRow).catch_data(kColumn);
  return mesh;
}

TEST(Lines, RowTrafficToAPeWhoseColumnHasBegunMeetsIt) {
  EXPECT_EQ(fault_of(setting_of(crossing(1, 0))), FaultKind::none);
  expect_lines_meet(setting_of(crossing(1, 0)));
}

TEST(Lines, RowTrafficBeforeTheColumnBeginsDoesNot) {
  expect_same_by_line(setting_of(crossing(1, 300)));
}

// The rows are in two bundles: that of the last row knows nothing of the column, and goes on.
TEST(Lines, ColumnTrafficToAPeThatHadLaterRowTrafficMeetsIt) {
  EXPECT_EQ(fault_of(setting_of(crossing(64, 0), 2)), FaultKind::none);
  expect_lines_meet(setting_of(crossing(64, 0), 2));
}

TEST(Lines, ColumnTrafficToAPeThatHadEarlierRowTrafficDoesNot) {
  expect_same_by_line(setting_of(crossing(64, 300), 2));
}

// All at once: whichever comes first is in what is past for the other.
TEST(Lines, EveryMomentInBetweenMeetsOrEndsAsOtherwise) {
  int met = 0, ended = 0;
  for (int wait = 80 + first_of(5); wait < 140; wait += one_of(5))
    for (const int row : {1, 64}) {
      SCOPED_TRACE(testing::Message() << "row " << row << ", wait " << wait);
      const Setting setting = setting_of(crossing(row, wait), row == 1 ? 1 : 2);
      const Ended by_line = run(setting, true);
      expect_same(by_line, run(setting, false));
      ++(by_line.by_line ? ended : met);
    }
  EXPECT_GT(met, 0);
  EXPECT_GT(ended, 0);
}

// PE (1, 1) is in a stretch of which nobody can notice anything as its row stops for PE (1, 0): its
// next instruction may have been put off since long before its line's clock begins.
TEST(Lines, WhatWasPutOffKeepsItsTime) {
  Mesh mesh(2, 2);
  Route from_north{Port::north, Port::ramp};
  from_north.input_queue = 1;
  mesh.route({0, 0, 2, 1}, kColumn, {Port::ramp, Port::south});
  mesh.route({0, 1, 2, 1}, kColumn, from_north);
  mesh.pe(0, 0).send(0, kColumn, counting(5));
  mesh.pe(1, 0).wait(300).send(0, kColumn, counting(5, 100));
  mesh.pe(0, 1).catch_data(kColumn);
  mesh.pe(1, 1).run([](ProgramBuilder& b) {
    const MemorySpan words = b.reserve("words", 4000);
    const MemorySpan stamp = b.reserve("stamp", 4);
    for (const Dsr dsr : {Dsr{0}, Dsr{1}}) {
      b.dbase(dsr, static_cast<std::int32_t>(words.address));
      b.dlen(dsr, 1000);
      b.dstride(dsr, 1);
    }
    for (int n = 0; n < 3; ++n) b.vmov32(Dsr{0}, Dsr{1});
    b.tsc(Reg{1});
    b.sw(Reg{1}, Reg{15}, static_cast<std::int32_t>(stamp.address));
  });
  mesh.pe(1, 1).catch_data(kColumn);
  expect_same_by_line(setting_of(std::move(mesh)));
}

Mesh loading(std::int32_t address) {
  Mesh mesh(2);
  mesh.line(kRow);
  mesh.pe(0).send(0, kRow, {1});
  mesh.pe(1).receive(0, 1).run([=](ProgramBuilder& b) { b.lw(Reg{1}, Reg{15}, address); });
  return mesh;
}

TEST(Lines, AFaultIsForAFabricThatIsSteppedOtherwise) {
  const Setting setting = setting_of(loading(1 << 20));
  EXPECT_EQ(fault_of(setting), FaultKind::memory_out_of_range);
  expect_lines_meet(setting);
}

// The core of PE 3 takes nothing: what its filter lets through fills the ramp, and is stuck then.
TEST(Lines, ADeadlockIsFoundAtOnce) {
  Mesh mesh(6);
  mesh.line(kRow).filter({1, 0, 5, 1}, kRow, {.counter = 1, .limit1 = 3, .max_counter = 0});
  mesh.pe(0).send(0, kRow, counting(60));
  for (const int x : {1, 2, 4, 5}) mesh.pe(x).catch_data(kRow);
  Setting setting = setting_of(std::move(mesh));
  setting.limit = std::uint64_t{1} << 60U;
  expect_lines_meet(setting);
}

// Only what programs have arrays in is copied.
TEST(Lines, MemoryThatNoProgramReservesIsToo) {
  const Setting setting = setting_of(loading(40000));
  EXPECT_EQ(fault_of(setting), FaultKind::none);
  expect_lines_meet(setting);
}

/// Each line of two PEs, `across` of them side by side, sends words from address 0 on.
Layout streams_from_zero(int across, bool rows) {
  const int color = rows ? kRow : kColumn;
  ProgramBuilder sends("sends"), takes("takes");
  sends.start(sends.local_task(0));
  sends.dbase(Dsr{1}, 0);
  sends.dlen(Dsr{1}, 5);
  sends.dstride(Dsr{1}, 1);
  sends.dfabout(Dsr{0}, 0, color);
  sends.vmov32(Dsr{0}, Dsr{1});
  sends.end();
  takes.data_task(color);
  takes.end();
  Layout layout(rows ? 2 : across, rows ? across : 2);
  const auto place = [&](int n) { return rows ? Rect{n, 0, 1, across} : Rect{0, n, across, 1}; };
  int n = 0;
  for (Program program : {sends.build(), takes.build()}) {
    program.memory_bytes = 0;
    layout.place(place(n++), layout.add(std::move(program)));
  }
  Route last{rows ? Port::west : Port::north, Port::ramp};
  last.input_queue = 0;
  layout.route(place(0), color, {Port::ramp, rows ? Port::east : Port::south});
  layout.route(place(1), color, last);
  return layout;
}

// No program says that it takes memory, so nothing is copied.
TEST(Lines, SoAreWordsOfAStreamWhereNoneIsTaken) {
  for (const bool rows : {true, false})
    expect_lines_meet({streams_from_zero(20, rows), test_machine()});
}

TEST(Lines, SoIsTheCycleLimit) {
  Setting setting = setting_of(loading(0));
  expect_same_by_line(setting);
  setting.limit = 20;
  EXPECT_EQ(fault_of(setting), FaultKind::cycle_limit);
  expect_lines_meet(setting);
}

// A wavelet stays at an input that never opens.
Mesh stuck() {
  Mesh mesh(2, 2);
  Route closed{Port::ramp, Port::ramp};
  closed.positions = {SwitchPosition::receive(Port::west)};
  closed.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kRow, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, kRow, closed);
  mesh.pe(0).send(0, kRow, {1});
  mesh.pe(1).catch_data(kRow);
  return mesh;
}

TEST(Lines, SoIsADeadlockInARouter) {
  EXPECT_EQ(fault_of(setting_of(stuck())), FaultKind::deadlock);
  expect_lines_meet(setting_of(stuck()));
}

/// A wavelet of a color that its own router does not have.
Mesh without_route() {
  Mesh mesh(2, 2);
  mesh.line(kRow);
  mesh.route({0, 1, 1, 1}, kColumn, {Port::ramp, Port::north});
  mesh.pe(0).send(0, kRow, {1}).send(1, kColumn, {2});
  mesh.pe(1).catch_data(kRow);
  return mesh;
}

/// Nobody sends what a core waits for.
Mesh in_vain() {
  Mesh mesh(2, 2);
  mesh.line(kRow);
  mesh.pe(0).send(0, kRow, {1});
  mesh.pe(1).receive(0, 2);
  return mesh;
}

/// The exception of a run that ends in a fault.
std::string report_of(const Setting& setting, bool by_line) {
  try {
    run(setting, by_line);
  } catch (const FaultError& error) {
    return error.what();
  }
  return "";
}

// Here nothing keeps the run from ending; then it must tell the same.
TEST(Lines, ADeadlockInACoreIsTheSame) {
  for (Mesh (*mesh)() : {&without_route, &in_vain}) {
    const Setting setting = setting_of(mesh());
    ASSERT_TRUE(has_lines(setting));
    EXPECT_EQ(fault_of(setting), FaultKind::deadlock);
    EXPECT_EQ(report_of(setting, true), report_of(setting, false));
  }
}

// Not stepped by line at all.

struct Layouts {
  std::string name;
  std::function<Mesh()> mesh;
};

Mesh bend() {
  Mesh mesh(2, 2);
  Route last{Port::north, Port::ramp};
  last.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kRow, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, kRow, {Port::west, Port::south});
  mesh.route({1, 1, 1, 1}, kRow, last);
  mesh.pe(0).send(0, kRow, counting(5));
  mesh.pe(1, 1).catch_data(kRow);
  return mesh;
}

/// One position of a switch leads along the row, another along the column.
Mesh switched() {
  Mesh mesh(2, 2);
  Route first{Port::ramp, Port::east}, east{Port::west, Port::ramp}, south{Port::north, Port::ramp};
  first.positions = {SwitchPosition::send(Port::south)};
  east.input_queue = south.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kRow, first);
  mesh.route({1, 0, 1, 1}, kRow, east);
  mesh.route({0, 1, 1, 1}, kRow, south);
  mesh.pe(0)
      .send(0, kRow, counting(3))
      .wait(30)
      .run([](ProgramBuilder& b) {
        b.li(Reg{1}, 1);
        b.setpos(kRow, Reg{1});
      })
      .send(0, kRow, counting(3, 10));
  mesh.pe(1).catch_data(kRow);
  mesh.pe(0, 1).catch_data(kRow);
  return mesh;
}

Mesh swaps() {
  Mesh mesh(2);
  Route route{Port::west, Port::ramp};
  route.input_queue = 0;
  route.swap_east_west = true;
  mesh.route({0, 0, 1, 1}, 4, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 4, route);
  route.input_queue = 1;
  mesh.route({1, 0, 1, 1}, 5, route);
  mesh.pe(0).send(0, 4, counting(5));
  mesh.pe(1).catch_data(5);
  return mesh;
}

Mesh fifos() {
  Mesh mesh(2);
  mesh.line(kRow);
  mesh.pe(0).send(0, kRow, counting(4));
  mesh.pe(1).receive(0, 4).wait(50).run([](ProgramBuilder& b) {
    const FifoId fifo = b.fifo("fifo", 4);
    b.dbase(Dsr{1}, 0);
    b.dstride(Dsr{1}, 1);
    b.dlen(Dsr{1}, 3);
    b.dfifo(Dsr{2}, fifo);
    b.vmov32(Dsr{2}, Dsr{1});
    b.fifolen(Reg{1}, fifo);
    b.sw(Reg{1}, Reg{15}, 0);
  });
  return mesh;
}

Mesh routes_set() {
  Mesh mesh(2);
  mesh.line(kRow);
  mesh.pe(0)
      .run([](ProgramBuilder& b) {
        b.li(Reg{1}, 1 << 1 | 1 << 9);  // from the ramp to the east, as it is
        b.setroute(kRow, Reg{1});
      })
      .send(0, kRow, counting(4));
  mesh.pe(1).catch_data(kRow);
  return mesh;
}

Mesh switches_set() {
  Mesh mesh(2);
  mesh.line(kRow);
  mesh.pe(0)
      .run([](ProgramBuilder& b) {
        b.li(Reg{1}, 0xccc);  // input from the ramp at each position
        b.setswitch(kRow, Reg{1});
      })
      .send(0, kRow, counting(4));
  mesh.pe(1).catch_data(kRow);
  return mesh;
}

Mesh crowds(int die_width) {
  Machine machine = test_machine();
  machine.link_busy_cycles = 2;
  machine.crowd_wavelets = 1;
  machine.die_width = die_width;
  Mesh mesh(2, 1, machine);
  mesh.line(kRow);
  mesh.pe(0).send(0, kRow, counting(9));
  mesh.pe(1).catch_data(kRow);
  return mesh;
}

TEST(Lines, NoCrowdMattersOnOneDie) { expect_same_by_line(setting_of(crowds(2))); }

class NotByLine : public testing::TestWithParam<Layouts> {};

TEST_P(NotByLine, EndsAsOtherwise) {
  const Setting setting = setting_of(GetParam().mesh());
  EXPECT_FALSE(has_lines(setting));
  const Ended otherwise = run(setting, false), by_line = run(setting, true);
  EXPECT_GT(otherwise.counters.delivered, 0U);
  EXPECT_FALSE(by_line.by_line);
  expect_same(by_line, otherwise);
}

INSTANTIATE_TEST_SUITE_P(All, NotByLine,
                         testing::Values(Layouts{"Bend", bend}, Layouts{"Switched", switched},
                                         Layouts{"Swaps", swaps}, Layouts{"Fifos", fifos},
                                         Layouts{"RoutesSet", routes_set},
                                         Layouts{"SwitchesSet", switches_set},
                                         Layouts{"Crowds", [] { return crowds(1); }}),
                         [](const auto& layouts) { return layouts.param.name; });

}  // namespace
}  // namespace weft::test::lines_test
