// The cost of every vector instruction over memory, for short lengths and all kinds of strides.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "isa/info.hpp"
#include "support/mesh.hpp"

namespace weft::test::vector_rates_test {
namespace {

constexpr Reg r1{1}, r2{2}, kScalar{3}, kZero{15};
constexpr Dsr kD{0}, kA{1}, kB{2};

/// Rates that all differ and stay whole when they are halved.
Machine rates_machine() {
  Machine m = test_machine();
  m.f16_rate = 12;
  m.f32_add_rate = 8;
  m.f32_multiply_rate = 6;
  m.move32_rate = 16;
  m.slow_rate = 4;
  m.two_source_divisor = 2;
  m.stride_4_rate = 10;
  return m;
}

/// The rate of a cost class, as docs/isa.md has it.
int class_rate(const Machine& m, isa::Cost cost) {
  using isa::Cost;
  const std::map<Cost, int> rates = {{Cost::f32_add, m.f32_add_rate},
                                     {Cost::mixed_add, m.f32_add_rate},
                                     {Cost::mixed_multiply_add, m.f32_add_rate},
                                     {Cost::f32_multiply, m.f32_multiply_rate},
                                     {Cost::move32, m.move32_rate},
                                     {Cost::f16, m.f16_rate},
                                     {Cost::int16, m.f16_rate},
                                     {Cost::int32, m.slow_rate},
                                     {Cost::shift16, m.slow_rate},
                                     {Cost::max16, m.slow_rate},
                                     {Cost::max32, m.slow_rate},
                                     {Cost::widen, m.slow_rate},
                                     {Cost::narrow, m.slow_rate}};
  return rates.at(cost);
}

/// The most that a stride allows, as docs/model.md has it.
int stride_limit(const Machine& m, int stride) {
  constexpr int kAny = 1000;
  if (stride == 0 || stride == 1) return kAny;
  switch ((stride % 8 + 8) % 8) {
    case 0:
      return 1;
    case 1:
    case 7:
      return 2;
    case 4:
      return m.stride_4_rate;
    default:
      return kAny;
  }
}

struct Strides {
  int d, a, b;
};

/// The operands that the format has.
bool has_a(isa::Format format) { return format != isa::Format::vector_r; }
bool has_b(isa::Format format) { return format == isa::Format::vector_vv; }

bool reads_destination(const isa::InstructionInfo& row) { return row.name.starts_with("vfmac"); }

int expected_cycles(const Machine& m, const isa::InstructionInfo& row, int n, const Strides& s) {
  int rate = std::min(class_rate(m, row.cost), stride_limit(m, s.d));
  if (has_a(row.format)) rate = std::min(rate, stride_limit(m, s.a));
  if (has_b(row.format)) rate = std::min(rate, stride_limit(m, s.b));
  const int reads = has_a(row.format) + has_b(row.format) + reads_destination(row);
  if (reads > 1) rate /= m.two_source_divisor;
  rate = std::max(rate, 1);
  return m.vector_start_cycles + (n + rate - 1) / rate;
}

struct Timed {
  int n;
  Strides strides;
};

/// The instruction with the operands of these tests.
Instruction instruction(Op op, isa::Format format) {
  const std::uint8_t a = has_a(format) ? kA.index : std::uint8_t{0};
  const bool scalar = format == isa::Format::vector_vr || format == isa::Format::vector_r;
  const std::uint8_t b = has_b(format) ? kB.index : scalar ? kScalar.index : std::uint8_t{0};
  return {op, kD.index, a, b, VectorOptions{}.pack()};
}

/// Cycles of the instruction for each run.
std::vector<std::uint32_t> cycles(Op op, const std::vector<Timed>& runs, const Machine& m) {
  constexpr std::int32_t kMiddle = 16384;  // strides may be negative
  ProgramBuilder b("rates");
  b.reserve("cycles", static_cast<std::uint32_t>(4 * runs.size()));
  b.start(b.local_task(0));
  std::int32_t at = 0;
  for (const Timed& run : runs) {
    const int strides[] = {run.strides.d, run.strides.a, run.strides.b};
    for (const Dsr dsr : {kD, kA, kB}) {
      b.dbase(dsr, kMiddle + 4096 * dsr.index);
      b.dlen(dsr, run.n);
      b.dstride(dsr, strides[dsr.index]);
    }
    b.tsc(r1);
    b.vfadds(kD, kA, kB);  // stands for any
    b.tsc(r2);
    b.sub(r2, r2, r1);
    b.sw(r2, kZero, at);
    at += 4;
  }
  b.end();
  Program program = b.build();
  std::ranges::replace_if(
      program.code, [](const Instruction& i) { return i.op == Op::vfadds; },
      instruction(op, isa::info(op).format));
  Fabric fabric(alone(program), m, test_options());
  fabric.run_until_idle(1000000);
  std::vector<std::uint32_t> all(runs.size());
  fabric.read({0, 0, 1, 1}, 0, all);
  for (std::uint32_t& one : all) one -= static_cast<std::uint32_t>(m.scalar_cycles);
  return all;
}

/// Every vector instruction takes what the formula says.
void expect_formula(const std::vector<Timed>& runs, const Machine& m) {
  for (int n = 0; n < isa::kInstructions; ++n) {
    const Op op = static_cast<Op>(n);
    const isa::InstructionInfo& row = isa::info(op);
    if (!isa::is_vector(row.format)) continue;
    const std::vector<std::uint32_t> got = cycles(op, runs, m);
    for (std::size_t k = 0; k < runs.size(); ++k) {
      const Strides& s = runs[k].strides;
      EXPECT_EQ(static_cast<int>(got[k]), expected_cycles(m, row, runs[k].n, s))
          << row.name << ", " << runs[k].n << " elements, strides " << s.d << ", " << s.a << ", "
          << s.b;
    }
  }
}

constexpr int kStrides[] = {-1, 0, 1, 2, 4, 8};

TEST(VectorRates, OfEveryClassLengthAndStride) {
  std::vector<Timed> runs;
  for (int n = 0; n < 10; ++n)
    for (const int stride : kStrides) runs.push_back({n, {stride, stride, stride}});
  expect_formula(runs, rates_machine());
  expect_formula(runs, Machine{});
}

TEST(VectorRates, EachOperandsStrideCounts) {
  std::vector<Timed> runs;
  for (const int stride : kStrides) {
    runs.push_back({33, {stride, 1, 1}});
    runs.push_back({33, {1, stride, 1}});
    runs.push_back({33, {1, 1, stride}});
  }
  expect_formula(runs, rates_machine());
}

TEST(VectorRates, StridesCountModuloEight) {
  std::vector<Timed> runs;
  for (int stride = -17; stride <= 17; ++stride) runs.push_back({24, {stride, stride, stride}});
  expect_formula(runs, rates_machine());
}

}  // namespace
}  // namespace weft::test::vector_rates_test
