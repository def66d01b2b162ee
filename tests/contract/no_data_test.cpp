// Fabrics without data: the same cycles, and nothing but control wavelets carries a payload.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "weft/design.hpp"

namespace weft::test::no_data_test {
namespace {

constexpr int kColor = 5, kEntry = 6;

FabricOptions no_data() {
  FabricOptions options;
  options.data = false;
  return options;
}

/// A line of three PEs on which the first sends to the others; `receive` tells what these do.
Mesh line(const std::function<void(Pe&)>& send, const std::function<void(Pe&)>& receive) {
  Mesh mesh(3);
  mesh.line(kColor, 4);
  send(mesh.pe(0));
  receive(mesh.pe(1));
  receive(mesh.pe(2));
  return mesh;
}

TEST(NoData, TasksGetZeroInTheSameCycle) {
  const auto mesh = [] {
    return line(
        [](Pe& pe) {
          pe.send(3, kColor, {7, 8, 9});
        },
        [](Pe& pe) { pe.catch_data(kColor); });
  };
  Mesh with = mesh(), without = mesh();
  with.run();
  without.start(no_data());
  without.run();
  for (const int x : {1, 2}) {
    const std::vector<Caught> data = with.caught(x), none = without.caught(x);
    EXPECT_EQ(payloads(data), (std::vector<std::uint32_t>{7, 8, 9}));
    EXPECT_EQ(payloads(none), (std::vector<std::uint32_t>{0, 0, 0}));
    ASSERT_EQ(data.size(), none.size());
    for (std::size_t i = 0; i < data.size(); ++i) EXPECT_EQ(data[i].cycle, none[i].cycle);
  }
  EXPECT_EQ(with.fabric().cycle(), without.fabric().cycle());
}

/// A control wavelet of which the control task sees `low`.
std::uint32_t control(std::uint32_t low) {
  ControlWavelet wavelet;
  wavelet.slots[0].no_core = false;
  wavelet.entry = kEntry;
  return (wavelet.payload() & 0xffff0000U) | low;
}

TEST(NoData, TasksGetZeroEvenWhereAControlWaveletWasBefore) {
  Mesh mesh = line([](Pe& pe) { pe.send_control(3, kColor, {control(5)}).send(3, kColor, {7}); },
                   [](Pe& pe) { pe.catch_control(kEntry).catch_data(kColor); });
  mesh.start(no_data());
  mesh.run();
  for (const int x : {1, 2})
    EXPECT_EQ(payloads(mesh.caught(x)), (std::vector<std::uint32_t>{5, 0}));
}

TEST(NoData, ControlWaveletsKeepTheirPayloads) {
  const std::vector<std::uint32_t> words{control(1), control(2), control(3), control(4)};
  const auto mesh = [&] {
    return line([&](Pe& pe) { pe.send_control(3, kColor, words); },
                [](Pe& pe) { pe.catch_control(kEntry).unblock(kColor); });
  };
  Mesh with = mesh(), without = mesh();
  with.run();
  without.start(no_data());
  without.run();
  for (const int x : {1, 2}) {
    EXPECT_EQ(payloads(with.caught(x)), (std::vector<std::uint32_t>{1, 2, 3, 4}));
    EXPECT_EQ(with.caught(x), without.caught(x));
  }
}

TEST(NoData, MicrothreadsTakeTheirCyclesAndLeaveMemoryAlone) {
  const auto mesh = [] {
    return line([](Pe& pe) { pe.send(3, kColor, counting(9)); }, [](Pe& pe) { pe.receive(4, 9); });
  };
  Mesh with = mesh(), without = mesh();
  with.run();
  without.start(no_data());
  without.run();
  EXPECT_EQ(with.received(2, 0, 4), counting(9));
  EXPECT_TRUE(without.received(2, 0, 4).empty()) << "memory was not touched";
  EXPECT_EQ(with.fabric().cycle(), without.fabric().cycle());
  EXPECT_EQ(with.fabric().counters().hops, without.fabric().counters().hops);
}

TEST(NoData, VectorInstructionsTakeTheirCyclesAndComputeNothing) {
  const auto code = [](ProgramBuilder& b) {
    b.reserve("array", 64);
    b.start(b.local_task(0));
    b.dbase(Dsr{1}, 0);
    b.dstride(Dsr{1}, 1);
    b.dlen(Dsr{1}, 12);
    b.li(Reg{1}, 5);
    b.vmov32r(Dsr{1}, Reg{1});
    b.tsc(Reg{2});
    b.sw(Reg{2}, Reg{0}, 60);
    b.end();
  };
  std::vector<std::uint32_t> words[2];
  for (const bool data : {false, true}) {
    ProgramBuilder b("vector");
    code(b);
    FabricOptions options;
    options.data = data;
    Fabric fabric(alone(b.build()), test_machine(), options);
    fabric.run_until_idle(1000);
    words[data].resize(16);
    fabric.read({0, 0, 1, 1}, 0, words[data]);
  }
  EXPECT_EQ(words[true][11], 5U);
  EXPECT_EQ(words[false][11], 0U);
  EXPECT_EQ(words[false][15], words[true][15]) << "scalars do compute";
  EXPECT_GT(words[true][15], 0U);
}

/// PE 0 sends `sent`; PE 1 receives it, doubles it by scalar instructions, and notes the cycle.
Design sums() {
  Design design(2, 1);
  const Color color = design.color("numbers");
  design.route({0, 0, 1, 1}, color, {.rx = Port::ramp, .tx = Port::east});
  design.route({1, 0, 1, 1}, color, {.rx = Port::west, .tx = Port::ramp});
  design.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
    const PeVector sent = pe.values<float>("sent", {1, 2, 3});
    pe.array<float>("result", 3);
    pe.send(color, sent);
  });
  design.program({1, 0, 1, 1}, "receiver", [&](PeProgram& pe) {
    const PeVector result = pe.array<float>("result", 3), first = pe.array<float>("first", 1);
    const PeVector stamp = pe.array<std::uint32_t>("stamp", 1);
    pe.receive(result, color);
    const PeScalar s = pe.scalar("s", ElementType::f32), now = pe.scalar("now", ElementType::u32);
    pe.load(s, result.at(0));
    pe.add(s, s, s);
    pe.store(first.at(0), s);
    pe.tsc(now);
    pe.store(stamp.at(0), now);
  });
  return design;
}

