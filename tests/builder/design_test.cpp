#include <fmt/format.h>
#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

namespace weft::test::design_test {
namespace {

/// Numbers of a row go one PE to the east, `rounds` times; each PE adds what came to its own.
struct Shift {
  int width, words, rounds;

  void route(Design& design, ColorPair east) const {
    const Rect first{0, 0, width - 1, 1}, last{width - 1, 0, 1, 1}, others{1, 0, width - 1, 1};
    design.route(first, east.even, {.rx = Port::ramp, .tx = Port::east, .swap_east_west = true});
    design.route(last, east.even, {.rx = Port::ramp, .tx = Port::west, .swap_east_west = true});
    design.route(others, east.odd, {.rx = Port::west, .tx = Port::ramp});
  }

  Design design() const {
    Design d(width, 1);
    const ColorPair east = d.color_pair("east");
    route(d, east);
    d.program(d.all(), "shift", [&, east](PeProgram& pe) {
      const PeVector u = pe.array<float>("u", words), v = pe.array<float>("v", words);
      const PeVector end = pe.array<std::int32_t>("end", 1);
      const PeScalar t = pe.scalar<std::int32_t>("t");
      pe.repeat(rounds, [&] {
        std::vector<PeOperation> all;
        if (pe.has_neighbor(Port::east)) all.push_back(pe.send(east.even, u));
        if (pe.has_neighbor(Port::west)) all.push_back(pe.receive(v, east.odd));
        pe.wait(all);
        pe.add(u, u, v);
      });
      pe.tsc(t);
      pe.store(end, t);
    });
    return d;
  }

