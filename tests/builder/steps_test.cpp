// Patterns of several operations in a PE that go on beside the core: the same results, cycles that
// hide behind computation, and the checks that follow their steps.
#include <gtest/gtest.h>

#include <algorithm>

#include "expect_error.hpp"
#include "pattern_case.hpp"

namespace weft::test::steps_test {
namespace {

using Use = std::function<std::vector<PeOperation>(PeProgram&, const PeVector& a, const PeVector& b,
                                                   bool starts)>;

/// A pattern over a design, and the elements of its two vectors.
struct Case {
  const char* name;
  int first, second;
  std::function<Use(Design&, const Rect&)> make;
};

const std::vector<Case>& cases() {
  constexpr int n = 6, p = 5;
  static const auto all_reduce = [](AllReduce::By by) {
    return [by](Design& d, const Rect& where) -> Use {
      return [all = AllReduce(d, where, Along::rows, by)](PeProgram& pe, const PeVector& a,
                                                          const PeVector&, bool starts) {
        if (starts) return all.start(pe, a, ReduceOperation::sum);
        all.reduce(pe, a, ReduceOperation::sum);
        return std::vector<PeOperation>{};
      };
    };
  };
  static const std::vector<Case> all{
      {"all-reduce by a chain", n, 1, all_reduce(AllReduce::By::chain)},
      {"all-reduce by a tree", n, 1, all_reduce(AllReduce::By::tree)},
      {"tree", n, 1,
       [](Design& d, const Rect& where) -> Use {
         return [tree = ReduceTree(d, where, Along::rows)](PeProgram& pe, const PeVector& a,
                                                           const PeVector&, bool starts) {
           if (starts) return tree.start(pe, a, ReduceOperation::sum);
           tree.reduce(pe, a, ReduceOperation::sum);
           return std::vector<PeOperation>{};
         };
       }},
      {"gather", n, n * p,
       [](Design& d, const Rect& where) -> Use {
         return [gather = Gather(d, where, Along::rows)](PeProgram& pe, const PeVector& a,
                                                         const PeVector& b, bool starts) {
           if (starts) return gather.start(pe, a, b);
           gather.gather(pe, a, b);
           return std::vector<PeOperation>{};
         };
       }},
      {"all-to-all", n * p, n * p,
       [](Design& d, const Rect& where) -> Use {
         return [exchange = AllToAll(d, where, Along::rows)](PeProgram& pe, const PeVector& a,
                                                             const PeVector& b, bool starts) {
           if (starts) return exchange.start(pe, a, b);
           exchange.exchange(pe, a, b);
           return std::vector<PeOperation>{};
         };
       }},
      {"ring transpose", n * p, n * p,
       [](Design& d, const Rect& where) -> Use {
         return [ring = RingTranspose(d, where, Along::rows)](PeProgram& pe, const PeVector& a,
                                                              const PeVector& b, bool starts) {
           if (starts) return ring.start(pe, a, b);
           ring.transpose(pe, a, b);
           return std::vector<PeOperation>{};
         };
       }},
  };
  return all;
}

const Rect kWhere{1, 0, 5, 2};

/// Twice, so that the second use finds all as the first one did; with work between, where there is.
Design twice(const Case& c, bool starts, int work) {
  Design d(7, 2);
  const Use use = c.make(d, kWhere);
  d.program(kWhere, "uses", [&](PeProgram& pe) {
    const PeVector a = own_numbers(pe, "a", c.first), b = pe.array<std::int32_t>("b", c.second),
                   w = own_numbers(pe, "w", 200);
    const PeScalar times = pe.scalar<int>("times");
    for (int k = 0; k < 2; ++k) {
      const std::vector<PeOperation> operations = use(pe, a, b, starts);
      if (work > 0) pe.repeat(work, [&] { pe.add(w, w, 1); });
      pe.wait(operations);
      pe.add(times, times, 1);
    }
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
  for (const Case& c : cases()) {
    const Fabric blocking = checked(twice(c, false, 0));
    for (const int work : {0, 3}) {
      const Fabric started = checked(twice(c, true, work));
      for (const char* symbol : {"a", "b"}) {
        // A tree and a transpose overwrite what they send as they like.
        if (symbol == std::string("a") && c.name == std::string("ring transpose")) continue;
        EXPECT_EQ(blocking.read<std::int32_t>(kWhere, symbol),
                  started.read<std::int32_t>(kWhere, symbol))
            << c.name << ", " << symbol << ", work " << work;
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

TEST(Steps, HideBehindComputation) {
  for (const Case& c : cases()) {
    const Machine machine;
    const int alone = cycles(c, machine, true, false, 0),
              work = cycles(c, machine, false, false, 5),
              together = cycles(c, machine, true, true, 5),
              after_another = cycles(c, machine, true, false, 5);
    EXPECT_LT(together, after_another) << c.name << ": " << alone << " and " << work;
    printf("%s: alone %d, work %d, together %d, one after the other %d; started alone %d\n", c.name,
           alone, work, together, after_another, cycles(c, machine, true, true, 0));
  }
}

TEST(Steps, AreFollowedByChecks) {
  for (const Case& c : cases()) {
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

TEST(Steps, OfARingGoOneAtATime) {
  Design d(4, 1);
  const RingTranspose ring(d, d.all(), Along::rows);
  expect_error(
      ErrorCategory::program,
      [&] {
        d.program(d.all(), "two", [&](PeProgram& pe) {
          const PeVector a = pe.array<float>("a", 8), b = pe.array<float>("b", 8);
          ring.start(pe, a, b);
          ring.start(pe, a, b);
        });
      },
      "ring transpose: another one is under way");
}

TEST(Steps, MayTellATaskOfTheirEnd) {
  for (const Case& c : cases()) {
    Design d(5, 1);
    const Use use = c.make(d, d.all());
    d.program(d.all(), "told", [&](PeProgram& pe) {
      const PeVector a = own_numbers(pe, "a", c.first), b = pe.array<std::int32_t>("b", c.second),
                     done = pe.array<std::int32_t>("done", 1);
      const Task end = pe.task("end", [&] { pe.add(done, done, 1); });
      for (PeOperation& operation : use(pe, a, b, true)) operation.then_activate(end);
    });
    const Fabric f = run(d);
    for (const int done : f.read<std::int32_t>(d.all(), "done")) EXPECT_GE(done, 1) << c.name;
  }
}

}  // namespace
}  // namespace weft::test::steps_test
