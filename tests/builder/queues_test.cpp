#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>

#include "expect_error.hpp"
#include "pattern_case.hpp"

/// Queues are chosen when the program has ended, so that what may run together has microthreads of
/// its own.
namespace weft::test::queues_test {
namespace {

using Use = std::function<void(PeProgram&)>;

/// One program with these patterns in each order; `expected` checks each run.
template <std::size_t kUses>
void check_all_orders(const std::function<std::array<Use, kUses>(Design&)>& make,
                      const std::function<void(const Fabric&)>& expected) {
  std::array<std::size_t, kUses> order{};
  std::iota(order.begin(), order.end(), 0U);
  do {
    Design d(4, 4);
    const std::array<Use, kUses> uses = make(d);
    d.program(d.all(), "all", [&](PeProgram& pe) {
      for (const std::size_t k : order) uses[k](pe);
    });
    expected(run(d));
  } while (std::next_permutation(order.begin(), order.end()));
}

// All queues from the router and all to it: 4 and 4 of the halo, 4 and 2 of the others.
TEST(Queues, OfPatternsInAnyOrder) {
  check_all_orders<3>(
      [](Design& d) {
        const HaloExchange halo(d, d.all(), HaloExchange::Corners::all);
        const AllReduce rows(d, d.all(), Along::rows), columns(d, d.all(), Along::columns);
        const auto sum = [](const AllReduce& all, const char* name) {
          return [=](PeProgram& pe) {
            const PeVector v = pe.array<float>(name, 2);
            pe.fill(v, 1);
            all.reduce(pe, v, ReduceOperation::sum);
          };
        };
        return std::array<Use, 3>{sum(rows, "r"), sum(columns, "c"), [=](PeProgram& pe) {
                                    const PeVector u = pe.array<float>("u", {3, 3});
                                    pe.fill(u.block(1, 1, 1, 1), 1);
                                    halo.exchange(pe, u);
                                  }};
      },
      [](const Fabric& f) {
        EXPECT_EQ(f.read<float>({0, 0, 4, 4}, "r"), std::vector<float>(32, 4));
        EXPECT_EQ(f.read<float>({0, 0, 4, 4}, "c"), std::vector<float>(32, 4));
        EXPECT_EQ(f.read<float>({1, 1, 1, 1}, "u"), std::vector<float>(9, 1));
      });
}

TEST(Queues, OfPatternsInLoops) {
  check_all_orders<4>(
      [](Design& d) {
        const NeighborShift shift(d, d.all(), Port::east);
        const RingShift ring(d, d.all(), Along::columns);
        const AllToAll all(d, d.all(), Along::rows);
        const Gather gather(d, d.all(), Along::columns);
        const auto in_a_loop = [](const char* out, const char* in, int n, int m, const auto& use) {
          return [=](PeProgram& pe) {
            const PeVector u = own_numbers(pe, out, n), v = pe.array<std::int32_t>(in, m);
            pe.repeat(2, [&] { use(pe, u, v); });
          };
        };
        return std::array<Use, 4>{
            in_a_loop("a", "b", 3, 3, [=](auto& pe, auto u, auto v) { shift.shift(pe, u, v); }),
            in_a_loop("c", "d", 3, 3, [=](auto& pe, auto u, auto v) { ring.shift(pe, u, v); }),
            in_a_loop("e", "f", 4, 4, [=](auto& pe, auto u, auto v) { all.exchange(pe, u, v); }),
            in_a_loop("g", "h", 1, 4, [=](auto& pe, auto u, auto v) { gather.gather(pe, u, v); })};
      },
      [](const Fabric& f) {
        expect_elements(f, {1, 0, 3, 4}, "b", 3,
                        [](int x, int y, int i) { return own(x - 1, y, i); });
        expect_elements(f, {0, 0, 4, 4}, "f", 4, [](int x, int y, int i) { return own(i, y, x); });
        expect_elements(f, {0, 0, 4, 1}, "h", 4, [](int x, int, int i) { return own(x, i, 0); });
      });
}

/// The queues that descriptors are set to: from the router, and to it.
std::array<std::vector<int>, 2> queues_of(PeProgram& pe) {
  std::array<std::vector<int>, 2> queues;
  for (const Instruction& i : pe.build().code) {
    if (i.op == Op::dfabin) queues[0].push_back(i.a);
    if (i.op == Op::dfabout) queues[1].push_back(i.a);
  }
  return queues;
}

/// Colors that the core takes one after the other.
void take_in_turn(PeProgram& pe, const PeVector& v, int first, int count) {
  for (int c = first; c < first + count; ++c) pe.receive(v, {c});
}

// Nine operations with streams, of which two run together: the last two, which came too late for a
// microthread of their own.
TEST(Queues, KeepApartWhatComesLast) {
  PeProgram pe("p");
  const PeVector v = pe.array<float>("v", 2), w = pe.array<float>("w", 2);
  take_in_turn(pe, v, 0, 7);
  PeOperation send = pe.send({10}, w), receive = pe.receive(v, {11});
  pe.wait({send, receive});
  const auto queues = queues_of(pe);
  EXPECT_NE(queues[0].back(), queues[1].back());
}

// The first choice stays where nothing runs together: its queues are the deepest ones.
TEST(Queues, StayWhereNothingOverlaps) {
  PeProgram pe("p");
  const PeVector v = pe.array<float>("v", 2);
  take_in_turn(pe, v, 0, 8);
  pe.send({10}, v);
  pe.wait({pe.send({11}, v)});
  EXPECT_EQ(queues_of(pe)[0], (std::vector<int>{0, 1, 2, 3, 6, 7, 4, 5}));
  EXPECT_EQ(queues_of(pe)[1], (std::vector<int>{3, 2}));
}

// One after the other by tasks: the end of each starts the next.
TEST(Queues, StayWhereEachOperationStartsTheNext) {
  PeProgram pe("p");
  const PeVector v = pe.array<float>("v", 2);
  Task next = pe.task("last", [] {});
  for (int c = 6; c > 0; --c)
    next = pe.task("t" + std::to_string(c), [&, next] { pe.receive(v, {c}).then_activate(next); });
  next = pe.task("t", [&, next] { pe.receive(v, {7}).then_activate(next); });
  next = pe.task("s", [&, next] { pe.receive(v, {8}).then_activate(next); });
  pe.send({10}, v).then_activate(next);
  EXPECT_EQ(queues_of(pe)[0].size(), 8U);
  EXPECT_EQ(queues_of(pe)[1], (std::vector<int>{3}));
}

// A task that wavelets start may come at any time.
TEST(Queues, OfTasksAreKeptApart) {
  PeProgram pe("p");
  const PeVector v = pe.array<float>("v", 2), w = pe.array<float>("w", 2);
  take_in_turn(pe, v, 0, 6);
  pe.on_data<float>({20}, [&](PeScalar) { pe.send({10}, w).async(); });
  PeOperation receive = pe.receive(v, {7});
  pe.wait({receive});
  const auto queues = queues_of(pe);
  EXPECT_NE(queues[0].back(), queues[1].back());
}

TEST(Queues, OfTheUserStay) {
  PeProgram pe("p");
  const PeVector v = pe.array<float>("v", 2), w = pe.array<float>("w", 2);
  pe.input_queue({0}, 3);
  pe.output_queue({10}, 4);
  PeOperation send = pe.send({10}, w), receive = pe.receive(v, {0});
  pe.wait({send, receive});
  take_in_turn(pe, v, 1, 6);
  PeOperation other = pe.send({11}, w), last = pe.receive(v, {7});
  pe.wait({other, last});
  const auto queues = queues_of(pe);
  EXPECT_NE(std::ranges::find(queues[0], 3), queues[0].end());
  EXPECT_EQ(queues[1].front(), 4);
  EXPECT_NE(queues[0].back(), queues[1].back());
}

TEST(Queues, TooFewForWhatRunsTogether) {
  Design d(5, 5);
  std::vector<NeighborShift> shifts;
  for (int k = 0; k < 5; ++k)
    shifts.emplace_back(d, d.all(), k % 2 == 0 ? Port::east : Port::north,
                        "way " + std::to_string(k));
  const auto program = [&](PeProgram& pe, bool together) {
    std::vector<PeOperation> all;
    for (std::size_t k = 0; k < shifts.size(); ++k) {
      const std::string number = std::to_string(k);
      const PeVector out = pe.array<float>("out" + number, 2),
                     in = pe.array<float>("in" + number, 2);
      for (const PeOperation& o : shifts[k].start(pe, out, in)) all.push_back(o);
      if (!together) pe.wait(std::exchange(all, {}));
    }
    pe.wait(all);
  };
  expect_error(
      ErrorCategory::program,
      [&] { d.program(d.all(), "p", [&](PeProgram& pe) { program(pe, true); }); },
      "(way 4) cannot run at the same time");
  EXPECT_NO_THROW(d.program(d.all(), "p", [&](PeProgram& pe) { program(pe, false); }));
  (void)run(d);
}

// Eight inputs and an output share eight microthreads: the output shares one with an input that the
// core takes before or after it, not with the one that runs beside it.
TEST(Queues, KeepApartWhatTheCoreTakesMeanwhile) {
  PeProgram pe("p");
  const PeVector v = pe.array<float>("v", 2), w = pe.array<float>("w", 2);
  take_in_turn(pe, v, 0, 7);
  PeOperation send = pe.send({10}, w);
  send.async();
  pe.receive(v, {7});
  pe.wait({send});
  const auto queues = queues_of(pe);
  EXPECT_NE(queues[0].back(), queues[1].back());
}

TEST(Queues, ErrorsNameTheColors) {
  Design d(1, 1);
  std::vector<Color> colors;
  for (int c = 0; c < 9; ++c) colors.push_back(d.color("part " + std::to_string(c)));
  expect_error(
      ErrorCategory::program,
      [&] {
        d.program(d.all(), "p", [&](PeProgram& pe) {
          const PeVector v = pe.array<float>("v", 2);
          for (const Color color : colors) pe.receive(v, color);
        });
      },
      "no input queue is left for color 8 (part 8)");
}

// A push may start the task too, before the receive has ended.
TEST(Queues, OfTasksThatFifosStartAreKeptApart) {
  for (const bool by_push : {false, true}) {
    PeProgram pe("p");
    const PeVector v = pe.array<float>("v", 2), w = pe.array<float>("w", 2);
    take_in_turn(pe, v, 0, 8);
    const Task task = pe.declare_task("sends");
    const PeFifo fifo = by_push ? pe.fifo("f", 4, 4, task) : pe.fifo("f", 4);
    pe.task(task, [&] { pe.send({10}, w).async(); });
    pe.receive(v, {3}).then_activate(task);
    const auto queues = queues_of(pe);
    EXPECT_EQ(queues[0][3] == queues[1][0], !by_push);
  }
}

}  // namespace
}  // namespace weft::test::queues_test
