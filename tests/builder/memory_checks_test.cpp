#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

/// Design::fabric with `check`: uses of memory that nothing has waited for, and moved views.
namespace weft::test::memory_checks_test {
namespace {

/// PE (0, 0) sends eight words to PE (1, 0), whose program `receiver` writes.
Design pair(const std::function<void(PeProgram&, Color)>& receiver,
            const std::function<void(PeProgram&, Color)>& sender = {}) {
  Design d(2, 1);
  const Color east = d.color("halo");
  d.route({0, 0, 1, 1}, east, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, east, {.rx = Port::west, .tx = Port::ramp});
  d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
    if (sender) return sender(pe, east);
    pe.send(east, pe.array<float>("u", 8));
  });
  d.program({1, 0, 1, 1}, "receiver", [&](PeProgram& pe) { receiver(pe, east); });
  return d;
}

Fabric checked(const Design& design) { return design.fabric(test_machine(), test_options(), true); }

void expect_race(const Design& design, const std::string& what) {
  expect_error(
      ErrorCategory::program, [&] { checked(design); }, what, "nothing waits");
  EXPECT_NO_THROW((void)design.fabric(test_machine(), test_options()));
}

void expect_none(const Design& design) {
  Fabric fabric = checked(design);
  EXPECT_NO_THROW(fabric.run_until_idle(kFarLimit));
}

TEST(MemoryChecks, AVectorThatIsNotFilledYet) {
  const auto with = [](const std::function<void(PeProgram&, PeVector v, PeVector w)>& use) {
    return pair([use](PeProgram& pe, Color east) {
      const PeVector v = pe.array<float>("v", 8), w = pe.array<float>("w", 8);
      pe.name_lines([] { return "heat.cpp:3"; });
      pe.receive(v, east).async();
      pe.name_lines([] { return "heat.cpp:4"; });
      use(pe, v, w);
    });
  };
  expect_race(with([](PeProgram& pe, const PeVector& v, const PeVector& w) { pe.add(w, w, v); }),
              "program receiver: add(w, w, v) (heat.cpp:4) reads v, which copy(v, from(halo)) "
              "(heat.cpp:3) may still fill");
  expect_race(with([](PeProgram& pe, const PeVector& v, const PeVector&) { pe.fill(v, 0.0F); }),
              "fills v");
  expect_race(with([](PeProgram& pe, const PeVector& v, const PeVector&) {
                const PeScalar s = pe.scalar<float>("s");
                pe.load(s, v.at(7));
              }),
              "load(s, v[7]) (heat.cpp:4) reads v");
  expect_none(with([](PeProgram& pe, const PeVector&, const PeVector& w) { pe.add(w, w, w); }));
}

TEST(MemoryChecks, AVectorThatIsStillRead) {
  const auto sender = [](bool waits) {
    return [waits](PeProgram& pe, Color east) {
      const PeVector u = pe.array<float>("u", 8);
      PeOperation sent = pe.send(east, u).async();
      pe.add(pe.array<float>("w", 8), u, u);  // two may read
      if (waits) pe.wait({sent});
      pe.fill(u, 1.0F);
    };
  };
  const auto receiver = [](PeProgram& pe, Color east) {
    pe.receive(pe.array<float>("v", 8), east);
  };
  expect_race(pair(receiver, sender(false)),
              "fills u, which copy(to(halo), u) (memory_checks_test.cpp:");
  expect_none(pair(receiver, sender(true)));
}

TEST(MemoryChecks, OtherElementsOfAnArray) {
  expect_none(pair([](PeProgram& pe, Color east) {
    const PeVector v = pe.array<float>("v", {8, 4});
    pe.receive(v.column(0), east).async();
    pe.fill(v.column(1), 1.0F);
    pe.fill(v.block(0, 2, 8, 2), 1.0F);
  }));
  expect_race(pair([](PeProgram& pe, Color east) {
                const PeVector v = pe.array<float>("v", {8, 4});
                pe.receive(v.column(1), east).async();
                pe.fill(v.block(3, 0, 1, 2), 1.0F);
              }),
              "fills v");
}

TEST(MemoryChecks, TheNextRoundOfALoop) {
  const auto loop = [](bool waits) {
    return pair(
        [waits](PeProgram& pe, Color east) {
          const PeVector v = pe.array<float>("v", 8), w = pe.array<float>("w", 8);
          pe.repeat(2, [&] {
            pe.add(w, w, v);
            const PeOperation received = pe.receive(v, east).async();
            if (waits) pe.wait({received});
          });
        },
        [](PeProgram& pe, Color east) {
          pe.repeat(2, [&, u = pe.array<float>("u", 8)] { pe.send(east, u); });
        });
  };
  expect_race(loop(false), "reads v");
  expect_none(loop(true));
}

/// A task of the user's that knows the end may follow at a wait.
TEST(MemoryChecks, EndsThatATaskKnows) {
  expect_none(pair([](PeProgram& pe, Color east) {
    const PeVector v = pe.array<float>("v", 8);
    const Task use = pe.task("use", [&] { pe.add(v, v, 1.0F); });
    pe.receive(v, east).then_activate(use);
  }));
}

