// Of several faults the first is reported: lowest (cycle, row, column); of one PE and cycle the one
// whose kind comes first in FaultKind, whichever part of the PE it is in.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <utility>

#include "support/expect_fault.hpp"

namespace weft::test::fault_order_test {
namespace {

constexpr int kColor = 5;
constexpr Reg r1{1}, r2{2}, kZero{15};
constexpr Dsr d0{0}, d1{1}, d2{2}, d3{3};

/// Cycle in which a PE's first own instruction is issued (after the helper's), and in which a send
/// that comes first puts out its first element. That one may be tapped in a neighbour four later.
constexpr std::uint64_t kFirst = 11 + 3, kSent = kFirst + 5 * 3 + 4;
constexpr std::uint64_t kMeet = kSent + 5, kChange = kSent + 5;

using Code = std::function<void(ProgramBuilder&)>;

/// Instructions that fault when they are issued, by the order of their kinds.
void out_of_range(ProgramBuilder& b) { b.sw(r2, kZero, 49152); }
void misaligned(ProgramBuilder& b) { b.sw(r2, kZero, 6); }
void off_the_program(ProgramBuilder& b) { b.ret(r1); }

/// `code` once r1 is -1 and the core has waited until this cycle.
Code in_cycle(std::uint64_t cycle, const Code& code) {
  return [=](ProgramBuilder& b) {
    EXPECT_EQ((cycle - kFirst) % 3, 0U) << "no instruction is issued in this cycle";
    b.li(r1, -1);
    for (std::uint64_t n = kFirst + 3; n < cycle; n += 3) b.mov(r2, r2);
    code(b);
  };
}

/// PE 1 hears color 1 from the west and color 2 from the east, both by input queue 3, and takes
/// neither: in cycle kChange the second enters while the first is in it.
Mesh changed_color(const Code& code) {
  Mesh mesh(3);
  Route west{Port::west, Port::ramp}, east{Port::east, Port::ramp};
  west.input_queue = east.input_queue = 3;
  mesh.route({0, 0, 1, 1}, 1, {Port::ramp, Port::east}).route({1, 0, 1, 1}, 1, west);
  mesh.route({2, 0, 1, 1}, 2, {Port::ramp, Port::west}).route({1, 0, 1, 1}, 2, east);
  mesh.pe(0).send(0, 1, {10});
  mesh.pe(1).run(code);
  mesh.pe(2).send(0, 2, {20});
  return mesh;
}

/// PE 1 hears one color from both sides: in cycle kMeet two wavelets meet there, a cycle later than
/// links of one cycle would bring them.
Mesh collision(const Code& code) {
  Machine machine = test_machine();
  machine.hop_cycles = 2;
  Mesh mesh(3, 1, machine);
  Route both{{Port::west, Port::east}, Port::ramp};
  both.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east}).route({1, 0, 1, 1}, kColor, both);
  mesh.route({2, 0, 1, 1}, kColor, {Port::ramp, Port::west});
  mesh.pe(0).send(0, kColor, {1});
  mesh.pe(1).run(code);
  mesh.pe(2).send(0, kColor, {2});
  return mesh;
}

TEST(FaultOrder, OfARouterAndItsCoreTheLowerKind) {
  Mesh higher = changed_color(in_cycle(kChange, off_the_program));
  expect_fault(higher, {FaultKind::queue_color_changed, kChange, 1, 0, 2, 3}, {});
  Mesh lower = changed_color(in_cycle(kChange, misaligned));
  expect_fault(lower, {FaultKind::memory_misaligned, kChange, 1, 0, -1, 6}, {});
  Mesh lowest = collision(in_cycle(kMeet, out_of_range));
  expect_fault(lowest, {FaultKind::input_collision, kMeet, 1, 0, kColor}, {});
}

TEST(FaultOrder, AnEarlierCycleBeatsALowerKind) {
  Mesh core = changed_color(in_cycle(kChange - 3, off_the_program));
  expect_fault(core, {FaultKind::ran_off_program, kChange - 3, 1, 0, -1}, {});
  Mesh router = changed_color(in_cycle(kChange + 3, misaligned));
  expect_fault(router, {FaultKind::queue_color_changed, kChange, 1, 0, 2, 3}, {});
}

