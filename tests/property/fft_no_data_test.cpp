// Transforms without data: every count as with it.
#include <gtest/gtest.h>

#include "io/volume_file.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_no_data_test {
namespace {

FftRun run(std::size_t n, FftPrecision precision, FftDirection direction, bool data, int threads) {
  FftOptions options;
  options.engine = Engine::host;
  options.threads = threads;
  options.data = data;
  const FftPlan plan({n, n, n}, precision, std::move(options));
  return plan.run(data ? io::random_volume({n, n, n}, 4) : Volume{}, direction);
}

TEST(NoData, TransformsTakeTheSameCycles) {
  for (const std::size_t n : {std::size_t{4}, std::size_t{8}, std::size_t{32}})
    for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
      for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
        if (sanitized() && n > 8) continue;
        SCOPED_TRACE(testing::Message()
                     << n << " " << to_string(precision) << " "
                     << (direction == FftDirection::forward ? "forward" : "inverse"));
        const FftRun with = run(n, precision, direction, true, 1);
        const FftRun without = run(n, precision, direction, false, 2);
        EXPECT_EQ(with.report.cycles, without.report.cycles);
        ASSERT_EQ(with.report.phases.size(), without.report.phases.size());
        for (std::size_t i = 0; i < with.report.phases.size(); ++i)
          EXPECT_EQ(with.report.phases[i].cycles, without.report.phases[i].cycles);
        EXPECT_EQ(with.report.counters.wavelets, without.report.counters.wavelets);
        EXPECT_EQ(with.report.counters.hops, without.report.counters.hops);
        EXPECT_EQ(with.report.pe_cycles, without.report.pe_cycles);
        EXPECT_EQ(without.output.shape, with.output.shape);
        EXPECT_TRUE(without.output.data.empty());
      }
}

TEST(NoData, IsTheAdviceWhereTheArraysDoNotFitInTheHostsMemory) {
  FftOptions options;
  options.mesh = {64, 64};
  options.batch = 1 << 24;  // 64 TiB
  const auto plan = [&] { return FftPlan({64, 64, 64}, FftPrecision::fp32, options); };
  expect_error(ErrorCategory::environment, plan, "a 64 x 64 mesh exceeds this host's memory",
               "cycles only, without data");
  options.data = false;
  EXPECT_NO_THROW(plan());
}

/// Queues beyond far links hold as many wavelets more as these take cycles.
TEST(NoData, TheHostsMemoryHasWhatIsOnTheWayOverFarLinks) {
  constexpr int kSide = 16, kCycles = 4096;
  const auto bytes = [](int die, int cycles) {
    FftOptions options{.mesh = {kSide, kSide}, .data = false};
    options.machine.die_width = options.machine.die_height = die;
    options.machine.die_link_cycles = cycles;
    return FftPlan({kSide, kSide, kSide}, FftPrecision::fp32, options).estimate().host_bytes;
  };
  EXPECT_EQ(bytes(kSide, kCycles), bytes(kSide, 0)) << "there is one die";
  constexpr std::uint64_t kWavelet = 4;  // a payload
  const auto links = [](int dies) { return static_cast<std::uint64_t>(4 * kSide * (dies - 1)); };
  for (const int die : {1, 4})
    EXPECT_GT(bytes(die, kCycles), bytes(die, 0) + kCycles * kWavelet * links(kSide / die));
}

}  // namespace
}  // namespace weft::test::fft_no_data_test