/// A wavelet may start a task while an operation fills what the task uses.
TEST(MemoryChecks, TasksThatWaveletsStart) {
  const auto counting = [](bool blocks, bool of_other) {
    Design d(2, 1);
    const Color numbers = d.color("numbers"), word = d.color("word");
    for (const Color color : {numbers, word}) {
      d.route({0, 0, 1, 1}, color, {.rx = Port::ramp, .tx = Port::east});
      d.route({1, 0, 1, 1}, color, {.rx = Port::west, .tx = Port::ramp});
    }
    d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
      pe.send(numbers, pe.array<float>("u", 8));
      pe.send(word, pe.array<float>("w", 1));
    });
    d.program({1, 0, 1, 1}, "receiver", [&](PeProgram& pe) {
      const PeVector v = pe.array<float>("v", 8), w = pe.array<float>("w", 8);
      const Task task = pe.on_data<float>(
          word, [&](PeScalar) { of_other ? pe.add(w, w, 1.0F) : pe.add(v, v, 1.0F); });
      if (blocks) pe.block(task);
      PeOperation received = pe.receive(v, numbers).async();
      if (blocks) received.then_unblock(task);
    });
    return d;
  };
  expect_error(
      ErrorCategory::program, [&] { checked(counting(false, false)); },
      "program receiver: add(v, v, 1)", "fills v, which copy(v, from(numbers))",
      "a wavelet may start this task before its end");
  expect_none(counting(true, false));
  expect_none(counting(false, true));
}

constexpr int kCount = 4;

/// Adds to parts of u, from byte `first` on, `rounds` times.
Design moved(int first, int rounds, const std::function<PeVector(const PeVector&)>& view) {
  return one_pe([=](PeProgram& pe) {
    const PeVector before = pe.array<float>("before", 16), u = pe.array<float>("u", 16);
    const PeScalar at = pe.scalar<int>("at"), i = pe.scalar<int>("i");
    pe.set(at, first);
    pe.name_lines([] { return "heat.cpp:8"; });
    pe.range(i, 0, rounds, 1, [&] {
      const PeVector part = view(u).moved_by_bytes(at);
      pe.add(part, part, 1.0F);
      pe.add(at, at, 4);
    });
    pe.copy(before, before);
  });
}

TEST(MemoryChecks, AViewThatLeavesItsArray) {
  const auto part = [](const PeVector& u) { return u.slice(0, kCount); };
  expect_none(moved(0, 13, part));
  const std::vector<Design> out = [&] {
    std::vector<Design> all;
    all.push_back(moved(0, 14, part));
    all.push_back(moved(-4, 1, part));
    all.push_back(moved(4, 13, [](const PeVector& u) { return u.slice(0, kCount, 1); }));
    all.push_back(moved(8, 1, [](const PeVector& u) { return u.slice(1, 8, 2); }));
    return all;
  }();
  for (const Design& design : out) {
    Fabric fabric = checked(design);
    expect_error(
        ErrorCategory::program, [&] { fabric.run_until_idle(kFarLimit); },
        "a view of u is moved out of it", "add(u, u, 1) in program \"alone\", heat.cpp:8");
    EXPECT_NO_THROW(run(design));
  }
  expect_none(moved(0, 1, [](const PeVector& u) { return u.slice(1, 8, 2); }));
}

TEST(MemoryChecks, AStrideThatLeavesItsArray) {
  const auto strided = [](int stride, int first, bool moves) {
    return one_pe([=](PeProgram& pe) {
      const PeVector before = pe.array<float>("before", 32), u = pe.array<float>("u", 16),
                     behind = pe.array<float>("behind", 32);
      const PeScalar step = pe.scalar<int>("step"), at = pe.scalar<int>("at");
      pe.set(step, stride);
      pe.set(at, 4 * first);
      PeVector view = u.slice(moves ? 0 : first, 4);
      if (moves) view = view.moved_by_bytes(at);
      pe.fill(view.strided_by(step), 1.0F);
      pe.copy(before, behind);
    });
  };
  for (const bool moves : {false, true}) {
    expect_none(strided(5, 0, moves));
    expect_none(strided(-4, 12, moves));
    for (const auto& [stride, first] : {std::pair{6, 0}, {5, 1}, {-5, 12}}) {
      Fabric fabric = checked(strided(stride, first, moves));
      expect_error(
          ErrorCategory::program, [&] { fabric.run_until_idle(kFarLimit); },
          "a view of u is moved out of it", "at fill(u, 1) in program \"alone\"");
    }
  }
}

TEST(MemoryChecks, AStrideWhoseReachHasMoreThan32Bits) {
  for (const int stride : {1 << 28, -(1 << 28)}) {  // the fifth element 2^32 bytes away
    Fabric fabric = checked(one_pe([=](PeProgram& pe) {
      const PeVector u = pe.array<float>("u", 16);
      const PeScalar step = pe.scalar<int>("step");
      pe.set(step, stride);
      pe.fill(u.slice(5, 5).strided_by(step), 1.0F);
    }));
    expect_error(
        ErrorCategory::program, [&] { fabric.run_until_idle(kFarLimit); },
        "a view of u is moved out of it");
  }
}

TEST(MemoryChecks, CostFourInstructionsForAView) {
  const auto cycles = [](bool check) {
    Fabric fabric = moved(0, 1, [](const PeVector& u) {
                      return u.slice(0, kCount);
                    }).fabric(test_machine(), test_options(), check);
    fabric.run_until_idle(kFarLimit);
    return fabric.cycle();
  };
  // Destination and source are two views.
  EXPECT_EQ(cycles(true), cycles(false) + 8 * static_cast<unsigned>(test_machine().scalar_cycles));
}

/// The values are the same as without checks.
TEST(MemoryChecks, ChangeNoResult) {
  const Design design = moved(8, 3, [](const PeVector& u) { return u.slice(0, kCount); });
  Fabric with = checked(design);
  with.run_until_idle(kFarLimit);
  EXPECT_EQ(with.read<float>({0, 0, 1, 1}, "u"), run(design).read<float>({0, 0, 1, 1}, "u"));
}

}  // namespace
}  // namespace weft::test::memory_checks_test
