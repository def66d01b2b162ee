#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

/// Tasks that name themselves or later ones, that pause, and that have priorities.
namespace weft::test::named_tasks_test {
namespace {

void expect_refused(const std::function<void(PeProgram&)>& program, const std::string& message) {
  expect_error(
      ErrorCategory::program, [&] { (void)one_pe(program); }, message);
}

/// A program that notes which parts run, in order.
struct Notes {
  explicit Notes(PeProgram& program)
      : pe(program),
        seen(program.array<std::int32_t>("seen", 32)),
        at(program.scalar<std::int32_t>("at")),
        what(program.scalar<std::int32_t>("what")) {}
  void note(int number) const {
    pe.set(what, number);
    pe.store(seen.at(0).moved_by_bytes(at), what);
    pe.add(at, at, 4);
  }
  PeProgram& pe;
  PeVector seen;
  PeScalar at, what;
};

struct Seen {
  std::vector<int> order;
  std::uint64_t cycles;
};

Seen run_notes(const std::function<void(const Notes&)>& program) {
  const Fabric f = run(one_pe([&](PeProgram& pe) { program(Notes(pe)); }));
  Seen seen{{}, f.cycle()};
  for (const std::int32_t n : f.read<std::int32_t>({}, "seen"))
    if (n != 0) seen.order.push_back(n);
  return seen;
}

TEST(Tasks, ActivateThemselves) {
  const auto cycles = [](int times, bool by_name) {
    const Seen seen = run_notes([&](const Notes& n) {
      PeProgram& pe = n.pe;
      const PeScalar left = pe.scalar<std::int32_t>("left");
      pe.set(left, times);
      const auto body = [&](Task self) {
        n.note(7);
        pe.sub(left, left, pe.constant(1, ElementType::i32));
        pe.when(left > 0, [&] { pe.activate(self); });
      };
      if (by_name) {
        pe.activate(pe.task("again", body));
        return;
      }
      const Task again = pe.declare_task("again");
      pe.activate(again);
      pe.task(again, [&] { body(again); });
    });
    EXPECT_EQ(seen.order, std::vector<int>(static_cast<std::size_t>(times), 7));
    return seen.cycles;
  };
  EXPECT_EQ(cycles(5, true), cycles(5, false));
  EXPECT_EQ(cycles(6, true) - cycles(5, true), 30U);  // the start of a task, and 7 instructions
}

TEST(Tasks, ActivateEachOther) {
  const Seen seen = run_notes([](const Notes& n) {
    PeProgram& pe = n.pe;
    const Task ping = pe.declare_task("ping"), pong = pe.declare_task("pong", 9);
    pe.activate(ping);
    pe.task(ping, [&] {
      n.note(1);
      pe.activate(pong);
    });
    pe.task(pong, [&] {
      n.note(2);
      pe.when(n.at < 24, [&] { pe.activate(ping); });
    });
  });
  EXPECT_EQ(seen.order, (std::vector<int>{1, 2, 1, 2, 1, 2}));
}

TEST(Tasks, ThatAreDeclaredHaveCodeOnce) {
  expect_refused([](PeProgram& pe) { pe.activate(pe.declare_task("ring")); },
                 "the task ring has no code");
  expect_refused(
      [](PeProgram& pe) {
        const Task ring = pe.declare_task("ring");
        pe.task(ring, [] {});
        pe.task(ring, [] {});
      },
      "the task ring is given code twice");
  expect_refused([](PeProgram& pe) { pe.task(pe.task("known", [] {}), [] {}); },
                 "local task 1 is given code, and was not declared");
  expect_refused(
      [](PeProgram& pe) {
        pe.declare_task("one", 5);
        pe.declare_task("other", 5);
      },
      "local task 5 is not free for other (one has it)");
}

// Others run in between; the code below goes on with the registers as they are.
TEST(Pause, LetsOthersRunInBetween) {
  const auto program = [](bool pauses) {
    return [=](const Notes& n) {
      const Task other = n.pe.task("other", [&] { n.note(9); });
      n.note(1);
      n.pe.activate(other);
      if (pauses) n.pe.pause();
      n.note(2);
    };
  };
  const Seen with = run_notes(program(true)), without = run_notes(program(false));
  EXPECT_EQ(with.order, (std::vector<int>{1, 9, 2}));
  EXPECT_EQ(without.order, (std::vector<int>{1, 2, 9}));
  EXPECT_EQ(with.cycles - without.cycles, 15U);  // activate, end, and the start of a task
}

TEST(Pause, StandsInLoopsAndBesideWaits) {
  const Seen seen = run_notes([](const Notes& n) {
    PeProgram& pe = n.pe;
    const Task other = pe.task("other", [&] { n.note(9); });
    pe.repeat(3, [&] {
      pe.activate(other);
      n.note(1);
      pe.pause();
    });
    n.note(2);
  });
  EXPECT_EQ(seen.order, (std::vector<int>{1, 9, 1, 9, 1, 9, 2}));
}

// As many as there are local tasks.
TEST(Pause, TakesALocalTask) {
  const auto pauses = [](int count) {
    return [=](PeProgram& pe) {
      for (int n = 0; n < count; ++n) pe.pause();
    };
  };
  EXPECT_NO_THROW((void)run(one_pe(pauses(29))));
  expect_refused(pauses(30), "no local task is left for the code below a pause");
}

// By number, unless the priority says otherwise.
TEST(Priority, ComesBeforeTheNumber) {
  for (const TaskPriority last : {TaskPriority::low, TaskPriority::high}) {
    const Seen seen = run_notes([&](const Notes& n) {
      PeProgram& pe = n.pe;
      const Task three = pe.task(
          "three", [&] { n.note(3); }, 3);
      const Task two = pe.task(
          "two", [&] { n.note(2); }, 2);
      const Task four = pe.declare_task("four", 4, last);
      pe.task(four, [&] {
        n.note(4);
        pe.pause();  // keeps the priority
        n.note(5);
      });
      for (const Task task : {three, four, two}) pe.activate(task);
    });
    EXPECT_EQ(seen.order, last == TaskPriority::low ? (std::vector<int>{2, 3, 4, 5})
                                                    : (std::vector<int>{4, 5, 2, 3}));
  }
}

// The code below a wait keeps it too: of two tasks that can go on, that of high priority does
// first.
TEST(Priority, IsKeptBelowAWait) {
  for (const bool high : {false, true}) {
    Design d(1, 1);
    const Color color = d.color("round");
    d.route(d.all(), color, {.rx = Port::ramp, .tx = Port::ramp});
    d.program(d.all(), "p", [&](PeProgram& pe) {
      const Notes n(pe);
      const PeVector u = pe.array<float>("u", 4), v = pe.array<float>("v", 4);
      const Task other = pe.task(
          "other", [&] { n.note(1); }, 1);
      const Task busy = pe.task(
          "busy",
          [&] {
            pe.activate(other);
            pe.repeat(50, [&] { pe.add(u, u, 1); });  // the operations end meanwhile
          },
          2);
      pe.activate(pe.task(
          "waits",
          [&] {
            PeOperation send = pe.send(color, u), receive = pe.receive(v, color);
            pe.activate(busy);
            pe.wait({send, receive});
            n.note(2);
          },
          {}, high ? TaskPriority::high : TaskPriority::low));
    });
    const auto seen = run(d).read<std::int32_t>({}, "seen");
    EXPECT_EQ(seen[0], high ? 2 : 1);
    EXPECT_EQ(seen[1], high ? 1 : 2);
  }
}

}  // namespace
}  // namespace weft::test::named_tasks_test