  /// The same as a person writes it, with numbers.
  Layout by_hand() const {
    Layout layout(width, 1);
    const auto program = [&](bool sends, bool receives) {
      ProgramBuilder p("shift");
      const auto u = static_cast<int>(p.reserve<float>("u", words).address);
      const auto v = static_cast<int>(p.reserve<float>("v", words).address);
      const auto end = static_cast<int>(p.reserve<std::int32_t>("end", 1).address);
      p.start(p.local_task(0));
      p.li(Reg{1}, 0);
      p.dbase(Dsr{0}, u);
      p.dstride(Dsr{0}, 1);
      p.dlen(Dsr{0}, words);
      p.dbase(Dsr{1}, v);
      p.dstride(Dsr{1}, 1);
      if (sends) p.dfabout(Dsr{2}, 2, 0);
      if (receives) {
        p.dfabin(Dsr{3}, 0);
        p.dlen(Dsr{3}, words);
      }
      p.li(Reg{2}, rounds);
      const Label again = p.label();
      p.place(again);
      const Task next{TaskKind::local, 1};
      VectorOptions one{true, VectorOptions::AtEnd::activate, next.kind, next.id};
      VectorOptions two = one;
      two.at_end = VectorOptions::AtEnd::unblock;
      if (sends) p.vmov32(Dsr{2}, Dsr{0}, one);
      if (receives) p.vmov32(Dsr{1}, Dsr{3}, sends ? two : one);
      p.end();
      p.local_task(1);
      if (sends && receives) {
        p.start_blocked(next);
        p.block(next);
      }
      p.vfadds(Dsr{0}, Dsr{0}, Dsr{1});
      p.addi(Reg{2}, Reg{2}, -1);
      p.bne(Reg{2}, Reg{1}, again);
      p.tsc(Reg{3});
      p.sw(Reg{3}, Reg{1}, end);
      p.end();
      return p.build();
    };
    layout.place({0, 0, 1, 1}, program(true, false));
    layout.place({1, 0, width - 2, 1}, program(true, true));
    layout.place({width - 1, 0, 1, 1}, program(false, true));
    const Rect first{0, 0, width - 1, 1}, last{width - 1, 0, 1, 1}, others{1, 0, width - 1, 1};
    layout.route(first, 0, {.rx = Port::ramp, .tx = Port::east, .swap_east_west = true});
    layout.route(last, 0, {.rx = Port::ramp, .tx = Port::west, .swap_east_west = true});
    Route in{.rx = Port::west, .tx = Port::ramp};
    in.input_queue = 0;
    layout.route(others, 1, in);
    return layout;
  }
};

TEST(Design, TakesNoMoreCyclesThanCodeByHand) {
  const Shift shift{.width = 6, .words = 9, .rounds = 4};
  const Design design = shift.design();
  EXPECT_EQ(design.programs(), 3);
  std::vector<float> start;
  for (int i = 0; i < shift.width * shift.words; ++i) start.push_back(static_cast<float>(i));
  const auto ends = [&](Fabric fabric) {
    fabric.write<float>({0, 0, shift.width, 1}, "u", start);
    fabric.run_until_idle(kFarLimit);
    return std::pair{fabric.read<std::int32_t>({0, 0, shift.width, 1}, "end"),
                     fabric.read<float>({0, 0, shift.width, 1}, "u")};
  };
  const Machine machine = test_machine();
  const auto by_design = ends(design.fabric(machine, test_options()));
  const auto by_hand = ends(Fabric(shift.by_hand(), machine, test_options()));
  EXPECT_EQ(by_design.second, by_hand.second);
  for (std::size_t x = 0; x < by_hand.first.size(); ++x)
    EXPECT_LE(by_design.first[x], by_hand.first[x]) << "at PE " << x;
}

TEST(Design, OneProgramForAllWhoAnswerAlike) {
  Design d(512, 512);
  int runs = 0;
  d.program(d.all(), "edges", [&](PeProgram& pe) {
    ++runs;
    for (const Port side : {Port::west, Port::east, Port::north, Port::south})
      if (pe.has_neighbor(side))
        pe.array<float>("side " + std::to_string(static_cast<int>(side)), 1);
  });
  EXPECT_EQ(d.programs(), 9);
  EXPECT_EQ(runs, 9);
  EXPECT_EQ(d.layout().placements().size(), 9U);
}

TEST(Design, QuestionsMayFollowFromAnswers) {
  Design d(4, 4);
  d.program(d.all(), "tree", [&](PeProgram& pe) {
    if (pe.where([](int x, int) { return x < 2; }))
      pe.array<float>("n", 1 + pe.pick([](int, int y) { return y; }));
    else if (pe.where([](int, int y) { return y == 0; }))
      pe.array<float>("top", 1);
  });
  EXPECT_EQ(d.programs(), 4 + 2);
  const Fabric f = d.fabric();
  EXPECT_EQ(f.read<float>({1, 2, 1, 1}, "n").size(), 3U);
  EXPECT_EQ(f.read<float>({2, 0, 2, 1}, "top").size(), 2U);
}

TEST(Design, ParametersAreThePesOwnWithoutProgramsOfTheirOwn) {
  Design d(3, 2);
  d.program(d.all(), "own", [](PeProgram& pe) {
    const PeVector out = pe.array<std::int32_t>("out", 2);
    const PeVector mine =
        pe.parameter<std::int32_t>("mine", [](int x, int y) { return 10 * y + x; });
    const PeVector odd = pe.values<Half>("odd", {Half(1.0F), Half(2.0F), Half(3.0F)});
    const PeScalar s = pe.scalar<std::int32_t>("s");
    pe.load(s, mine);
    pe.store(out.at(0), s);
    pe.add(s, pe.x(), pe.y());
    pe.store(out.at(1), s);
  });
  EXPECT_EQ(d.programs(), 1);
  const Fabric f = run(d);
  EXPECT_EQ(f.read<std::int32_t>(d.all(), "out"),
            (std::vector<std::int32_t>{0, 0, 1, 1, 2, 2, 10, 1, 11, 2, 12, 3}));
  EXPECT_EQ(static_cast<float>(f.read<Half>({2, 1, 1, 1}, "odd")[2]), 3.0F);
}

TEST(Design, WaitsForManyInEachRound) {
  // Both neighbours in both directions, with words of unequal number, many rounds.
  Design d(5, 1);
  const ColorPair east = d.color_pair("east"), west = d.color_pair("west");
  Shift{.width = 5, .words = 0, .rounds = 0}.route(d, east);
  d.route({1, 0, 4, 1}, west.even, {.rx = Port::ramp, .tx = Port::west, .swap_east_west = true});
  d.route({0, 0, 1, 1}, west.even, {.rx = Port::ramp, .tx = Port::east, .swap_east_west = true});
  d.route({0, 0, 4, 1}, west.odd, {.rx = Port::east, .tx = Port::ramp});
  d.program(d.all(), "both", [&](PeProgram& pe) {
    const PeVector u = pe.values<std::int32_t>("u", {1, 1, 1, 1, 1, 1, 1, 1});
    const PeVector from_west = pe.array<std::int32_t>("from west", 8);
    const PeVector from_east = pe.array<std::int32_t>("from east", 3);
    pe.repeat(5, [&] {
      std::vector<PeOperation> all;
      if (pe.has_neighbor(Port::east)) {
        all.push_back(pe.send(east.even, u));
        all.push_back(pe.receive(from_east, west.odd));
      }
      if (pe.has_neighbor(Port::west)) {
        all.push_back(pe.send(west.even, u.slice(0, 3)));
        all.push_back(pe.receive(from_west, east.odd));
      }
      pe.wait(all);
      pe.add(u, u, from_west);
      pe.add(u.slice(0, 3), u.slice(0, 3), from_east);
    });
  });
  std::vector<std::vector<std::int32_t>> u(5, std::vector<std::int32_t>(8, 1));
  for (int round = 0; round < 5; ++round) {
    const auto before = u;
    for (std::size_t x = 0; x < 5; ++x)
      for (std::size_t i = 0; i < 8; ++i)
        u[x][i] += (x > 0 ? before[x - 1][i] : 0) + (x < 4 && i < 3 ? before[x + 1][i] : 0);
  }
  const Fabric f = run(d);
  for (int x = 0; x < 5; ++x)
    EXPECT_EQ(f.read<std::int32_t>({x, 0, 1, 1}, "u"), u[static_cast<std::size_t>(x)]) << x;
}

TEST(Design, TasksByNameAndData) {
  Design d(2, 1);
  const Color color = d.color("numbers");
  d.route({0, 0, 1, 1}, color, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, color, {.rx = Port::west, .tx = Port::ramp});
  d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
    const PeVector done = pe.array<std::int32_t>("done", 1);
    const Task last = pe.task("last", [&] { pe.store(done, pe.constant(1, ElementType::i32)); });
    pe.send(color, pe.values<std::int32_t>("n", {3, 4, 5})).then_activate(last);
  });
  d.program({1, 0, 1, 1}, "adder", [&](PeProgram& pe) {
    const PeVector out = pe.array<std::int32_t>("sum", 1);
    const PeScalar sum = pe.scalar<std::int32_t>("sum");
    pe.on_data<std::int32_t>(color, [&](PeScalar word) {
      pe.add(sum, sum, word);
      pe.store(out, sum);
    });
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<std::int32_t>({1, 0, 1, 1}, "sum"), (std::vector<std::int32_t>{12}));
  EXPECT_EQ(f.read<std::int32_t>({0, 0, 1, 1}, "done"), (std::vector<std::int32_t>{1}));
}

TEST(Design, ControlTasksByName) {
  Design d(2, 1);
  const Color color = d.color("orders");
  EXPECT_EQ(d.control_entry("first"), 0);
  const int entry = d.control_entry("second");
  EXPECT_EQ(entry, 1);
  expect_error(
      ErrorCategory::program, [&] { d.control_entry("third", 1); },
      "control entry 1 is not free for third (second has it)");
  d.route({0, 0, 1, 1}, color, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, color, {.rx = Port::west, .tx = Port::ramp});
  ControlWavelet order;
  order.entry = entry;
  order.slots[0].no_core = false;
  d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
    pe.copy(pe.to(color, true), pe.values<std::uint32_t>("order", {order.payload()}));
  });
  d.program({1, 0, 1, 1}, "receiver", [&](PeProgram& pe) {
    pe.input_queue(color, 1);
    pe.start_unblocked(color);
    const PeVector done = pe.array<std::int32_t>("done", 1);
    pe.on_control(entry, [&](PeScalar) { pe.store(done, pe.constant(5, ElementType::i32)); });
  });
  EXPECT_EQ(run(d).read<std::int32_t>({1, 0, 1, 1}, "done"), (std::vector<std::int32_t>{5}));
}

