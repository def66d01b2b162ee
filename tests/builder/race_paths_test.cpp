#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

/// Design::fabric with `check` follows uses of memory into subroutines, into tasks that the program
/// activates, and through views that registers move.
namespace weft::test::race_paths_test {
namespace {

/// PE (0, 0) sends eight words, four times, to PE (1, 0), whose program `receiver` writes.
Design pair(const std::function<void(PeProgram&, Color)>& receiver) {
  Design d(2, 1);
  const Color east = d.color("halo");
  d.route({0, 0, 1, 1}, east, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, east, {.rx = Port::west, .tx = Port::ramp});
  d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", 8);
    for (int n = 0; n < 4; ++n) pe.send(east, u);
  });
  d.program({1, 0, 1, 1}, "receiver", [&](PeProgram& pe) {
    pe.name_lines([] { return "heat.cpp:3"; });
    receiver(pe, east);
  });
  return d;
}

void expect_race(const std::function<void(PeProgram&, Color)>& receiver, const std::string& what) {
  const Design design = pair(receiver);
  expect_error(
      ErrorCategory::program, [&] { (void)design.fabric(test_machine(), test_options(), true); },
      what, "nothing waits");
  EXPECT_NO_THROW((void)design.fabric(test_machine(), test_options()));
}

void expect_none(const std::function<void(PeProgram&, Color)>& receiver) {
  EXPECT_NO_THROW((void)pair(receiver).fabric(test_machine(), test_options(), true));
}

struct Vectors {
  explicit Vectors(PeProgram& pe) : v(pe.array<float>("v", 8)), w(pe.array<float>("w", 8)) {}
  PeVector v, w;
};

TEST(RacePaths, IntoASubroutine) {
  expect_race(
      [](PeProgram& pe, Color east) {
        const Vectors all(pe);
        const PeSubroutine add = pe.subroutine("add", [&] { pe.add(all.w, all.w, all.v); });
        pe.receive(all.v, east).async();
        pe.call(add);
      },
      "add(w, w, v) (heat.cpp:3) reads v, which copy(v, from(halo)) (heat.cpp:3) may still fill");
  expect_none([](PeProgram& pe, Color east) {
    const Vectors all(pe);
    const PeSubroutine add = pe.subroutine("add", [&] { pe.add(all.w, all.w, all.v); });
    pe.wait({pe.receive(all.v, east)});
    pe.call(add);
  });
}

TEST(RacePaths, IntoASubroutineOfASubroutine) {
  expect_race(
      [](PeProgram& pe, Color east) {
        const Vectors all(pe);
        const PeSubroutine fill = pe.subroutine("fill", [&] { pe.fill(all.v, 1.0F); });
        const PeSubroutine both = pe.subroutine("both", [&] { pe.call(fill); });
        pe.receive(all.v, east).async();
        pe.call(both);
      },
      "fill(v, 1) (heat.cpp:3) fills v");
}

TEST(RacePaths, OutOfASubroutine) {
  const auto program = [](bool waits) {
    return [waits](PeProgram& pe, Color east) {
      const Vectors all(pe);
      const PeSubroutine start = pe.subroutine("start", [&] {
        PeOperation received = pe.receive(all.v, east).async();
        if (waits) pe.wait({received});
      });
      pe.call(start);
      pe.add(all.w, all.w, all.v);
    };
  };
  expect_race(program(false), "add(w, w, v) (heat.cpp:3) reads v");
  expect_none(program(true));
}

// The operations of one caller are not those of another.
TEST(RacePaths, OfTwoCallers) {
  expect_none([](PeProgram& pe, Color east) {
    const Vectors all(pe);
    const PeSubroutine other = pe.subroutine("other", [&] { pe.fill(all.w, 1.0F); });
    pe.task("first", [&] {
      pe.receive(all.v, east).async();
      pe.call(other);
    });
    pe.task("second", [&] {
      pe.call(other);
      pe.fill(all.v, 1.0F);
    });
  });
}

TEST(RacePaths, IntoATaskThatIsActivated) {
  const auto program = [](bool before, bool waits) {
    return [=](PeProgram& pe, Color east) {
      const Vectors all(pe);
      const Task next = pe.task("next", [&] { pe.add(all.w, all.w, all.v); });
      if (before) pe.activate(next);
      PeOperation received = pe.receive(all.v, east).async();
      if (waits) pe.wait({received});
      if (!before) pe.activate(next);
    };
  };
  expect_race(program(false, false), "add(w, w, v) (heat.cpp:3) reads v");
  expect_race(program(true, false), "add(w, w, v) (heat.cpp:3) reads v");
  expect_race(program(true, true), "add(w, w, v) (heat.cpp:3) reads v");  // it runs in the wait
  expect_none(program(false, true));
}

TEST(RacePaths, FromTaskToTask) {
  expect_race(
      [](PeProgram& pe, Color east) {
        const Vectors all(pe);
        const Task last = pe.task("last", [&] { pe.fill(all.v, 1.0F); });
        const Task next = pe.task("next", [&] { pe.activate(last); });
        pe.receive(all.v, east).async();
        pe.activate(next);
      },
      "fill(v, 1) (heat.cpp:3) fills v");
}

// Who is told of the end may tell others.
TEST(RacePaths, NotWhereTheEndIsKnown) {
  expect_none([](PeProgram& pe, Color east) {
    const Vectors all(pe);
    const Task next = pe.task("next", [&] { pe.add(all.w, all.w, all.v); });
    pe.block(next);
    pe.activate(next);
    pe.receive(all.v, east).then_unblock(next);
  });
}

TEST(RacePaths, ThroughAViewThatMoves) {
  const auto load = [](int filled) {
    return [filled](PeProgram& pe, Color east) {
      const Vectors all(pe);
      const PeScalar at = pe.scalar<int>("at"), s = pe.scalar<float>("s");
      pe.receive(all.v.slice(0, filled), east).async();
      pe.load(s, all.v.at(0).moved_by_bytes(at));
    };
  };
  expect_race(load(8), "load(s, v) (heat.cpp:3) reads v, which copy(v, from(halo))");
  expect_none(load(7));  // the register may lead to the last element
  expect_race(
      [](PeProgram& pe, Color east) {
        const Vectors all(pe);
        const PeScalar at = pe.scalar<int>("at"), s = pe.scalar<float>("s");
        pe.receive(all.w, east);
        pe.send(east, all.v).async();
        pe.store(all.v.at(2).moved_by_bytes(at), s);
      },
      "store(v, s) (heat.cpp:3) fills v");
  const auto add = [](int first, int count) {
    return [=](PeProgram& pe, Color east) {
      const Vectors all(pe);
      const PeScalar at = pe.scalar<int>("at");
      pe.receive(all.v.slice(3, 2), east).async();
      pe.fill(all.v.slice(first, count).moved_by_bytes(at), 1.0F);
    };
  };
  expect_race(add(0, 4), "fill(v, 1) (heat.cpp:3) fills v");  // four elements reach 3 or 4
  expect_none(add(0, 3));
}

}  // namespace
}  // namespace weft::test::race_paths_test
