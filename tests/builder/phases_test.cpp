// Phases of a PeProgram: which instructions belong to which.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "support/expect_error.hpp"
#include "weft/weft.hpp"

namespace weft::test::phases_test {
namespace {

using Mark = ProgramNotes::PhaseMark;

/// The phases of the instructions that are of this operation.
std::set<std::string> phases_of(const Program& program, const std::string& what) {
  std::set<std::string> all;
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const auto* operation = program.notes.operation_at(static_cast<std::int64_t>(n));
    if (operation == nullptr || operation->what != what) continue;
    const int phase = program.notes.phase_at(static_cast<std::int64_t>(n));
    all.insert(phase == Mark::kNone ? "none"
               : phase == Mark::kShared
                   ? "shared"
                   : program.notes.phase_names[static_cast<std::size_t>(phase)]);
  }
  return all;
}

using Names = std::set<std::string>;

TEST(PePhases, LastAsLongAsTheirScope) {
  PeProgram p("phases");
  const PeScalar n = p.scalar<std::int32_t>("n");
  p.set(n, 1);
  {
    const auto outer = p.phase("outer");
    p.set(n, 2);
    {
      const auto inner = p.phase("inner");
      p.set(n, 3);
    }
    p.set(n, 4);
  }
  p.set(n, 5);
  const Program program = p.build();
  EXPECT_EQ(phases_of(program, "set(n, 1)"), Names{"none"});
  EXPECT_EQ(phases_of(program, "set(n, 2)"), Names{"outer"});
  EXPECT_EQ(phases_of(program, "set(n, 3)"), Names{"inner"});
  EXPECT_EQ(phases_of(program, "set(n, 4)"), Names{"outer"});
  EXPECT_EQ(phases_of(program, "set(n, 5)"), Names{"none"});
}

TEST(PePhases, MayEndBefore) {
  PeProgram p("phases");
  const PeScalar n = p.scalar<std::int32_t>("n");
  auto phase = p.phase("early");
  p.set(n, 1);
  phase.end();
  p.set(n, 2);
  phase.end();
  const Program program = p.build();
  EXPECT_EQ(phases_of(program, "set(n, 1)"), Names{"early"});
  EXPECT_EQ(phases_of(program, "set(n, 2)"), Names{"none"});
}

TEST(PePhases, HaveTheTasksThatAreWrittenInThem) {
  PeProgram p("phases");
  const PeScalar n = p.scalar<std::int32_t>("n");
  {
    const auto phase = p.phase("with a task");
    p.activate(p.task("later", [&] { p.set(n, 1); }));
  }
  p.task("other", [&] { p.set(n, 2); });
  const Program program = p.build();
  EXPECT_EQ(phases_of(program, "set(n, 1)"), Names{"with a task"});
  EXPECT_EQ(phases_of(program, "set(n, 2)"), Names{"none"});
}

TEST(PePhases, ShareSubroutines) {
  PeProgram p("phases");
  const PeScalar n = p.scalar<std::int32_t>("n");
  const PeSubroutine shared = p.subroutine("shared", [&] { p.set(n, 1); });
  for (const char* name : {"a", "b"}) {
    const auto phase = p.phase(name);
    p.call(shared);
  }
  const Program program = p.build();
  EXPECT_EQ(phases_of(program, "set(n, 1)"), Names{"shared"});
  EXPECT_EQ(program.notes.phase_names, (std::vector<std::string>{"a", "b"}));
}

TEST(PePhases, EndFromTheInsideOut) {
  const auto refused = [](const std::function<void(PeProgram&)>& write) {
    PeProgram p("phases");
    expect_error(
        ErrorCategory::program,
        [&] {
          write(p);
          p.build();
        },
        "not the innermost one", "the inner one first");
  };
  refused([](PeProgram& p) {
    auto a = p.phase("a");
    auto b = p.phase("b");
    a.end();
    b.end();
  });
  refused([](PeProgram& p) {
    PeBlock a = p.open_phase("a");
    (void)p.open_phase("b");
    p.close(a);
  });
  refused([](PeProgram& p) {
    auto a = p.phase("a");
    p.activate(p.task("later", [&] { a.end(); }));
  });
}

TEST(PePhases, HavePrintableNames) {
  for (const std::string name : {"", "a\nb", "\x7f"})
    expect_error(
        ErrorCategory::program, [&] { const auto phase = PeProgram("phases").phase(name); },
        "invalid name of a phase", "printable");
}

TEST(PePhases, AddNoInstruction) {
  const auto code = [](bool named) {
    PeProgram p("phases");
    const PeScalar n = p.scalar<std::int32_t>("n");
    PeBlock phase;
    if (named) phase = p.open_phase("all");
    p.repeat(3, [&] { p.add(n, n, 1); });
    if (named) p.close(phase);
    return p.build().code;
  };
  EXPECT_EQ(code(true), code(false));
}

}  // namespace
}  // namespace weft::test::phases_test