TEST(NoData, SymbolsThatNobodyComputedCannotBeRead) {
  constexpr Rect kSender{0, 0, 1, 1}, kReceiver{1, 0, 1, 1}, kBoth{0, 0, 2, 1};
  const Design design = sums();
  Fabric with = design.fabric(test_machine()), without = design.fabric(test_machine(), no_data());
  EXPECT_EQ(without.read<float>(kReceiver, "result"), (std::vector<float>{0, 0, 0})) << "not run";
  with.run_until_idle(10'000);
  without.run_until_idle(10'000);
  EXPECT_EQ(with.read<float>(kReceiver, "result"), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(with.read<float>(kReceiver, "first"), std::vector<float>{2});
  for (const auto& [where, symbol] :
       {std::pair{kReceiver, "result"}, {kReceiver, "first"}, {kBoth, "result"}})
    expect_error(
        ErrorCategory::usage,
        [&, &where = where, &symbol = symbol] { without.read<float>(where, symbol); },
        fmt::format("nobody has computed {} (program receiver", symbol),
        "make the fabric with data");
  EXPECT_EQ(without.read<float>(kSender, "result"), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(without.read<float>(kSender, "sent"), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(without.read<std::uint32_t>(kReceiver, "stamp"),
            with.read<std::uint32_t>(kReceiver, "stamp"));
}

TEST(NoData, RangeFiltersAreRefused) {
  Mesh mesh(2);
  mesh.line(kColor, 4);
  Layout layout(2, 1);
  Route route;
  route.rx = Port::west;
  route.tx = Port::ramp;
  route.input_queue = 4;
  layout.route({1, 0, 1, 1}, kColor, route);
  layout.filter({1, 0, 1, 1}, kColor, RangeFilter{2, 5});
  expect_error(
      ErrorCategory::usage, [&] { Fabric(layout, test_machine(), no_data()); }, "range filters",
      "emulate it with data");
  Fabric(layout, test_machine());
}

}  // namespace
}  // namespace weft::test::no_data_test
