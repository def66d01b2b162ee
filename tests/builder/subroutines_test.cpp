#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

/// Code that is written once and called.
namespace weft::test::subroutines_test {
namespace {

void expect_refused(const std::function<void(PeProgram&)>& program, const std::string& message) {
  expect_error(
      ErrorCategory::program, [&] { (void)one_pe(program); }, message);
}

TEST(Subroutines, AreWrittenOnceAndCalledFromSeveralPlaces) {
  const auto measure = [](int calls, bool inline_) {
    const Fabric f = run(one_pe([&](PeProgram& pe) {
      const PeVector v = pe.array<float>("v", 8), out = pe.array<std::int32_t>("out", 1);
      const PeScalar n = pe.scalar<std::int32_t>("n");
      const auto body = [&] {
        pe.add(v, v, 1);
        pe.add(n, n, 1);
      };
      if (inline_) {
        for (int k = 0; k < calls; ++k) body();
      } else {
        const PeSubroutine step = pe.subroutine("step", body);
        for (int k = 0; k < calls; ++k) pe.call(step);
      }
      pe.store(out, n);
    }));
    EXPECT_EQ(f.read<float>({}, "v"), std::vector<float>(8, static_cast<float>(calls)));
    EXPECT_EQ(f.read<std::int32_t>({}, "out")[0], calls);
    return f.cycle();
  };
  EXPECT_EQ(measure(1, false) - measure(1, true), 10U);  // a call and a return
  EXPECT_EQ(measure(5, false) - measure(5, true), 50U);
}

TEST(Subroutines, CallOthers) {
  const Fabric f = run(one_pe([](PeProgram& pe) {
    const PeScalar n = pe.scalar<std::int32_t>("n");
    const PeVector out = pe.array<std::int32_t>("out", 2);
    const PeSubroutine two = pe.subroutine("two", [&] { pe.add(n, n, 2); });
    const PeSubroutine three = pe.subroutine("three", [&] { pe.add(n, n, 3); });
    const PeSubroutine all = pe.subroutine("all", [&] {
      pe.call(two);
      pe.repeat(4, [&] { pe.call(three); });
      pe.call(two);
    });
    pe.call(all);
    pe.call(three);
    pe.store(out.at(0), n);
    // From a task too: it does not run in the midst of another call.
    pe.activate(pe.task("later", [&] {
      pe.when(n > 0, [&] { pe.call(all); });
      pe.store(out.at(1), n);
    }));
  }));
  EXPECT_EQ(f.read<std::int32_t>({}, "out"), (std::vector<std::int32_t>{19, 35}));
}

// The subroutine sets descriptors that the caller's code shares with it, and back.
TEST(Subroutines, LeaveSharedDescriptorsAsTheyAre) {
  const Fabric f = run(one_pe([](PeProgram& pe) {
    const PeVector v = pe.array<float>("v", 128);
    const auto touch = [&](int from, int to) {
      for (int k = from; k < to; ++k) pe.add(v.slice(k, 2, 1 + k), v.slice(k, 2, 1 + k), 1);
    };
    const PeSubroutine low = pe.subroutine("low", [&] { touch(0, 12); });
    pe.repeat(2, [&] {
      touch(10, 24);
      pe.call(low);
      touch(23, 24);
      touch(12, 13);
    });
  }));
  std::vector<float> expected(128);
  const auto touch = [&](int from, int to) {
    for (int k = from; k < to; ++k) {
      expected[static_cast<std::size_t>(k)] += 1;
      expected[static_cast<std::size_t>(2 * k + 1)] += 1;
    }
  };
  for (int k = 0; k < 2; ++k) touch(10, 24), touch(0, 12), touch(23, 24), touch(12, 13);
  EXPECT_EQ(f.read<float>({}, "v"), expected);
}

/// Both PEs send each other what they have, in a subroutine that waits.
TEST(Subroutines, MayWait) {
  Design d(2, 1);
  const NeighborShift east(d, d.all(), Port::east), west(d, d.all(), Port::west, "west");
  d.program(d.all(), "exchange", [&](PeProgram& pe) {
    const PeVector out = pe.array<float>("out", 4), in = pe.array<float>("in", 4);
    const PeVector sum = pe.array<float>("sum", 4);
    const PeSubroutine exchange = pe.subroutine("exchange", [&] {
      std::vector<PeOperation> moves = east.start(pe, out, in);
      for (const PeOperation& o : west.start(pe, out, in)) moves.push_back(o);
      pe.wait(moves);
    });
    const PeSubroutine round = pe.subroutine("round", [&] {
      pe.add(out, out, 1);
      pe.call(exchange);
      pe.add(sum, sum, in);
    });
    pe.repeat(3, [&] { pe.call(round); });
    pe.call(round);
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<float>({1, 0, 1, 1}, "sum"), std::vector<float>(4, 10));
  EXPECT_EQ(f.cycle(), 339U);
}

// An operation that its caller waits for may end while the subroutine waits.
TEST(Subroutines, MayWaitWhileAnOperationOfTheCallerRuns) {
  for (const bool caller_is_slow : {false, true}) {
    Design d(1, 1);
    const Color a = d.color("a"), b = d.color("b");
    for (const Color color : {a, b}) d.route(d.all(), color, {.rx = Port::ramp, .tx = Port::ramp});
    d.program(d.all(), "p", [&](PeProgram& pe) {
      const PeVector u = pe.array<std::int32_t>("u", 64), v = pe.array<std::int32_t>("v", 64);
      const PeVector order = pe.array<std::int32_t>("order", 2);
      const PeScalar n = pe.scalar<std::int32_t>("n");
      const auto go_round = [&](Color color, int count) {
        PeOperation send = pe.send(color, u.slice(0, count)).async();
        return std::vector<PeOperation>{send, pe.receive(v.slice(0, count), color).async()};
      };
      const PeSubroutine inner = pe.subroutine("inner", [&] {
        pe.wait(go_round(a, caller_is_slow ? 2 : 64));
        pe.add(n, n, 1);
        pe.store(order.at(0), n);
      });
      const std::vector<PeOperation> outer = go_round(b, caller_is_slow ? 64 : 2);
      pe.call(inner);
      pe.wait(outer);
      pe.add(n, n, 1);
      pe.store(order.at(1), n);
    });
    EXPECT_EQ(run(d).read<std::int32_t>({}, "order"), (std::vector<std::int32_t>{1, 2}));
  }
}

// PE (0, 0) receives late by one color, and sends by six others meanwhile: the queue from the
// router has another number than these. The receiving, or the sending, stands in a subroutine.
TEST(Subroutines, KeepQueuesApart) {
  for (const bool sends_inside : {false, true}) {
    Design d(2, 1);
    const Rect west{0, 0, 1, 1}, east{1, 0, 1, 1};
    const Color late = d.color("late");
    d.route(east, late, {.rx = Port::ramp, .tx = Port::west});
    d.route(west, late, {.rx = Port::east, .tx = Port::ramp});
    std::vector<Color> there;
    for (int n = 0; n < 6; ++n) {
      there.push_back(d.color("there" + std::to_string(n)));
      d.route(west, there.back(), {.rx = Port::ramp, .tx = Port::east});
      d.route(east, there.back(), {.rx = Port::west, .tx = Port::ramp});
    }
    d.program(west, "west", [&](PeProgram& pe) {
      const PeVector u = pe.values<std::int32_t>("u", {3, 4}), v = pe.array<std::int32_t>("v", 2);
      const auto receive = [&] { pe.receive(v, late).async(); };
      const auto send = [&] {
        for (const Color color : there) pe.send(color, u);
      };
      const PeSubroutine inside =
          pe.subroutine("inside", [&] { sends_inside ? send() : receive(); });
      if (sends_inside) receive();
      pe.call(inside);
      if (!sends_inside) send();
    });
    d.program(east, "east", [&](PeProgram& pe) {
      const PeVector v = pe.array<std::int32_t>("v", {6, 2});
      for (int n = 0; n < 6; ++n) pe.receive(v.row(n), there[static_cast<std::size_t>(n)]);
      pe.send(late, v.row(5));
    });
    EXPECT_EQ(run(d).read<std::int32_t>(west, "v"), (std::vector<std::int32_t>{3, 4}));
  }
}

TEST(Subroutines, ThatWaitAreCalledByOneTask) {
  expect_refused(
      [](PeProgram& pe) {
        const PeSubroutine rest = pe.subroutine("rest", [&] { pe.pause(); });
        pe.call(rest);
        pe.activate(pe.task("other", [&] { pe.call(rest); }));
      },
      "the subroutine rest waits, and two tasks or subroutines call it");
}

TEST(Subroutines, DoNotCallThemselves) {
  expect_refused(
      [](PeProgram& pe) {
        PeSubroutine again;
        again = pe.subroutine("again", [&] { pe.call(again); });
      },
      "a subroutine is called that is not written yet");
  PeSubroutine theirs;
  (void)one_pe([&](PeProgram& pe) { theirs = pe.subroutine("theirs", [] {}); });
  expect_refused([&](PeProgram& pe) { pe.call(theirs); }, "a subroutine of another program");
}

// A return takes a register for each level of calls.
TEST(Subroutines, TakeARegisterForEachLevel) {
  const std::string text = one_pe([](PeProgram& pe) {
                             const PeSubroutine a = pe.subroutine("a", [] {});
                             const PeSubroutine b = pe.subroutine("b", [] {});
                             const PeSubroutine c = pe.subroutine("c", [&] { pe.call(a); });
                             for (const PeSubroutine s : {a, b, c}) pe.call(s);
                           }).listing(0, 0);
  for (const char* part : {"  register 1: returns of subroutines, level 0\n  register 2: returns "
                           "of subroutines, level "
                           "1\nCode",
                           "subroutine a:\n", "subroutine b:\n", "subroutine c:\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

}  // namespace
}  // namespace weft::test::subroutines_test
