#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "expect_error.hpp"
#include "run.hpp"

namespace weft::test::program_test {
namespace {

/// The words of a symbol of the only PE.
std::vector<std::int32_t> words(const Fabric& fabric, const std::string& symbol) {
  return fabric.read<std::int32_t>({0, 0, 1, 1}, symbol);
}

void expect_refused(const std::function<void(PeProgram&)>& program, const std::string& message) {
  expect_error(
      ErrorCategory::program,
      [&] {
        PeProgram pe("p");
        program(pe);
        (void)pe.build();
      },
      message);
}

TEST(PeProgram, LoopsAndConditionsNest) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector out = pe.array<std::int32_t>("out", 4);
    const PeScalar sum = pe.scalar<std::int32_t>("sum"), i = pe.scalar<std::int32_t>("i");
    pe.set(sum, 0);
    pe.range(i, 0, 10, 3, [&] { pe.add(sum, sum, i); });  // 0 + 3 + 6 + 9
    pe.store(out.at(0), sum);
    pe.set(sum, 0);
    pe.repeat(3, [&] { pe.repeat(4, [&] { pe.add(sum, sum, 1); }); });
    pe.store(out.at(1), sum);
    pe.set(i, 0);
    pe.repeat_while(i < 7, [&] {
      pe.when(
          i == 3, [&] { pe.add(i, i, 10); }, [&] { pe.add(i, i, 1); });
    });
    pe.store(out.at(2), i);
    pe.set(i, 0);
    pe.repeat(i, [&] { pe.set(sum, 99); });  // not at all
    pe.store(out.at(3), sum);
  });
  EXPECT_EQ(words(run(d), "out"), (std::vector<std::int32_t>{18, 12, 13, 12}));
}

TEST(PeProgram, AllComparisonsWithRegistersAndValues) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector out = pe.array<std::int32_t>("out", 2 * 6 * 3);
    const PeScalar a = pe.scalar<std::int32_t>("a"), b = pe.scalar<std::int32_t>("b");
    const PeScalar one = pe.constant(1, ElementType::i32);
    int n = 0;
    for (const int left : {-1, 0, 1}) {
      pe.set(a, left);
      pe.set(b, 0);
      for (const PeCondition& c : {a == b, a != b, a<b, a >= b, a> b, a <= b,  //
                                   a == 0, a != 0, a<0, a >= 0, a> 0, a <= 0})
        pe.when(c, [&, at = n++] { pe.store(out.at(at), one); });
    }
  });
  std::vector<std::int32_t> expected;
  for (const int a : {-1, 0, 1})
    for (int twice = 0; twice < 2; ++twice)
      for (const bool holds : {a == 0, a != 0, a<0, a >= 0, a> 0, a <= 0})
        expected.push_back(holds ? 1 : 0);
  EXPECT_EQ(words(run(d), "out"), expected);
}

TEST(PeProgram, ALoopThatTurnsOnceLeavesItsCounterFree) {
  PeProgram pe("p");
  for (int k = 0; k < 40; ++k) pe.repeat(2, [] {});
  EXPECT_NO_THROW((void)pe.build());
}

TEST(PeProgram, ArithmeticOfAllTypes) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector a = pe.values<float>("a", {1, 2, 3}), b = pe.array<float>("b", 3);
    pe.mul(b, a, 2.0);
    pe.add(b, b, a);
    pe.multiply_add(b, a, a);
    pe.add(b, b, 0.5);
    const PeVector h = pe.values<Half>("h", {Half(1.0F), Half(2.0F), Half(3.0F)});
    const PeVector s = pe.array<float>("s", 3);
    pe.multiply_add(h, h, h);
    pe.copy(s, h);
    const PeVector n = pe.values<std::int16_t>("n", {1, -2, 3});
    pe.sub(n, n, pe.values<std::int16_t>("m", {5, 5, 5}));
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<float>({0, 0, 1, 1}, "b"), (std::vector<float>{4.5, 10.5, 18.5}));
  EXPECT_EQ(f.read<float>({0, 0, 1, 1}, "s"), (std::vector<float>{2, 6, 12}));
  EXPECT_EQ(f.read<std::int16_t>({0, 0, 1, 1}, "n"), (std::vector<std::int16_t>{-4, -7, -2}));
}

TEST(PeProgram, MoreVectorsThanDescriptors) {
  constexpr int kVectors = 30;
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector u = pe.array<std::int32_t>("u", 2 * kVectors);
    const PeVector ones = pe.values<std::int32_t>("ones", {1, 1});
    for (int k = 1; k < kVectors; ++k)  // each from the one before
      pe.add(u.slice(2 * k, 2), u.slice(2 * k - 2, 2), ones);
  });
  std::vector<std::int32_t> expected;
  for (int k = 0; k < kVectors; ++k) expected.insert(expected.end(), 2, k);
  EXPECT_EQ(words(run(d), "u"), expected);
}

TEST(PeProgram, AViewMovedByARegister) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector u = pe.array<std::int32_t>("u", 8);
    const PeVector a = pe.values<std::int32_t>("a", {10, 20});
    const PeScalar bytes = pe.scalar<std::int32_t>("bytes");
    pe.range(bytes, 0, 32, 8, [&] { pe.copy(u.slice(0, 2).moved_by_bytes(bytes), a); });
    const PeVector g = pe.array<std::int32_t>("g", {3, 4});
    pe.set(bytes, 4);
    pe.fill(g.block(0, 0, 2, 2).moved_by_bytes(bytes), 7);
  });
  const Fabric f = run(d);
  EXPECT_EQ(words(f, "u"), (std::vector<std::int32_t>{10, 20, 10, 20, 10, 20, 10, 20}));
  EXPECT_EQ(words(f, "g"), (std::vector<std::int32_t>{0, 7, 7, 0, 0, 7, 7, 0, 0, 0, 0, 0}));
}

