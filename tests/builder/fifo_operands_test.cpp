#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

/// FIFOs as operands of vector operations.
namespace weft::test::fifo_operands_test {
namespace {

void expect_refused(const std::function<void(PeProgram&)>& program, const std::string& message) {
  expect_error(
      ErrorCategory::program, [&] { (void)one_pe(program); }, message);
}

TEST(FifoOperands, ArePushedAndPopped) {
  const Fabric after = run(one_pe([](PeProgram& pe) {
    const PeVector u = pe.values<float>("u", {1, 2, 3, 4, 5, 6}), v = pe.array<float>("v", 6);
    const PeFifo f = pe.fifo("f", 4);
    pe.copy(f, u);                            // four of six
    pe.copy(v.slice(0, 2), f);                // 1, 2
    pe.add(v.slice(2, 2), u.slice(4, 2), f);  // 5 + 3, 6 + 4
    pe.mul(f, u.slice(0, 2), u.slice(1, 2));  // 2, 6
    pe.fill(f.counted(1), pe.constant(9, ElementType::f32));
    pe.copy(v.slice(4, 2), f);
  }));
  EXPECT_EQ(after.read<float>({}, "v"), (std::vector<float>{1, 2, 8, 10, 2, 6}));
}

TEST(FifoOperands, HaveElementsOfTwoBytes) {
  const Fabric after = run(one_pe([](PeProgram& pe) {
    const PeVector u = pe.values<std::int16_t>("u", {1, -2, 3}), v = pe.array<std::int16_t>("v", 3);
    const PeFifo f = pe.fifo("f", 4, 2), g = pe.fifo("g", 4, 2);
    pe.copy(f, u);
    pe.copy(g, f.counted(3));
    pe.copy(v, g);
  }));
  EXPECT_EQ(after.read<std::int16_t>({}, "v"), (std::vector<std::int16_t>{1, -2, 3}));
}

/// A stream goes into a FIFO and out of it again, both at the same time.
TEST(FifoOperands, StandBetweenStreams) {
  const auto cycles = [](std::uint32_t capacity) {
    Design d(3, 1);
    const Color in = d.color("in"), out = d.color("out");
    d.route({0, 0, 1, 1}, in, {.rx = Port::ramp, .tx = Port::east});
    d.route({1, 0, 1, 1}, in, {.rx = Port::west, .tx = Port::ramp});
    d.route({1, 0, 1, 1}, out, {.rx = Port::ramp, .tx = Port::east});
    d.route({2, 0, 1, 1}, out, {.rx = Port::west, .tx = Port::ramp});
    d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
      pe.send(in, pe.values<int>("u", {1, 2, 3, 4, 5, 6, 7, 8}));
    });
    d.program({1, 0, 1, 1}, "relay", [&](PeProgram& pe) {
      const PeFifo f = pe.fifo("f", capacity);
      pe.copy(f, pe.from(in, 8)).async();
      pe.copy(pe.to(out), f.counted(8)).async();
    });
    d.program({2, 0, 1, 1}, "receiver",
              [&](PeProgram& pe) { pe.receive(pe.array<std::int32_t>("v", 8), out); });
    const Fabric after = run(d);
    EXPECT_EQ(after.read<std::int32_t>({2, 0, 1, 1}, "v"),
              (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8}));
    return after.cycle();
  };
  EXPECT_EQ(cycles(8), 51U);
  EXPECT_EQ(cycles(1), 51U);
}

// The push task takes what is there, each time that the FIFO was found empty.
TEST(FifoOperands, ActivateTasks) {
  const Fabric after = run(one_pe([](PeProgram& pe) {
    const PeVector u = pe.values<float>("u", {1, 2, 3, 4}), v = pe.array<float>("v", 4);
    const PeVector pushed = pe.array<std::int32_t>("pushed", 1);
    const PeVector popped = pe.array<std::int32_t>("popped", 1);
    const PeScalar n = pe.scalar<std::int32_t>("n"), m = pe.scalar<std::int32_t>("m");
    const Task take = pe.declare_task("take"), give = pe.declare_task("give");
    const PeFifo f = pe.fifo("f", 4, 4, take, give);
    pe.task(take, [&] {
      pe.add(n, n, 1);
      pe.store(pushed, n);
      pe.copy(v, f);
    });
    pe.task(give, [&] {
      pe.add(m, m, 1);
      pe.store(popped, m);
    });
    pe.copy(v, f);        // finds it empty
    pe.copy(f, u);        // fills it
    pe.copy(f, u.at(0));  // finds it full
  }));
  EXPECT_EQ(after.read<float>({}, "v"), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(after.read<std::int32_t>({}, "pushed")[0], 1);
  EXPECT_EQ(after.read<std::int32_t>({}, "popped")[0], 1);
}

// The operand and the number are one: code by hand goes on working.
TEST(FifoOperands, GoByNumberToo) {
  const Fabric after = run(one_pe([](PeProgram& pe) {
    const PeVector u = pe.values<float>("u", {1, 2, 3}), out = pe.array<std::int32_t>("out", 1);
    const PeScalar n = pe.scalar<std::int32_t>("n");
    const FifoId first = pe.fifo("f", 4);
    const PeFifo f = pe.fifo("g", 4);
    EXPECT_EQ(first.index, 0);
    pe.copy(f, u);
    pe.fifolen(n, f);
    pe.store(out, n);
  }));
  EXPECT_EQ(after.read<std::int32_t>({}, "out")[0], 3);
}

TEST(FifoOperands, ThatCannotBeAreRefused) {
  const auto with = [](const std::function<void(PeProgram&, PeFifo, PeFifo, PeVector)>& write) {
    return [=](PeProgram& pe) {
      write(pe, pe.fifo("f", 4), pe.fifo("h", 4, 2), pe.array<float>("u", 4));
    };
  };
  using F = const PeFifo&;
  using V = const PeVector&;
  expect_refused(with([](PeProgram& pe, F f, F, V u) { pe.add(u, f, u); }),
                 "add has the FIFO f as its first source");
  expect_refused(with([](PeProgram& pe, F f, F, V u) { pe.multiply_add(f, u, u); }),
                 "multiply_add into the FIFO f");
  expect_refused(with([](PeProgram& pe, F, F h, V u) { pe.copy(h, u); }),
                 "copy does not go with the FIFO h");
  expect_refused(with([](PeProgram& pe, F f, F h, V) { pe.copy(f, h.counted(2)); }),
                 "copy does not go with the FIFO f");
  expect_refused(with([](PeProgram& pe, F f, F, V) { pe.copy(f, f); }), "alone has no length");
  expect_refused(with([](PeProgram& pe, F f, F, V u) { pe.copy(f, u).async(); }),
                 "is not asynchronous");
  expect_refused(with([](PeProgram&, F f, F, V) { (void)f.slice(0, 1); }),
                 "the FIFO f has no slice");
  expect_refused(with([](PeProgram&, F, F, V u) { (void)u.counted(1); }), "u has its own count");
  std::optional<PeFifo> theirs;
  (void)one_pe([&](PeProgram& pe) { theirs = pe.fifo("theirs", 4); });
  expect_refused([&](PeProgram& pe) { pe.copy(*theirs, pe.array<float>("u", 4)); },
                 "the FIFO theirs is not in its memory");
}

}  // namespace
}  // namespace weft::test::fifo_operands_test
