// Patterns of several operations in a PE that go on beside the core: the same results, cycles that
// hide behind computation, and the checks that follow their steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "expect_error.hpp"
#include "pattern_case.hpp"

namespace weft::test::steps_test {
namespace {

using Use = std::function<std::vector<PeOperation>(PeProgram&, const PeVector& a, const PeVector& b,
                                                   bool starts)>;

/// A pattern over a design, and the elements of its two vectors.
struct Case {
  const char* name;
  int first, second;  ///< elements
  int steps;          ///< that begin in tasks, one after the other, on the way of an element
  bool is_exact;      ///< no streams overlap that do not when the core waits
  std::function<Use(Design&, const Rect&)> make;
};

constexpr int kPes = 5;

/// Of n elements in a vector or a part.
std::vector<Case> cases(int n) {
  constexpr int p = kPes;
  const auto all_reduce = [](AllReduce::By by) {
    return [by](Design& d, const Rect& where) -> Use {
      return [all = AllReduce(d, where, Along::rows, by)](PeProgram& pe, const PeVector& a,
                                                          const PeVector&, bool starts) {
        if (starts) return all.start(pe, a, ReduceOperation::sum);
        all.reduce(pe, a, ReduceOperation::sum);
        return std::vector<PeOperation>{};
      };
    };
  };
  return {
      {"all-reduce by a chain", n, 1, 1, true, all_reduce(AllReduce::By::chain)},
      {"all-reduce by a tree", n, 1, 3, true, all_reduce(AllReduce::By::tree)},
      {"tree", n, 1, 2, true,
       [](Design& d, const Rect& where) -> Use {
         return [tree = ReduceTree(d, where, Along::rows)](PeProgram& pe, const PeVector& a,
                                                           const PeVector&, bool starts) {
           if (starts) return tree.start(pe, a, ReduceOperation::sum);
           tree.reduce(pe, a, ReduceOperation::sum);
           return std::vector<PeOperation>{};
         };
       }},
      {"gather", n, n * p, 1, false,
       [](Design& d, const Rect& where) -> Use {
         return [gather = Gather(d, where, Along::rows)](PeProgram& pe, const PeVector& a,
                                                         const PeVector& b, bool starts) {
           if (starts) return gather.start(pe, a, b);
           gather.gather(pe, a, b);
           return std::vector<PeOperation>{};
         };
       }},
      {"all-to-all", n * p, n * p, 8, false,
       [](Design& d, const Rect& where) -> Use {
         return [exchange = AllToAll(d, where, Along::rows)](PeProgram& pe, const PeVector& a,
                                                             const PeVector& b, bool starts) {
           if (starts) return exchange.start(pe, a, b);
           exchange.exchange(pe, a, b);
           return std::vector<PeOperation>{};
         };
       }},
      {"ring transpose", n * p, n * p, 1, false,
       [](Design& d, const Rect& where) -> Use {
         return [ring = RingTranspose(d, where, Along::rows)](PeProgram& pe, const PeVector& a,
                                                              const PeVector& b, bool starts) {
           if (starts) return ring.start(pe, a, b);
           ring.transpose(pe, a, b);
           return std::vector<PeOperation>{};
         };
       }},
  };
}

const Rect kWhere{1, 0, 5, 2};

/// Twice, so that the second use finds all as the first one did; with work between, where there is.
Design twice(const Case& c, bool starts, int work, bool in_a_loop = false) {
  Design d(7, 2);
  const Use use = c.make(d, kWhere);
  d.program(kWhere, "uses", [&](PeProgram& pe) {
    const PeVector a = own_numbers(pe, "a", c.first), b = pe.array<std::int32_t>("b", c.second),
                   w = own_numbers(pe, "w", 200);
    const PeScalar times = pe.scalar<int>("times");
    const auto round = [&] {
      const std::vector<PeOperation> operations = use(pe, a, b, starts);
      if (work > 0) pe.repeat(work, [&] { pe.add(w, w, 1); });
      pe.wait(operations);
      pe.add(times, times, 1);
    };
    if (in_a_loop) return pe.repeat(2, round), pe.store(w.at(0), times);
    round();
    round();
    pe.store(w.at(0), times);
  });
  return d;
}

Fabric checked(const Design& d) {
  Fabric f = d.fabric(test_machine(), test_options(), true);
  f.run_until_idle(kFarLimit);
  return f;
}

TEST(Steps, LeaveWhatTheBlockingFormLeaves) {
  for (const Case& c : cases(6)) {
    const Fabric blocking = checked(twice(c, false, 0));
    for (const auto& [work, in_a_loop] : {std::pair{0, false}, {3, false}, {0, true}, {3, true}}) {
      const Fabric started = checked(twice(c, true, work, in_a_loop));
      for (const char* symbol : {"a", "b"}) {
        // A tree and a transpose overwrite what they send as they like.
        if (symbol == std::string("a") && c.name == std::string("ring transpose")) continue;
        EXPECT_EQ(blocking.read<std::int32_t>(kWhere, symbol),
                  started.read<std::int32_t>(kWhere, symbol))
            << c.name << ", " << symbol << ", work " << work << ", loop " << in_a_loop;
      }
    }
  }
}

/// Cycles of a use with so much work beside or behind it, in the PE that takes longest.
int cycles(const Case& c, const Machine& machine, bool uses, bool starts, int work) {
  Design d(5, 1);
  const Use use = uses ? c.make(d, d.all()) : Use{};
  PeVector a, b, w;
  const auto taken = cycles_of(
      d, machine,
      [&](PeProgram& pe) {
        a = pe.array<std::int32_t>("a", c.first);
        b = pe.array<std::int32_t>("b", c.second);
        w = pe.array<std::int32_t>("w", 40);
      },
      [&](PeProgram& pe) {
        std::vector<PeOperation> operations;
        if (uses) operations = use(pe, a, b, starts);
        for (int k = 0; k < work; ++k) {
          pe.add(w, w, 1);
          pe.pause();  // steps go on where the core is free
        }
        pe.wait(operations);
      });
  return std::ranges::max(taken);
}

/// Beside nothing, each further step and the code below the wait begin with the start of a task in
/// place of an instruction. Where streams overlap that do not when the core waits, that is the
/// most.
TEST(Steps, TakeTheirCyclesAndTheStartsOfTasks) {
  for (const Machine& machine : kMachines)
    for (const int n : {1, 6, 40})
      for (const Case& c : cases(n)) {
        const int blocking = cycles(c, machine, true, false, 0),
                  started = cycles(c, machine, true, true, 0);
        const int start = machine.task_start_cycles - machine.scalar_cycles;
        const int most = blocking + (c.steps + 1) * (start + 4 * machine.scalar_cycles);
        EXPECT_LE(started, most) << c.name << ", " << machine.name << ", " << n;
        if (c.is_exact) {
          EXPECT_EQ(started, blocking + (c.steps + 1) * start)
              << c.name << ", " << machine.name << ", " << n;
        }
      }
}

/// Work in pieces, between which steps go on.
TEST(Steps, HideBehindComputation) {
  for (const Case& c : cases(60)) {
    const Machine machine;
    const int alone = cycles(c, machine, true, false, 0),
              work = cycles(c, machine, false, false, 8),
              together = cycles(c, machine, true, true, 8);
    EXPECT_LT(together, alone + work - std::min(alone, work) / 2) << c.name;
  }
}

TEST(Steps, AreFollowedByChecks) {
  for (const Case& c : cases(6)) {
    const auto uses_early = [&](bool of_other) {
      Design d(5, 1);
      const Use use = c.make(d, d.all());
      d.program(d.all(), "early", [&](PeProgram& pe) {
        const PeVector a = own_numbers(pe, "a", c.first), b = pe.array<std::int32_t>("b", c.second),
                       w = pe.array<std::int32_t>("w", c.first);
        const std::vector<PeOperation> operations = use(pe, a, b, true);
        pe.add(of_other ? w : a, of_other ? w : a, 1);
        pe.wait(operations);
        pe.add(a, a, 1);
      });
      checked(d);
    };
    EXPECT_NO_THROW(uses_early(true)) << c.name;
    expect_error(
        ErrorCategory::program, [&] { uses_early(false); }, "add(a, a, 1)", "fills a, which");
  }
}

TEST(Steps, GoOneAtATime) {
  using Written =
      std::function<void(PeProgram&, const std::function<std::vector<PeOperation>(bool)>&)>;
  const auto refused = [](const Case& c, const char* message, const Written& write) {
    SCOPED_TRACE(c.name);
    Design d(5, 1);
    const Use use = c.make(d, d.all());
    expect_error(
        ErrorCategory::program,
        [&] {
          d.program(d.all(), "two", [&](PeProgram& pe) {
            const PeVector a = pe.array<std::int32_t>("a", c.first),
                           b = pe.array<std::int32_t>("b", c.second);
            write(pe, [&](bool starts) { return use(pe, a, b, starts); });
          });
        },
        message);
  };
  for (const Case& c : cases(6)) {
    for (const bool starts : {true, false}) {
      refused(c, ": another one is under way", [=](PeProgram&, const auto& use) {
        use(true);
        use(starts);
      });
      refused(c, ": another one is under way", [=](PeProgram& pe, const auto& use) {
        const Task end = pe.task("end", [] {});
        for (PeOperation& operation : use(true)) operation.then_activate(end);
        use(starts);
      });
    }
    const char* again = "the code that starts it comes again, and does not wait for it";
    refused(c, again, [](PeProgram& pe, const auto& use) {
      std::vector<PeOperation> operations;
      pe.repeat(2, [&] { operations = use(true); });
      pe.wait(operations);
    });
    refused(c, again, [](PeProgram& pe, const auto& use) {
      const Task end = pe.task("end", [] {});
      pe.repeat(2, [&] {
        for (PeOperation& operation : use(true)) operation.then_activate(end);
      });
    });
    refused(c, again, [](PeProgram& pe, const auto& use) {
      const PeSubroutine starts = pe.subroutine("starts", [&] { use(true); });
      pe.call(starts);
    });
  }
}

/// Of two chains the first to end starts the task too; the last one starts it at the end of all.
TEST(Steps, MayTellATaskOfTheirEnd) {
  for (const Case& c : cases(6)) {
    const auto seen = [&](bool starts) {
      Design d(5, 1);
      const Use use = c.make(d, d.all());
      d.program(d.all(), "told", [&](PeProgram& pe) {
        const PeVector a = own_numbers(pe, "a", c.first), b = pe.array<std::int32_t>("b", c.second),
                       of_a = pe.array<std::int32_t>("of a", c.first),
                       of_b = pe.array<std::int32_t>("of b", c.second);
        const Task end = pe.task("end", [&] {
          pe.copy(of_a, a);
          pe.copy(of_b, b);
        });
        for (PeOperation& operation : use(pe, a, b, starts)) operation.then_activate(end);
        if (!starts) pe.activate(end);
      });
      const Fabric f = run(d);
      std::vector<std::int32_t> all = f.read<std::int32_t>(d.all(), "of b");
      if (c.name == std::string("ring transpose")) return all;  // it overwrites a as it likes
      std::ranges::copy(f.read<std::int32_t>(d.all(), "of a"), std::back_inserter(all));
      return all;
    };
    EXPECT_EQ(seen(true), seen(false)) << c.name;
  }
}

}  // namespace
}  // namespace weft::test::steps_test