TEST(Design, FifosKeepWhatComesBetweenTwoTasks) {
  Design d(2, 1);
  const Color color = d.color("numbers");
  d.route({0, 0, 1, 1}, color, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, color, {.rx = Port::west, .tx = Port::ramp});
  d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
    pe.send(color, pe.values<std::int32_t>("n", {7, 8, 9}));
  });
  d.program({1, 0, 1, 1}, "receiver", [&](PeProgram& pe) {
    const FifoId fifo = pe.fifo("between", 3);
    const PeVector out = pe.array<std::int32_t>("out", 3);
    pe.input_queue(color, 1);
    pe.dfabin(Dsr{0}, 1);
    pe.dlen(Dsr{0}, 3);
    pe.dfifo(Dsr{1}, fifo);
    pe.dlen(Dsr{1}, 3);
    pe.dbase(Dsr{2}, static_cast<int>(out.address()));
    pe.dstride(Dsr{2}, 1);
    pe.vmov32(Dsr{1}, Dsr{0});
    pe.vmov32(Dsr{2}, Dsr{1});
  });
  EXPECT_EQ(run(d).read<std::int32_t>({1, 0, 1, 1}, "out"), (std::vector<std::int32_t>{7, 8, 9}));
}

TEST(Design, GivesBackTheColorsOfStreamsThatItRefuses) {
  Design d(2, 2);
  const Rect west{0, 0, 1, 2};
  const Color first = d.host_input("in", west, Port::west);
  for (int k = 0; k < kColors; ++k) {
    expect_error(
        ErrorCategory::layout, [&] { d.host_input("in", west, Port::west); },
        "there is a host stream in already");
    expect_error(
        ErrorCategory::layout, [&] { d.host_output("in", west, Port::west); },
        "there is a host stream in already");
    expect_error(
        ErrorCategory::layout, [&] { d.host_output("out", west, Port::east); },
        "is not at an edge");
  }
  EXPECT_EQ(d.host_output("out", west, Port::west), first + 1);
}

