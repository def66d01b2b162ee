#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

/// Registers that are given back, and values that are loaded where they are used.
namespace weft::test::scopes_test {
namespace {

void expect_refused(const std::function<void(PeProgram&)>& program, const std::string& message,
                    const std::string& why = "") {
  expect_error(
      ErrorCategory::program, [&] { (void)one_pe(program); }, message, why);
}

PeScalar scalar(PeProgram& pe, int n) { return pe.scalar<std::int32_t>("s" + std::to_string(n)); }

/// Sets so many registers, and adds them up.
void use(PeProgram& pe, int count, PeScalar sum) {
  std::vector<PeScalar> all;
  for (int n = 0; n < count; ++n) {
    all.push_back(scalar(pe, n));
    pe.set(all.back(), n + 1);
  }
  for (const PeScalar s : all) pe.add(sum, sum, s);
}

TEST(Scopes, GiveRegistersBack) {
  const Fabric f = run(one_pe([](PeProgram& pe) {
    const PeVector out = pe.array<std::int32_t>("out", 1);
    const PeScalar sum = pe.scalar<std::int32_t>("sum");
    for (int k = 0; k < 4; ++k) pe.scope([&] { use(pe, 10, sum); });
    pe.repeat(2, [&] {
      pe.scope([&] { use(pe, 9, sum); });
      pe.scope([&] { use(pe, 10, sum); });
    });
    use(pe, 1, sum);
    pe.store(out, sum);
  }));
  EXPECT_EQ(f.read<std::int32_t>({}, "out")[0], 4 * 55 + 2 * (45 + 55) + 1);
}

TEST(Scopes, CostNothing) {
  const auto cycles = [](bool scoped) {
    return run(one_pe([&](PeProgram& pe) {
             const PeScalar sum = pe.scalar<std::int32_t>("sum");
             const auto body = [&] { use(pe, 5, sum); };
             scoped ? pe.scope(body) : body();
           }))
        .cycle();
  };
  EXPECT_EQ(cycles(true), cycles(false));
}

// While it waits, another task runs, whose scope must not take its registers.
TEST(Scopes, OfTasksKeepTheirRegistersApart) {
  const Fabric f = run(one_pe([](PeProgram& pe) {
    const PeVector out = pe.array<std::int32_t>("out", 2);
    const Task other = pe.task("other", [&] {
      pe.scope([&] {
        const PeScalar mine = pe.scalar<std::int32_t>("mine");
        pe.set(mine, 5);
        pe.store(out.at(0), mine);
      });
    });
    pe.scope([&] {
      const PeScalar kept = pe.scalar<std::int32_t>("kept");
      pe.set(kept, 7);
      pe.activate(other);
      pe.pause();
      pe.store(out.at(1), kept);
    });
  }));
  EXPECT_EQ(f.read<std::int32_t>({}, "out"), (std::vector<std::int32_t>{5, 7}));
}

// Constants at launch are set before the main task's scopes run: they take none of their registers.
TEST(Scopes, HaveConstantsOfTheirOwn) {
  const auto program = [](int scopes) {
    return [=](PeProgram& pe) {
      const PeVector out = pe.array<std::int32_t>("out", 1);
      const PeScalar sum = pe.scalar<std::int32_t>("sum");
      for (int n = 0; n < scopes; ++n)
        pe.scope([&] {
          for (int k = 0; k < 8; ++k) pe.add(sum, sum, pe.constant(100 * n + k, ElementType::i32));
        });
      pe.add(sum, sum, pe.constant(1000, ElementType::i32));
      pe.store(out, sum);
    };
  };
  const Fabric f = run(one_pe(program(3)));
  EXPECT_EQ(f.read<std::int32_t>({}, "out")[0], 3 * 28 + 8 * 300 + 1000);
  EXPECT_EQ(f.cycle() - run(one_pe(program(2))).cycle(), 48U);  // 8 are loaded, 8 added
}

TEST(Scopes, EndTheUseOfTheirRegisters) {
  const auto after = [](const std::function<void(PeProgram&, PeScalar)>& use_it, bool again) {
    return [=](PeProgram& pe) {
      const PeScalar before = pe.scalar<std::int32_t>("before");
      pe.set(before, 1);
      PeScalar total;
      pe.scope([&] { total = pe.scalar<std::int32_t>("total"); });
      if (again) pe.scope([&] { (void)pe.scalar<std::int32_t>("other"); });
      use_it(pe, total);
    };
  };
  for (const bool again : {false, true}) {
    for (const auto& use_it : std::vector<std::function<void(PeProgram&, PeScalar)>>{
             [](PeProgram&pe, PeScalar s) { pe.set(s, 3); },
             [](PeProgram&pe, PeScalar s) { pe.add(s, s, 3); },
             [](PeProgram&pe, PeScalar s) { pe.add(s, s, s); },
             [](PeProgram&pe, PeScalar s) { pe.when(s == 3, [] {}); },
             [](PeProgram&pe, PeScalar s) { pe.repeat(s, [] {}); },
             [](PeProgram&pe, PeScalar s) { pe.store(pe.array<std::int32_t>("v", 1), s); },
             [](PeProgram&pe, PeScalar s) { pe.fill(pe.array<std::int32_t>("v", 1), s); },
             [](PeProgram&pe, PeScalar s) {
               const PeVector v = pe.array<std::int32_t>("v", 1).moved_by_bytes(s);
               pe.copy(v, v);
             }})
      expect_refused(after(use_it, again), "total is used outside its scope",
                     "the scope gives it back at its end");
  }
  // By number, as long as nobody has it.
  expect_refused(after([](PeProgram& pe, PeScalar s) { pe.mov(s, s); }, false),
                 "register 2 (total) is used after its scope");
  // In a task that is written inside.
  expect_refused(
      [](PeProgram& pe) {
        pe.scope([&] {
          const PeScalar mine = pe.scalar<std::int32_t>("mine");
          pe.task("t", [&] { pe.set(mine, 1); });
        });
      },
      "mine is used outside its scope");
}

TEST(Scopes, EndFromTheInsideOut) {
  expect_refused(
      [](PeProgram& pe) {
        PeBlock outer = pe.open_scope(), inner = pe.open_scope();
        pe.close(outer);
        pe.close(inner);
      },
      "a block is closed in which another one is open");
  expect_refused([](PeProgram& pe) { (void)pe.open_scope(); }, "has no end");
}

TEST(Scopes, AreListedByAllTheirNames) {
  const std::string text = one_pe([](PeProgram& pe) {
                             pe.scope([&] { pe.set(pe.scalar<std::int32_t>("left"), 1); });
                             pe.scope([&] { pe.set(pe.scalar<std::int32_t>("right"), 1); });
                           }).listing(0, 0);
  EXPECT_NE(text.find("  register 1: left, then right\n"), std::string::npos) << text;
}

/// Adds so many different floats to a vector, with so many registers taken otherwise. `rounds`: of
/// the first of them.
Fabric add_literals(int literals, int scalars, int rounds = 1) {
  return run(one_pe([&](PeProgram& pe) {
    const PeVector v = pe.array<float>("v", 1);
    const auto add = [&](int n) { pe.add(v, v, n + 0.5); };
    if (rounds > 1) {
      pe.repeat(rounds, [&] { add(0); });
    } else {
      add(0);
    }
    for (int n = 1; n < literals; ++n) add(n);
    const PeVector out = pe.array<std::int32_t>("out", 1);
    std::vector<PeScalar> all;
    for (int n = 0; n < scalars; ++n) all.push_back(scalar(pe, n));
    for (const PeScalar s : all) pe.set(s, 1);
    for (const PeScalar s : all) pe.add(all[0], all[0], s);
    if (scalars > 0) pe.store(out, all[0]);
  }));
}

float sum_of(int literals) { return static_cast<float>(literals * literals) / 2; }

TEST(Literals, AreLoadedWhereTheyAreUsedIfRegistersAreScarce) {
  for (const int literals : {1, 14, 15, 16, 40}) {
    EXPECT_EQ(add_literals(literals, 0).read<float>({}, "v")[0], sum_of(literals)) << literals;
  }
  for (const int scalars : {1, 5, 13}) {
    const Fabric f = add_literals(20, scalars);
    EXPECT_EQ(f.read<float>({}, "v")[0], sum_of(20)) << scalars;
    EXPECT_EQ(f.read<std::int32_t>({}, "out")[0], scalars == 1 ? 2 : scalars + 1) << scalars;
  }
}

// With enough registers each is loaded once, at launch; without, at each use.
TEST(Literals, CostOneInstructionMoreForEachUse) {
  const std::uint64_t more = add_literals(15, 0).cycle() - add_literals(14, 0).cycle();
  EXPECT_EQ(add_literals(17, 0).cycle() - add_literals(16, 0).cycle(), more);
}

// A literal in a loop keeps its register: more rounds take no load.
TEST(Literals, GiveWayIfTheyAreUsedLeast) {
  const auto per_round = [](int literals) {
    return (add_literals(literals, 0, 20).cycle() - add_literals(literals, 0, 10).cycle()) / 10;
  };
  EXPECT_EQ(per_round(40), per_round(5));
}

TEST(Literals, LeaveRegistersToTheRest) {
  // Branches, loops, loads and stores, subroutines and waits, with the last register.
  Design d(1, 1);
  const Color color = d.color("round");
  d.route(d.all(), color, {.rx = Port::ramp, .tx = Port::ramp});
  d.program(d.all(), "p", [&](PeProgram& pe) {
    const PeVector v = pe.array<float>("v", 1), out = pe.array<std::int32_t>("out", 2);
    for (int n = 0; n < 20; ++n) pe.add(v, v, n + 0.5);
    std::vector<PeScalar> all;
    for (int n = 0; n < 10; ++n) all.push_back(scalar(pe, n));
    const PeSubroutine sub = pe.subroutine("sub", [&] { pe.add(all[0], all[0], 1); });
    pe.range(all[1], 0, 77, 7, [&] {
      pe.when((all[1] > 5) & (all[1] <= 70) & ~(all[1] == 21),
              [&] { pe.repeat(3, [&] { pe.call(sub); }); });
    });
    for (int n = 0; n < 40; ++n) {  // more than there are local tasks
      PeOperation send = pe.send(color, v), receive = pe.receive(v, color);
      pe.wait({send, receive});
    }
    pe.load(all[2], out.at(1));
    pe.store(out.at(0), all[0]);
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<std::int32_t>({}, "out")[0], 27);
  EXPECT_EQ(f.read<float>({}, "v")[0], sum_of(20));
}

TEST(Literals, AreListed) {
  const std::string text = one_pe([](PeProgram& pe) {
                             const PeVector v = pe.array<float>("v", 1);
                             for (int n = 0; n < 20; ++n) pe.add(v, v, n + 0.5);
                           }).listing(0, 0);
  EXPECT_NE(text.find(": values that are loaded where they are used\n"), std::string::npos) << text;
}

// Registers of the user's own are not taken away.
TEST(Literals, DoNotTakeScalars) {
  expect_refused(
      [](PeProgram& pe) {
        for (int n = 0; n < 15; ++n) (void)scalar(pe, n);
        const PeVector v = pe.array<float>("v", 1);
        pe.add(v, v, 1);
      },
      "no register is left for the constant 0x3f800000");
  expect_refused(
      [](PeProgram& pe) {
        for (int n = 0; n < 16; ++n) (void)pe.constant(n, ElementType::i32);
      },
      "no register is left");
}

TEST(Scopes, KeepTheirConstantsFromScopesWithin) {
  Design d(1, 1);
  d.program(d.all(), "p", [](PeProgram& pe) {
    const PeVector v = pe.array<std::int32_t>("v", 2);
    pe.scope([&] {
      pe.scope([&] {
        const PeScalar s = pe.scalar<std::int32_t>("s");
        pe.set(s, 9);
        pe.store(v.at(0), s);
      });
      pe.store(v.at(1), pe.constant(5, ElementType::i32));
    });
  });
  Fabric f = d.fabric({}, test_options());
  f.run_until_idle(kFarLimit);
  EXPECT_EQ(f.read<std::int32_t>({0, 0, 1, 1}, "v"), (std::vector<std::int32_t>{9, 5}));
}

TEST(Scopes, GiveNothingToPrints) {
  Design d(1, 1);
  d.program(d.all(), "p", [](PeProgram& pe) {
    const PeScalar out = pe.scalar<std::int32_t>("out");
    pe.set(out, 4);
    pe.scope([&] {
      const PeScalar s = pe.scalar<std::int32_t>("s");
      pe.set(s, 9);
      pe.print("s", s);
    });
    pe.scope([&] { pe.set(pe.scalar<std::int32_t>("t"), 77); });
    pe.print("out", out);
  });
  Fabric f = d.fabric({}, test_options());
  f.run_until_idle(kFarLimit);
  const std::vector<Printed> all = f.prints();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].text, "9");
  EXPECT_EQ(all[1].text, "4");
}

/// A program whose main task has scopes, and with registers of its own for the whole program.
Design with_totals(int totals) {
  return one_pe([=](PeProgram& pe) {
    const PeVector out = pe.array<std::int32_t>("out", 1);
    const PeScalar sum = pe.scalar<std::int32_t>("sum");
    pe.constant(0, ElementType::i32);
    pe.scope([&] { use(pe, 11, sum); });
    pe.scope([&] { use(pe, 10, sum); });
    std::vector<PeScalar> all;
    for (int n = 0; n < totals; ++n) all.push_back(pe.scalar<int>("total " + std::to_string(n)));
    pe.task("next", [&] {
      for (const PeScalar total : all) pe.add(total, total, 1);
      pe.store(out, all.empty() ? sum : all.back());
    });
  });
}

// Where nobody has a register of its scopes, it begins anew.
TEST(Scopes, OfAMainTaskThatRunsAgain) {
  Fabric fabric = run(with_totals(0));
  fabric.activate({0, 0, 1, 1}, "main");
  fabric.run_until_idle(kFarLimit);
  fabric.activate({0, 0, 1, 1}, "next");
  fabric.run_until_idle(kFarLimit);
  EXPECT_EQ(fabric.read<std::int32_t>({}, "out")[0], 2 * (66 + 55));
}

TEST(Scopes, OfAMainTaskWhoseRegistersOthersHave) {
  Fabric fabric = run(with_totals(4));
  fabric.activate({0, 0, 1, 1}, "next");
  fabric.run_until_idle(kFarLimit);
  expect_error(
      ErrorCategory::usage,
      [&] {
        fabric.activate({0, 0, 1, 1}, "main");
      },
      "PE (0, 0) cannot run its main task again", "has register");
  expect_error(
      ErrorCategory::usage,
      [&] {
        fabric.activate({0, 0, 1, 1}, Task{TaskKind::local, 0});
      },
      "cannot run its main task again");
}

TEST(Scopes, OfAMainTaskThatTheProgramStartsAgain) {
  const auto program = [](int totals) {
    return [=](PeProgram& pe) {
      const PeScalar sum = pe.scalar<std::int32_t>("sum");
      pe.scope([&] { use(pe, 12, sum); });
      for (int n = 0; n < totals; ++n) pe.scalar<int>("total " + std::to_string(n));
      pe.task("again", [&] { pe.activate(Task{TaskKind::local, 0}); });
    };
  };
  EXPECT_NO_THROW((void)one_pe(program(0)));
  expect_refused(program(4), "starts its main task again", "total 2 has register");
}

}  // namespace
}  // namespace weft::test::scopes_test
