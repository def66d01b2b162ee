#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

/// PeProgram::check and print: what they say, and what they cost.
namespace weft::test::checks_test {
namespace {

constexpr Rect kOne{0, 0, 1, 1};

/// The cycles of what `body` writes.
std::uint32_t cycles_of(const std::function<void(PeProgram&)>& body) {
  const Design design = one_pe([&](PeProgram& pe) {
    const PeVector time = pe.array<int>("time", 2);
    const PeScalar before = pe.scalar<int>("before"), after = pe.scalar<int>("after");
    pe.tsc(before);
    body(pe);
    pe.tsc(after);
    pe.store(time.at(0), before);
    pe.store(time.at(1), after);
  });
  const auto time = run(design).read<int>(kOne, "time");
  return static_cast<std::uint32_t>(time[1] - time[0]);
}

TEST(Checks, AFailedOneIsAFault) {
  for (const Engine engine : {Engine::host, Engine::reference}) {
    Design d(3, 2);
    d.program(d.all(), "ring", [](PeProgram& pe) {
      pe.name_lines([] { return "ring.cpp:12"; });
      const PeScalar one = pe.scalar<int>("one");
      pe.set(one, 1);
      pe.check(one == 1, "all is well");
      pe.check(pe.x() < 2, "ring full");
      pe.check(pe.y() == 0, "another one");
    });
    FabricOptions options;
    options.engine = engine;
    Fabric fabric = d.fabric(test_machine(), options);
    for (int again = 0; again < 2; ++again) {
      try {
        fabric.run_until_idle(kFarLimit);
        FAIL();
      } catch (const FaultError& e) {
        EXPECT_EQ(e.problem(), "a check of the program failed: ring full");
        EXPECT_EQ(e.fault().kind, FaultKind::check_failed);
        EXPECT_EQ(e.fault().x, 2);
        EXPECT_EQ(e.fault().y, 0);
        EXPECT_EQ(e.fault().detail, 1);
        EXPECT_NE(e.reason().find("PE (2, 0), at check(\"ring full\") in program \"ring\", "
                                  "ring.cpp:12"),
                  std::string::npos)
            << e.reason();
      }
    }
  }
}

TEST(Checks, InLoopsAndTasks) {
  const Design design = one_pe([](PeProgram& pe) {
    const PeScalar i = pe.scalar<int>("i");
    const Task later = pe.task(
        "later", [&] { pe.range(i, 0, 8, 1, [&] { pe.check(i < 5, "five is too many"); }); });
    pe.activate(later);
  });
  expect_error(
      ErrorCategory::program, [&] { run(design); }, "five is too many", "PE (0, 0)");
}

/// A return to nowhere of the user's own is no check.
TEST(Checks, OtherReturnsStayWhatTheyAre) {
  const Design design = one_pe([](PeProgram& pe) {
    const PeScalar s = pe.scalar<int>("s");
    pe.set(s, -7);
    pe.check(s == -7, "seven");
    pe.ret(s);
  });
  expect_error(
      ErrorCategory::program, [&] { run(design); }, "a return to instruction");
}

TEST(Checks, CostABranchThatIsNotTaken) {
  const auto scalar = static_cast<std::uint32_t>(test_machine().scalar_cycles);
  const auto with = cycles_of([](PeProgram& pe) {
    const PeScalar i = pe.scalar<int>("i");
    pe.check(i == 0, "zero");
    pe.check(i < 3, "few");
  });
  EXPECT_EQ(with, cycles_of([](PeProgram&) {}) + 2 * scalar);
}

TEST(Prints, AreInTheOrderOfCycles) {
  Design d(2, 1);
  d.program(d.all(), "prints", [](PeProgram& pe) {
    const PeScalar r = pe.scalar<float>("r"), i = pe.scalar<int>("i");
    const PeScalar h = pe.scalar<Half>("h");
    pe.set(i, -3);
    pe.set(r, 0.25F);
    pe.set(h, 1.5F);
    pe.when(pe.x() == 0, [&] { pe.repeat(400, [&] { pe.add(r, r, 0.0F); }); });
    pe.print("rr", r);
    pe.print("i", i);
    pe.print("h", h);
  });
  for (const Engine engine : {Engine::host, Engine::reference}) {
    FabricOptions options;
    options.engine = engine;
    Fabric fabric = d.fabric(test_machine(), options);
    EXPECT_TRUE(fabric.prints().empty());
    EXPECT_EQ(fabric.printed(), "");
    fabric.run_until_idle(kFarLimit);
    const std::vector<Printed> all = fabric.prints();
    ASSERT_EQ(all.size(), 6u);
    EXPECT_EQ(all[0].x, 1);
    EXPECT_EQ(all[3].x, 0);
    EXPECT_EQ(all[0].value, 0.25);
    EXPECT_EQ(all[1].text, "-3");
    EXPECT_EQ(all[2].value, 1.5);
    EXPECT_TRUE(
        std::is_sorted(all.begin(), all.end(), [](auto& a, auto& b) { return a.cycle < b.cycle; }));
    const std::string cycle = std::to_string(all[3].cycle);
    ASSERT_EQ(cycle.size(), 4u);
    EXPECT_NE(fabric.printed().find("cycle " + cycle.substr(0, 1) + "," + cycle.substr(1) +
                                    " PE (0, 0): rr = 0.25\n"),
              std::string::npos)
        << fabric.printed();
  }
}

TEST(Prints, KeepTheLastOnes) {
  const Design design = one_pe([](PeProgram& pe) {
    pe.keep_prints(4);
    const PeScalar i = pe.scalar<int>("i");
    pe.range(i, 0, 10, 1, [&] { pe.print("i", i); });
  });
  const std::vector<Printed> all = run(design).prints();
  ASSERT_EQ(all.size(), 4u);
  for (int n = 0; n < 4; ++n) EXPECT_EQ(all[static_cast<std::size_t>(n)].value, 6 + n);
}

TEST(Prints, CostTenInstructions) {
  const auto scalar = static_cast<std::uint32_t>(test_machine().scalar_cycles);
  const auto with = cycles_of([](PeProgram& pe) {
    const PeScalar i = pe.scalar<int>("i");
    pe.print("i", i);
    pe.print("again", i);
  });
  EXPECT_EQ(with, cycles_of([](PeProgram&) {}) + 20 * scalar);
}

TEST(Prints, RefuseOtherCounts) {
  for (const int count : {0, 3, 2048})
    expect_error(
        ErrorCategory::program, [&] { one_pe([&](PeProgram& pe) { pe.keep_prints(count); }); },
        "prints", "powers of two");
  expect_error(
      ErrorCategory::program,
      [] {
        one_pe([](PeProgram& pe) {
          pe.print("i", pe.scalar<int>("i"));
          pe.keep_prints(8);
        });
      },
      "too late");
}

TEST(Prints, OfARunWithoutDataShowWhatItComputed) {
  const auto printed = [](bool of_data) {
    const Design d = one_pe([=](PeProgram& pe) {
      const PeVector u = pe.values<float>("u", {1, 2});
      const PeScalar s = pe.scalar<float>("s");
      pe.add(u, u, 1.0F);
      if (of_data)
        pe.load(s, u.at(0));
      else
        pe.set(s, 7.0F);
      pe.print("s", s);
    });
    FabricOptions options;
    options.data = false;
    return run(d, options).printed();
  };
  EXPECT_NE(printed(false).find("s = 7"), std::string::npos);
  expect_error(
      ErrorCategory::usage, [&] { printed(true); }, "nobody has computed printed values",
      "without data");
}

}  // namespace
}  // namespace weft::test::checks_test