TEST(Design, RefusesWhatCannotBe) {
  Design d(2, 2);
  const Color c = d.color("mine", 7);
  expect_error(
      ErrorCategory::program, [&] { d.color("other", 7); },
      "color 7 is not free for other (mine has it)");
  d.route({0, 0, 1, 1}, c, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, c, {.rx = Port::west, .tx = Port::ramp});
  d.program({0, 0, 2, 1}, "deaf", [](PeProgram&) {});
  expect_error(
      ErrorCategory::layout, [&] { (void)d.layout(); },
      "color 7 (mine) leads to the core of PE (1, 0), and nobody takes it there");
  expect_error(
      ErrorCategory::program,
      [&] {
        d.program({0, 1, 2, 1}, "twice", [&](PeProgram& pe) {
          pe.output_queue(c, 1);
          pe.output_queue(c, 2);
        });
      },
      "invalid output queue of color 7 (mine): 2");
  expect_error(
      ErrorCategory::layout, [&] { d.program(d.all(), "second", [](PeProgram&) {}); },
      "PE (0, 0) has two programs (program deaf and second)");
  expect_error(
      ErrorCategory::layout,
      [&] {
        d.program({1, 1, 2, 1}, "far", [](PeProgram&) {});
      },
      "is outside the fabric");
  expect_error(
      ErrorCategory::layout,
      [&] {
        d.route({0, 0, 2, 1}, c, {.rx = Port::ramp, .tx = {Port::ramp, Port::east}});
      },
      "leads off the fabric");
  for (int k = 0; k < kColors - 1; ++k) d.color(fmt::format("c{}", k));
  expect_error(
      ErrorCategory::program, [&] { d.color("one more"); }, "no color is left for one more");
}

}  // namespace
}  // namespace weft::test::design_test
