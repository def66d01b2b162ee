// The engine and its kernel do bit for bit what the host engine does, on programs that are right:
// they run for long, and to their end.
#include <fmt/format.h>

#include "differential/valid_case.hpp"
#include "gpu/device_test.hpp"
#include "gpu/random_beginning.hpp"
#include "support/mesh.hpp"

namespace weft::test::valid_programs_test {
namespace {

constexpr int kShards = 4;
constexpr int kCases = 12;  // of a shard

class ValidProgramsOnADevice : public DeviceTest, public testing::WithParamInterface<int> {};

TEST_P(ValidProgramsOnADevice, AreSteppedAsOnTheHost) {
  const int cases = sanitized() ? 2 : kCases;
  int ended = 0, filtered = 0;
  std::uint64_t cycles = 0, hops = 0, skipped = 0;
  const int first = static_cast<int>(seed_from(static_cast<std::uint64_t>(GetParam()) * 1000));
  for (int seed = first; seed < first + cases; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    choose({1 + seed / 3 % 3, seed % 3, static_cast<std::uint64_t>(seed) + 1});
    const Case c = valid_case(static_cast<std::uint64_t>(seed) + 70000);
    Twins twins(beginning_of(c));
    engine::RunResult end = twins.run(200, 1 + seed % 5);
    if (end.stop == engine::Stop::limit) end = twins.run(sanitized() ? 300 : c.limit, 0);
    if (HasFailure()) return;
    if (end.stop == engine::Stop::quiet) ++ended;
    cycles += end.cycle;
    skipped += end.skipped;
    hops += twins.on_device->totals().hops;
    if (twins.on_device->totals().filtered != 0) ++filtered;
  }
  fmt::print("{} cases: {} ended, {} filtered; {} cycles, of the last pieces {} skipped; {} hops\n",
             cases, ended, filtered, cycles, skipped, hops);
  if (sanitized()) return;
  EXPECT_GT(ended, cases / 2);
  EXPECT_GT(filtered, 0);
  EXPECT_GT(hops, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Shards, ValidProgramsOnADevice, testing::Range(0, kShards));

}  // namespace
}  // namespace weft::test::valid_programs_test