TEST(FaultOrder, OfTwoMicrothreadsTheLowerKind) {
  // The second instruction comes three cycles after the first, whose fourth element is past the
  // memory; its own first is misaligned. Microthreads are named by their output queues.
  Machine machine = test_machine();
  machine.output_queue_0_1_depth = machine.output_queue_2_3_depth = 6;
  for (const auto& [first, second] : {std::pair{0, 2}, std::pair{2, 0}}) {
    Mesh mesh(1, 1, machine);
    mesh.pe(0).run([first = first, second = second](ProgramBuilder& b) {
      b.dbase(d0, 49152 - 12);
      b.dlen(d0, 4);
      b.dstride(d0, 1);
      b.dfabout(d1, first, kColor);
      b.dbase(d2, 6);
      b.dlen(d2, 1);
      b.dfabout(d3, second, kColor);
      b.vmov32(d1, d0, {true});
      b.vmov32(d3, d2, {true});
    });
    expect_fault(mesh, {FaultKind::memory_out_of_range, kFirst + 8 * 3 + 4, 0, 0, -1, 49152}, {});
  }
}

/// An addition whose operands in memory are past its end, the first source four bytes farther than
/// the destination, the second eight. `received`: the source that comes by the fabric instead.
Code adds(std::optional<int> received) {
  return [=](ProgramBuilder& b) {
    const Dsr operands[] = {d0, d1, d2};
    for (int k = 0; k < 3; ++k) {
      if (k == received)
        b.dfabin(operands[k], 3);
      else
        b.dbase(operands[k], 49152 + 4 * k);
      b.dlen(operands[k], 1);
    }
    b.vadd32(d0, d1, d2);
  };
}

TEST(FaultOrder, OfBadAddressesTheDestinationsThenTheSourcesInOrder) {
  constexpr std::uint64_t kSetUp = kFirst + 20 * 3, kIssue = kSetUp + 6 * 3;
  Route in{Port::west, Port::ramp};
  in.input_queue = 3;
  for (const auto received : {std::optional<int>(), std::optional(1), std::optional(2)}) {
    Mesh mesh(2);
    mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east}).route({1, 0, 1, 1}, kColor, in);
    mesh.pe(0).send(0, kColor, {1});
    mesh.pe(1).run(in_cycle(kSetUp, adds(received)));
    const std::uint64_t cycle = received ? kIssue + first_element(test_machine()) : kIssue;
    expect_fault(mesh, {FaultKind::memory_out_of_range, cycle, 1, 0, -1, 49152}, {});
  }
  // To the fabric: the first source's.
  Mesh mesh(1);
  Route back{Port::ramp, Port::ramp};
  back.input_queue = 3;
  mesh.route({0, 0, 1, 1}, kColor, back);
  mesh.pe(0).run(in_cycle(kSetUp, [](ProgramBuilder& b) {
    b.dfabout(d0, 0, kColor);
    for (const auto& [operand, address] : {std::pair{d1, 49156}, std::pair{d2, 49160}}) {
      b.dbase(operand, address);
      b.dlen(operand, 1);
    }
    b.vadd32(d0, d1, d2);
  }));
  const std::uint64_t cycle = kSetUp + 5 * 3 + first_element(test_machine());
  expect_fault(mesh, {FaultKind::memory_out_of_range, cycle, 0, 0, -1, 49156}, {});
}

TEST(FaultOrder, ALowerPlaceBeatsALowerKind) {
  const auto first_of = [](int first, int x, int y) {
    Mesh mesh(20, 5);
    mesh.pe(first, 0).run(in_cycle(kFirst + 9, off_the_program));
    mesh.pe(x, y).run(in_cycle(kFirst + 9, out_of_range));
    expect_fault(mesh, {FaultKind::ran_off_program, kFirst + 9, first, 0, -1}, {});
  };
  const std::pair<int, int> later[] = {{2, 0}, {0, 1}, {1, 1}};
  for (const auto& [x, y] : later) first_of(1, x, y);
  // Strips are 16 x 4 PEs: one more to the west has lower places and higher ones.
  const std::pair<int, int> elsewhere[] = {{3, 1}, {16, 1}, {0, 4}};
  for (const auto& [x, y] : elsewhere) first_of(19, x, y);
}

}  // namespace
}  // namespace weft::test::fault_order_test
