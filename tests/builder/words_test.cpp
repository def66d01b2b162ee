#include <gtest/gtest.h>

#include <set>

#include "expect_error.hpp"
#include "run.hpp"
#include "weft/deadlock.hpp"

/// Errors of a run, in the user's words: colors, arrays, operations and lines.
namespace weft::test::words_test {
namespace {

const std::string kFile = "words_test.cpp:";

/// The error of a run. The host's engine and the reference say the same.
template <class E>
E error_of(const Design& design, std::uint64_t limit = kFarLimit) {
  std::optional<E> error;
  std::string what;
  for (const Engine engine : {Engine::host, Engine::reference}) {
    FabricOptions options;
    options.engine = engine;
    Fabric fabric = design.fabric(test_machine(), options);
    try {
      fabric.run_until_idle(limit);
      ADD_FAILURE() << "no error";
    } catch (const E& e) {
      EXPECT_TRUE(what.empty() || what == e.what()) << what << "\n" << e.what();
      what = e.what();
      error = e;
    }
  }
  return error.value();
}

void expect_has(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

/// PE (0, 0) sends `sent` words to PE (1, 0), which waits for four.
Design pair(int sent) {
  Design d(2, 1);
  const Color east = d.color("halo east", 3);
  d.route({0, 0, 1, 1}, east, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, east, {.rx = Port::west, .tx = Port::ramp});
  d.program({0, 0, 1, 1}, "sender", [=](PeProgram& pe) {
    if (sent > 0) pe.send(east, pe.array<float>("u", sent));
  });
  d.program({1, 0, 1, 1}, "receiver", [=](PeProgram& pe) {
    const PeVector v = pe.array<float>("v", 4);
    pe.name_lines([] { return "heat.cpp:31"; });
    pe.receive(v, east);
  });
  return d;
}

TEST(Words, OfADeadlock) {
  const auto error = error_of<DeadlockError>(pair(2));
  expect_has(error.what(), {"copy(v, from(halo east)) (heat.cpp:31) of PE (1, 0) waits for 2 more "
                            "wavelets of color 3 (halo east)"});
  expect_has(explain(error.report()),
             {"the task of PE (1, 0), at copy(v, from(halo east)) (heat.cpp:31), waits for "
              "copy(v, from(halo east)) (heat.cpp:31) of PE (1, 0) (2 elements to go)"});
  EXPECT_EQ(error.report().causes.at(0).stuck.at(0).name, "copy(v, from(halo east)) (heat.cpp:31)");
}

TEST(Words, OfTasksThatStayBlocked) {
  const auto error = error_of<DeadlockError>(one_pe([](PeProgram& pe) {
    const Task drain = pe.task("drain", [] {});
    pe.block(drain);
    pe.activate(drain);
  }));
  expect_has(error.what(), {"(drain) of PE (0, 0) is active, but blocked"});
}

TEST(Words, OfFaultsInScalarsAndVectors) {
  const auto fault = [](const std::function<void(PeProgram&, PeVector, PeScalar)>& body) {
    return error_of<FaultError>(one_pe([&](PeProgram& pe) {
      const PeVector u = pe.array<float>("u", 4);
      const PeScalar far = pe.scalar<int>("far");
      pe.set(far, 1 << 20);
      body(pe, u, far);
      pe.tsc(far);
    }));
  };
  const int line = __LINE__ + 2;
  const FaultError vector = fault([](PeProgram& pe, const PeVector& u, PeScalar far) {
    pe.add(u, u.moved_by_bytes(far), 2.5F);
  });
  const std::string at = kFile + std::to_string(line);
  expect_has(vector.reason(), {"PE (0, 0), at add(u, u, 2.5) in program \"alone\", " + at});
  EXPECT_EQ(vector.fault().kind, FaultKind::memory_out_of_range);
  EXPECT_GT(vector.fault().instruction, 0);
  const FaultError scalar = fault([](PeProgram& pe, const PeVector& u, PeScalar far) {
    const PeScalar s = pe.scalar<float>("s");
    pe.load(s, u.at(0).moved_by_bytes(far));
  });
  expect_has(scalar.reason(), {"PE (0, 0), at load(s, u) in program \"alone\""});
}

/// A fault in a microthread, while the core is in the middle of something else.
TEST(Words, OfFaultsInMicrothreads) {
  Design d(2, 1);
  const Color east = d.color("east", 3);
  d.route({0, 0, 1, 1}, east, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, east, {.rx = Port::west, .tx = Port::ramp});
  d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) { pe.send(east, pe.array<float>("u", 4)); });
  d.program({1, 0, 1, 1}, "receiver", [&](PeProgram& pe) {
    const PeVector v = pe.array<float>("v", 4);
    const PeScalar far = pe.scalar<int>("far");
    pe.set(far, 1 << 20);
    pe.receive(v.moved_by_bytes(far), east).async();
    pe.repeat(100, [&] { pe.add(v, v, 1.0F); });
  });
  expect_has(error_of<FaultError>(d).reason(),
             {"PE (1, 0), at copy(v, from(east)) in program \"receiver\""});
}

TEST(Words, OfARunThatTakesTooLong) {
  Design d(4, 1);
  const auto program = [&](const Rect& where, const std::string& line) {
    d.program(where, "turns", [&](PeProgram& pe) {
      const PeVector u = pe.array<float>("u", 64);
      pe.name_lines([line] { return line; });
      pe.repeat(1 << 20, [&] { pe.mul(u, u, 2.0F); });
    });
  };
  program({0, 0, 3, 1}, "heat.cpp:7");
  program({3, 0, 1, 1}, "heat.cpp:9");
  expect_has(error_of<LimitError>(d, 5000).reason(),
             {"3 of 4 busy PEs are at mul(u, u, 2) (heat.cpp:7)"});
}

/// Where nobody names anything, numbers stay.
TEST(Words, NoneInALayout) {
  ProgramBuilder p("plain");
  p.start(p.local_task(0));
  p.li(Reg{1}, 6);
  p.lw(Reg{2}, Reg{1});
  p.end();
  Layout layout(1, 1);
  layout.place({0, 0, 1, 1}, p.build());
  Fabric fabric(layout, test_machine());
  try {
    fabric.run_until_idle(100);
    FAIL();
  } catch (const FaultError& e) {
    EXPECT_EQ(e.reason(), "at cycle " + std::to_string(e.fault().cycle) + ", PE (0, 0)");
    EXPECT_EQ(e.fault().instruction, 1);
  }
}

TEST(Words, OfAFaultOfAColor) {
  Layout layout(1, 1);
  layout.name_color(4, "east");
  EXPECT_EQ(layout.color_names().at(4), "east");
  expect_error(
      ErrorCategory::layout, [&] { layout.name_color(24, "none"); }, "color 24");
  ProgramBuilder p("plain");
  p.start(p.local_task(0));
  p.li(Reg{1}, 3);
  p.setpos(4, Reg{1});
  p.end();
  layout.place({0, 0, 1, 1}, p.build());
  Fabric fabric(layout, test_machine());
  expect_error(
      ErrorCategory::program, [&] { fabric.run_until_idle(100); },
      "the switch of color 4 (east) has no position", "PE (0, 0), color 4 (east)");
}

/// Where the operations of a program with this text are written.
std::vector<std::string> lines_of(const Program& program, const std::string& what) {
  std::vector<std::string> lines;
  for (const ProgramNotes::Operation& operation : program.notes.operations)
    if (operation.what == what) lines.push_back(operation.where);
  return lines;
}

TEST(Lines, AreThoseOfTheCalls) {
  using Lines = std::vector<std::string>;
  const auto line = [](int number) { return kFile + std::to_string(number); };
  PeProgram pe("lines");
  const PeVector u = pe.array<float>("u", 4);
  const int first = __LINE__;
  pe.repeat(3, [&] {
    pe.fill(u,  // of several lines, the one that has the name of the method
            2.0F);
  });
  pe.li(Reg{9}, 3);
  const Program program = pe.build();
  EXPECT_EQ(lines_of(program, "fill(u, 2)"), Lines{line(first + 2)});
  // The count of the loop is set, counted down and looked at where the loop is opened.
  EXPECT_EQ(lines_of(program, "repeat(3)"), (Lines{line(first + 1), line(first + 1)}));
  EXPECT_EQ(lines_of(program, "li"), Lines{line(first + 5)});
}

TEST(Words, OfWhatTakesSeveralInstructions) {
  PeProgram pe("words");
  const PeScalar n = pe.scalar<int>("n"), m = pe.scalar<int>("m");
  const PeScalar x = pe.scalar<float>("x");
  pe.range(n, 0, 8, 1, [&] {
    pe.max(m, m, n);
    pe.print("m", m);
    pe.when(m == 3, [&] { pe.add(m, m, 1); });
    pe.when(~((m > 4) | (n < m)), [&] { pe.add(n, n, 1); });
  });
  pe.range(n, 0, 8, 2, [] {});
  pe.repeat_while(n != 4, [&] { pe.sub(n, n, 1); });
  pe.set(x, 2.5F);
  pe.divide(x, x, 3.0F);
  pe.check(m < 9, "small");
  std::set<std::string> words;
  for (const ProgramNotes::Operation& operation : pe.build().notes.operations)
    words.insert(operation.what);
  for (const char* what :
       {"range(n, 0, 8)", "max(m, m, n)", "print(\"m\", m)", "when(m == 3)",
        "when(~((m > 4) | (n < m)))", "range(n, 0, 8, 2)", "repeat_while(n != 4)", "add(m, m, 1)",
        "set(x, 2.5)", "check(\"small\")"})
    EXPECT_TRUE(words.contains(what)) << what;
  for (const char* raw : {"li", "addi", "sw", "tsc", "bne", "beq", "blt"})
    EXPECT_FALSE(words.contains(raw)) << raw;
}

TEST(Lines, OfAPatternAreThoseThatUseIt) {
  Design d(2, 1);
  const NeighborShift shift(d, d.all(), Port::east, "rows");
  int line = 0;
  d.program(d.all(), "shifts", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", 4), v = pe.array<float>("v", 4);
    line = __LINE__ + 1;
    shift.shift(pe, u, v);
  });
  const Layout layout = d.layout();
  const Program& program = *layout.placements()[0].program;
  EXPECT_EQ(lines_of(program, "copy(to(rows), u)"),
            std::vector<std::string>{kFile + std::to_string(line)});
}

TEST(Lines, OfOneProgramAreNotThoseOfTheNext) {
  PeProgram("first").add(PeScalar{}, PeScalar{}, PeScalar{});
  PeProgram second("second");
  second.name_lines([] { return ""; });
  second.add(PeScalar{}, PeScalar{}, PeScalar{});
  EXPECT_EQ(second.build().notes.operations.back().where, "");
}

}  // namespace
}  // namespace weft::test::words_test
