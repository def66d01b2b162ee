// How long a core is known to do nothing that anybody could notice.
#include "fabric/build/dry_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fft/wsfft/program.hpp"
#include "support/mesh.hpp"

namespace weft::test::dry_run_test {
namespace {

constexpr Reg r0{0}, r1{1}, r2{2}, kZero{15};
const Machine kMachine = test_machine();
const auto kScalar = static_cast<std::uint32_t>(kMachine.scalar_cycles);
const auto kTaken = static_cast<std::uint32_t>(kMachine.branch_taken_cycles);

/// Of the first instruction of a program's only task.
std::uint32_t quiet(const std::function<void(ProgramBuilder&)>& code) {
  ProgramBuilder b("quiet");
  b.reserve("array", 64);
  b.start(b.local_task(0));
  code(b);
  b.end();
  return fabric::build(alone(b.build()), kMachine).private_cycles.at(0);
}

TEST(DryRun, EndsAtWhatOthersNotice) {
  EXPECT_EQ(quiet([](ProgramBuilder& b) {
              b.xcoord(r1);
              b.addi(r1, r1, 1);
              b.block({TaskKind::local, 3});
              b.addi(r1, r1, 1);
            }),
            2 * kScalar);
  EXPECT_EQ(quiet([](ProgramBuilder& b) { b.block({TaskKind::local, 3}); }), 0U);
}

TEST(DryRun, GoesThroughLoopsOfAKnownCount) {
  EXPECT_EQ(quiet([](ProgramBuilder& b) {
              b.li(kZero, 0);
              b.li(r1, 3);
              const Label again = b.label();
              b.place(again);
              b.addi(r1, r1, -1);
              b.bne(r1, kZero, again);
            }),
            (2 + 3 + 1) * kScalar + 2 * kTaken);
}

TEST(DryRun, GoesIntoSubroutinesAndBack) {
  EXPECT_EQ(quiet([](ProgramBuilder& b) {
              const Label function = b.label(), over = b.label();
              b.call(r1, function);
              b.jump(over);
              b.place(function);
              b.addi(r2, r2, 1);
              b.ret(r1);
              b.place(over);
            }),
            kScalar + 3 * kTaken);
}

TEST(DryRun, EndsAtABranchThatMayGoEitherWay) {
  const auto branch_on = [](const std::function<void(ProgramBuilder&)>& set) {
    return quiet([&](ProgramBuilder& b) {
      const Label end = b.label();
      set(b);
      b.beq(r1, kZero, end);
      b.place(end);
    });
  };
  EXPECT_EQ(branch_on([](ProgramBuilder& b) { b.xcoord(r1); }), kScalar);
  EXPECT_EQ(branch_on([](ProgramBuilder& b) { b.tsc(r1); }), kScalar);
  EXPECT_EQ(branch_on([](ProgramBuilder& b) { b.lw(r1, kZero, 0); }), kScalar);
  EXPECT_EQ(branch_on([](ProgramBuilder& b) { b.mov(r1, r0); }), kScalar) << "the task's wavelet";
  EXPECT_EQ(branch_on([](ProgramBuilder& b) { b.li(r1, 0); }), kScalar + kTaken);
}

TEST(DryRun, ARegisterThatIsWrittenElsewhereIsNotKnown) {
  const auto with = [](int value) {
    ProgramBuilder b("tasks");
    const Label end = b.label();
    b.start(b.local_task(0));
    b.addi(r2, r2, 1);
    b.beq(r1, r1, end);
    b.place(end);
    b.end();
    b.local_task(1);
    b.li(r1, value);
    b.end();
    return fabric::build(alone(b.build()), kMachine).private_cycles.at(0);
  };
  EXPECT_EQ(with(7), kScalar);
  EXPECT_EQ(with(0), kScalar + kTaken) << "always 0";
}

TEST(DryRun, EndsAtAnAccessThatMayFault) {
  EXPECT_EQ(quiet([](ProgramBuilder& b) {
              b.xcoord(r1);
              b.lw(r2, r1);
            }),
            kScalar);
  EXPECT_EQ(quiet([](ProgramBuilder& b) {
              b.li(r1, 1);
              b.sw(r2, r1);
            }),
            kScalar)
      << "it does fault";
  EXPECT_EQ(quiet([](ProgramBuilder& b) {
              b.li(r1, 4);
              b.sw(r2, r1);
            }),
            2 * kScalar);
}

TEST(DryRun, CountsVectorsWhoseDescriptorsAreKnown) {
  const auto vector = [](const std::function<void(ProgramBuilder&)>& name) {
    return quiet([&](ProgramBuilder& b) {
      b.dbase(Dsr{1}, 0);
      b.dstride(Dsr{1}, 1);
      b.dlen(Dsr{1}, 8);
      name(b);
      b.vmov32(Dsr{1}, Dsr{1});
    });
  };
  const auto sweep = static_cast<std::uint32_t>(kMachine.vector_start_cycles + 1);
  EXPECT_EQ(vector([](ProgramBuilder&) {}), 3 * kScalar + sweep) << "8 elements at 8 a cycle";
  EXPECT_EQ(vector([](ProgramBuilder& b) { b.dlenr(Dsr{1}, r0, 0); }), 4 * kScalar);
  EXPECT_EQ(vector([](ProgramBuilder& b) { b.dbaser(Dsr{1}, r0, 0); }), 4 * kScalar);
  EXPECT_EQ(vector([](ProgramBuilder& b) { b.dfabin(Dsr{1}, 2); }), 4 * kScalar);
  EXPECT_EQ(vector([](ProgramBuilder& b) { b.dbase(Dsr{1}, 1 << 20); }), 4 * kScalar) << "a fault";
}

TEST(DryRun, EndsForProgramsThatNeverDo) {
  EXPECT_GT(quiet([](ProgramBuilder& b) {
              const Label again = b.label();
              b.place(again);
              b.addi(r1, r1, 1);
              b.jump(again);
            }),
            1000U);
}

TEST(DryRun, ForeseesTheWholePencilOfATransform) {
  constexpr int n = 16;
  const wsfft::Transform transform{
      wsfft::cube(n), wsfft::Numbers{FftPrecision::fp32}, FftDirection::forward, {1, 1, 1}};
  const fabric::State state = fabric::build(
      wsfft::lay_out(wsfft::build_transform(transform).program, transform), Machine{});
  std::vector<std::complex<float>> pencil(n);
  const std::uint64_t cycles = run_fft_pencil(pencil, FftPrecision::fp32, FftDirection::forward);
  EXPECT_GE(
      std::ranges::count_if(state.private_cycles, [&](std::uint32_t q) { return q >= cycles; }), 3)
      << "three supersteps";
}

TEST(DryRun, ForeseesTheLongestPencil) {
  constexpr int n = 4096;
  const wsfft::Transform transform{
      {{1, 1, n}, 1, 1}, wsfft::Numbers{FftPrecision::fp16}, FftDirection::forward, {1, 1, 1}};
  const fabric::State state =
      fabric::build(alone(wsfft::build_pencil(transform).program), Machine{});
  std::vector<std::complex<float>> pencil(n);
  EXPECT_GE(std::ranges::max(state.private_cycles),
            run_fft_pencil(pencil, FftPrecision::fp16, FftDirection::forward));
}

}  // namespace
}  // namespace weft::test::dry_run_test
