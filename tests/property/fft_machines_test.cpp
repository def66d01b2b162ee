// The transform on any machine: its data is right whatever the constants are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <complex>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "differential/on_demand.hpp"
#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/mesh.hpp"
#include "support/transform_case.hpp"
#include "weft/fabric.hpp"

namespace weft::test::fft_machines_test {
namespace {

Volume input_of(int n) {
  const auto side = static_cast<std::size_t>(n);
  return io::random_volume({side, side, side}, 3);
}

FftOptions on(const Machine& machine, FftTranspose transpose = FftTranspose::automatic) {
  FftOptions options;
  options.machine = machine;
  options.transpose = transpose;
  options.engine = Engine::host;
  return options;
}

FftRun run(const TransformCase& c, const FftOptions& options) {
  const Volume input = input_of(c.n);
  return FftPlan(input.shape, c.precision, options).run(input, c.direction);
}

std::string text(const TransformCase& c) {
  return fmt::format("n = {}, {}, {}", c.n, to_string(c.precision),
                     c.direction == FftDirection::forward ? "forward" : "inverse");
}

using Numbers = std::vector<std::complex<float>>;

/// The result on the default machine, of which other tests say that it is right.
const Numbers& right(const TransformCase& c) {
  static std::map<std::tuple<int, FftPrecision, FftDirection>, Numbers> known;
  Numbers& numbers = known[{c.n, c.precision, c.direction}];
  if (numbers.empty()) numbers = run(c, on(Machine{})).output.data;
  return numbers;
}

void expect_right(const TransformCase& c, const FftOptions& options) {
  SCOPED_TRACE(text(c));
  EXPECT_EQ(run(c, options).output.data, right(c));
}

/// A transform and a machine for it, from a seed.
struct Drawn {
  TransformCase transform;
  FftOptions options;
};

Drawn draw(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr int kSides[] = {4, 4, 4, 8, 8, 8, 16, 16, 32};  // small ones are quicker
  const int n = kSides[random() % (sanitized() ? 6 : std::size(kSides))];
  Drawn drawn{{n, random() % 2 == 0 ? FftPrecision::fp16 : FftPrecision::fp32,
               random() % 2 == 0 ? FftDirection::forward : FftDirection::inverse},
              on(random_machine(seed))};
  drawn.options.threads = 1 + static_cast<int>(random() % 2);
  if (looks_for_races()) drawn.options.threads = 2;
  drawn.options.accelerate.by_line = random() % 2 == 0;
  return drawn;
}

/// How many of the cases from `first` on take the interlocked form, because they must.
int expect_all_right(std::uint64_t first, std::uint64_t cases) {
  int interlocked = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    SCOPED_TRACE(fmt::format("WEFT_FUZZ_SEED={} WEFT_FUZZ_CASES=1", seed));
    Drawn drawn = draw(seed);
    const FftRun automatic = run(drawn.transform, drawn.options);
    EXPECT_EQ(automatic.output.data, right(drawn.transform)) << text(drawn.transform);
    drawn.options.transpose = FftTranspose::ring;
    expect_right(drawn.transform, drawn.options);
    if (automatic.transpose == FftTranspose::interlocked) {
      ++interlocked;
      continue;
    }
    drawn.options.transpose = FftTranspose::interlocked;
    expect_right(drawn.transform, drawn.options);
    if (testing::Test::HasFailure()) break;
  }
  return interlocked;
}

class Machines : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Machines, DrawnAtRandomGiveTheSameBits) {
  const auto cases = by_effort<std::uint64_t>(4, 12, 24);
  const std::uint64_t first = seed_from(1000 * GetParam());
  int interlocked = expect_all_right(first, cases);
  if (!many_cases()) return;
  for (std::uint64_t n = cases; n < 300 && interlocked == 0 && !HasFailure(); ++n)
    interlocked = expect_all_right(first + n, 1);
  EXPECT_GT(interlocked, 0) << "no case was drawn in which the published form comes too late";
}

INSTANTIATE_TEST_SUITE_P(Drawn, Machines, testing::Range<std::uint64_t>(1, 7),
                         testing::PrintToStringParamName());

TEST(MachinesOnDemand, GiveTheSameBits) {
  run_on_demand([](std::uint64_t first, std::uint64_t cases) { expect_all_right(first, cases); });
}

TEST(Machines, SimfabIsTooQuickForThePublishedTransposeOfEightInFp16) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Machine simfab = machine_profile("wse2-simfab");
  for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
    const TransformCase c{8, FftPrecision::fp16, direction};
    try {
      run(c, on(simfab, FftTranspose::published));
      FAIL() << "the published form ended";
    } catch (const FaultError& error) {
      EXPECT_EQ(error.fault().kind, FaultKind::deadlock);
    }
    EXPECT_EQ(run(c, on(simfab)).transpose, FftTranspose::interlocked);
    expect_right(c, on(simfab));
  }
}

// By line the first transpose alone ends this run, some thousand cycles before all PEs are stuck.
TEST(Machines, ADeadlockIsReportedOfAllPesByLineToo) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  Machine machine;
  machine.hop_cycles = 2;
  machine.ramp_cycles = 5;
  machine.output_queue_2_3_depth = 3;
  machine.scalar_f32_cycles = 48;
  machine.branch_taken_cycles = 12;
  machine.vector_start_cycles = 55;
  machine.move32_rate = 6;
  machine.two_source_divisor = 3;
  machine.task_start_cycles = 235;
  const auto report = [&](bool by_line) -> std::string {
    FftOptions options = on(machine, FftTranspose::published);
    options.accelerate.by_line = by_line;
    try {
      run({16, FftPrecision::fp16, FftDirection::forward}, options);
    } catch (const FaultError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(report(false), "");
  EXPECT_EQ(report(true), report(false));
}

TEST(Machines, SimfabTransformsLargerSides) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Machine simfab = machine_profile("wse2-simfab");
  for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
    expect_right({sanitized() ? 16 : 64, precision, FftDirection::forward}, on(simfab));
}

TEST(Machines, TheDefaultTakesThePublishedForm) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
      for (const int n : {4, 8, 16, 32, 64}) {
        if (sanitized() && n > 16) continue;
        const TransformCase c{n, precision, direction};
        EXPECT_EQ(run(c, on(Machine{})).transpose, FftTranspose::published) << text(c);
      }
}

TEST(Machines, APlanRemembersThatThePublishedFormIsTooLate) {
  int starts = 0;
  const auto count = [&](const FftProgress& progress) { starts += progress.cycle == 0 ? 1 : 0; };
  const Volume input = input_of(8);
  const FftPlan plan(input.shape, FftPrecision::fp16, on(machine_profile("wse2-simfab")));
  plan.forward(input, count);
  const int first = starts;
  plan.forward(input, count);
  EXPECT_GT(first, 1) << "the first run tries the published form";
  EXPECT_EQ(starts - first, 1);
}

}  // namespace
}  // namespace weft::test::fft_machines_test