TEST(PeProgram, ScalarsOfMemory) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector a = pe.values<Half>("a", {Half(1.5F), Half(2.0F)});
    const PeVector b = pe.array<Half>("b", 2);
    const PeScalar s = pe.scalar<Half>("s");
    pe.load(s, a.at(0));
    pe.mul(s, s, 3);
    pe.store(b.at(1), s);
  });
  EXPECT_EQ(static_cast<float>(run(d).read<Half>({0, 0, 1, 1}, "b")[1]), 4.5F);
}

TEST(PeProgram, NamesBothOwnersOfANumber) {
  expect_refused(
      [](PeProgram& pe) {
        pe.scalar("alpha", ElementType::i32, Reg{5});
        pe.scalar("beta", ElementType::i32, Reg{5});
      },
      "program p: register 5 is not free for beta (alpha has it)");
  expect_refused(
      [](PeProgram& pe) {
        for (int k = 0; k < 16; ++k) pe.scalar<float>("s" + std::to_string(k));
      },
      "program p: no register is left for s15 (taken are 0 by the payload, 1 by s0");
  expect_refused(
      [](PeProgram& pe) {
        pe.task(
            "first", [] {}, 4);
        pe.task(
            "second", [] {}, 4);
      },
      "local task 4 is not free for second (first has it)");
  expect_refused([](PeProgram& pe) { pe.scalar("zero", ElementType::i32, Reg{16}); },
                 "there is no register 16");
}

TEST(PeProgram, ARegisterUsedByNumberIsNotHandedOut) {
  PeProgram pe("p");
  pe.li(Reg{1}, 3);
  EXPECT_EQ(pe.scalar<float>("s").reg.index, 2);
}

TEST(PeProgram, DescriptorsUsedByNumberAreNotHandedOut) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector u = pe.array<std::int32_t>("u", 2), v = pe.values<std::int32_t>("v", {1, 2});
    pe.dbase(Dsr{0}, static_cast<int>(u.at(1).address()));
    pe.dbase(Dsr{1}, static_cast<int>(v.address()));
    pe.dlen(Dsr{1}, 1);
    pe.copy(u.at(0), v.at(1));
    pe.vmov32(Dsr{0}, Dsr{1});
  });
  EXPECT_EQ(words(run(d), "u"), (std::vector<std::int32_t>{2, 1}));
}

TEST(PeProgram, RefusesWhatDoesNotGoTogether) {
  expect_refused([](PeProgram& pe) { pe.add(pe.array<float>("a", 2), pe.array<Half>("h", 2), 1); },
                 "invalid operands of add: a (float), h");
  expect_refused([](PeProgram& pe) { pe.copy(pe.array<float>("a", 2), pe.array<float>("b", 3)); },
                 "invalid operands of copy: a and b (one has 2 elements, the other 3)");
  expect_refused([](PeProgram& pe) { pe.copy(pe.to({1}), pe.from({2})); },
                 "copy of streams alone has no length");
  expect_refused([](PeProgram& pe) { pe.copy(pe.from({1}), pe.array<float>("a", 2)); },
                 "copy has its streams the wrong way round");
  expect_refused(
      [](PeProgram& pe) {
        const PeVector a = pe.array<float>("a", 2);
        pe.wait({pe.copy(a, a)});
      },
      "copy over memory is not asynchronous");
  expect_refused(
      [](PeProgram& pe) {
        const PeOperation send = pe.send({1}, pe.array<float>("a", 2));
        pe.wait({send});
        pe.wait({send});
      },
      "copy has two actions at its end");
  expect_refused([](PeProgram& pe) { pe.load(pe.scalar<float>("s"), pe.array<float>("a", 2)); },
                 "a is not one element");
  expect_refused(
      [](PeProgram& pe) { pe.load(pe.scalar<Half>("s"), pe.array<float>("a", 2).at(0)); },
      "an element of a does not go with a register of type");
  expect_refused(
      [](PeProgram& pe) {
        pe.add(pe.scalar<float>("a"), pe.scalar<float>("b"), pe.scalar<std::int32_t>("c"));
      },
      "their types are");
  expect_refused([](PeProgram& pe) { pe.has_neighbor(Port::east); },
                 "it is not written by a function of Design::program");
  expect_refused([](PeProgram& pe) { pe.send({24}, pe.array<float>("a", 1)); },
                 "there is no color 24");
  expect_refused(
      [](PeProgram& pe) {
        const PeVector a = pe.array<float>("a", 1);
        for (int c = 0; c < 9; ++c) pe.receive(a, {c});
      },
      "no input queue is left for color 8");
}

TEST(PeProgram, QueuesOfBothDirectionsShareNoMicrothread) {
  PeProgram pe("p");
  const PeVector a = pe.array<float>("a", 1);
  for (int c = 0; c < 4; ++c) {
    pe.send({c}, a);
    pe.receive(a, {c + 4});
  }
  std::vector<int> used;
  for (const Instruction& i : pe.build().code)
    if (i.op == Op::dfabin || i.op == Op::dfabout) used.push_back(i.a);
  std::sort(used.begin(), used.end());
  std::vector<int> all(8);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(used, all);
}

}  // namespace
}  // namespace weft::test::program_test
