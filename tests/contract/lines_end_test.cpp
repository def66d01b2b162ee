// The last cycle of a run by line: lines have clocks of their own then, and any of them may be it.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "support/by_line.hpp"
#include "support/mesh.hpp"

namespace weft::test::lines_end_test {
namespace {

constexpr int kRow = 3, kColumn = 6;  // colors

Setting setting_of(Mesh&& made) {
  const auto mesh = std::make_shared<Mesh>(std::move(made));
  return {mesh->layout(), mesh->machine(), 1, true, [mesh](Fabric& fabric) { mesh->fill(fabric); }};
}

/// Links that never rest, that all do, and those along columns.
std::vector<Machine> machines() {
  std::vector<Machine> all(3, test_machine());
  all[1].link_busy_cycles = 3;
  all[2].link_busy_cycles = 2;
  all[2].die_height = 1;
  return all;
}

/// Columns of two PEs. The one to the north sends to the one to the south: in column 0 at once, in
/// the others after `later` instructions. More columns, beside these, have neither program nor
/// route.
Mesh columns(int count, int later, const Machine& machine, int more = 0) {
  Mesh mesh(count + more, 2, machine);
  Route from_north{Port::north, Port::ramp};
  from_north.input_queue = 1;
  mesh.route({0, 0, count, 1}, kColumn, {Port::ramp, Port::south});
  mesh.route({0, 1, count, 1}, kColumn, from_north);
  for (int x = 0; x < count; ++x)
    mesh.pe(x, 0).wait(x == 0 ? 0 : later).send(0, kColumn, counting(5));
  return mesh;
}

/// Whether the run is by line to its end, which is that of a run otherwise in any case.
bool ends_by_line(Mesh&& mesh) {
  const Setting setting = setting_of(std::move(mesh));
  const Ended by_line = run(setting, true);
  expect_same(by_line, run(setting, false));
  return by_line.by_line;
}

// Where a line that began earlier does something last, its bundle cannot tell, and lines have met.
TEST(LinesEnd, IsTheLastTasksOfAnyLine) {
  for (const Machine& machine : machines())
    for (const int work : {0, 100, 280, 300, 320, 2000}) {
      SCOPED_TRACE(testing::Message() << machine.link_busy_cycles << ", work " << work);
      Mesh mesh = columns(2, 300, machine);
      mesh.pe(0, 1).wait(work).catch_data(kColumn);
      mesh.pe(1, 1).catch_data(kColumn);
      EXPECT_EQ(ends_by_line(std::move(mesh)), work == 0);
    }
}

// PE (2, 1) talks to nobody: all that it does is in the phase of rows.
TEST(LinesEnd, IsThatOfATaskInAnEarlierPhase) {
  for (const int work : {0, 100, 5000}) {
    SCOPED_TRACE(testing::Message() << "work " << work);
    Mesh mesh = columns(2, 300, test_machine(), 1);
    for (const int x : {0, 1}) mesh.pe(x, 1).catch_data(kColumn);
    mesh.pe(2, 1).wait(work);
    EXPECT_EQ(ends_by_line(std::move(mesh)), work < 5000);
  }
}

// Nothing comes after it: the core takes a control wavelet that starts no task.
TEST(LinesEnd, MayBeThatOfAWaveletTakenWithoutATask) {
  ControlWavelet silent;
  for (ControlWavelet::Slot& slot : silent.slots) slot.no_core = false;
  for (const Machine& machine : machines())
    for (const int later : {0, 30, 300}) {
      SCOPED_TRACE(testing::Message() << machine.link_busy_cycles << ", later " << later);
      Mesh mesh = columns(2, later, machine);
      for (const int x : {0, 1}) {
        mesh.pe(x, 0).send_control(0, kColumn, {silent.payload()});
        mesh.pe(x, 1).catch_data(kColumn);
      }
      ends_by_line(std::move(mesh));
    }
}

// After its column, PE (0, 1) sends along its row, long before column 2 begins.
TEST(LinesEnd, IsRightAfterAPhaseMore) {
  for (const Machine& machine : machines())
    for (const int later : {30, 300, 900}) {
      SCOPED_TRACE(testing::Message() << machine.link_busy_cycles << ", later " << later);
      Mesh mesh = columns(3, later, machine);
      Route from_west{Port::west, Port::ramp};
      from_west.input_queue = 0;
      mesh.route({0, 1, 1, 1}, kRow, {Port::ramp, Port::east});
      mesh.route({1, 1, 1, 1}, kRow, from_west);
      mesh.pe(0, 1).receive(1, 5).send(1, kRow, counting(3));
      mesh.pe(1, 1).catch_data(kRow).catch_data(kColumn);
      mesh.pe(2, 1).catch_data(kColumn);
      ends_by_line(std::move(mesh));
    }
}

}  // namespace
}  // namespace weft::test::lines_end_test
