// What PEs count on the device is what they count on the host: on random fabrics and programs, of
// transforms, and up to an error. After a fault there is nothing to show.
#include <fmt/format.h>

#include "differential/compare.hpp"
#include "differential/counted_case.hpp"
#include "differential/valid_case.hpp"
#include "gpu/device_test.hpp"
#include "gpu/random_beginning.hpp"
#include "io/volume_file.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "weft/weft.hpp"

namespace weft::test::device_counts_test {
namespace {

std::string difference(const Profile& host, const Profile& device) {
  const auto found = compare_profiles(host, device);
  return found ? describe(*found) : "";
}

/// Runs a case in pieces, and compares after each. Returns how it ended.
engine::Stop run_counting(const Case& c, std::uint64_t limit, int blocks) {
  Twins twins(beginning_of(c));
  engine::Stop stop = engine::Stop::limit;
  for (const std::uint64_t piece : {limit / 3, limit}) {
    if (stop != engine::Stop::limit) break;
    stop = twins.run(piece, blocks).stop;
    if (stop == engine::Stop::fault)
      expect_error(
          ErrorCategory::usage, [&] { twins.on_device->profile(); },
          "no profile of a run that ended in a fault", "emulate on the engine host");
    else
      EXPECT_EQ(difference(twins.on_host->profile(), twins.on_device->profile()), "");
  }
  return stop;
}

class CountsOfADevice : public DeviceTest {
 protected:
  /// Returns how many cases ended without a fault.
  static int run_seeds(const std::function<Case(std::uint64_t)>& draw, std::uint64_t first,
                       int cases, std::uint64_t limit) {
    int whole = 0;
    for (std::uint64_t seed = seed_from(first); cases > 0; ++seed, --cases) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      const int number = static_cast<int>(seed % 1000);
      choose({1 + number / 3 % 3, number % 3, seed + 1});
      const Case c = counted_case(seed, draw);
      whole += run_counting(c, std::min(c.limit, limit), 1 + number % 5) != engine::Stop::fault;
      if (HasFailure()) break;
    }
    return whole;
  }
};

TEST_F(CountsOfADevice, OfRandomFabricsAreThoseOfTheHost) {
  const int cases = sanitized() ? 4 : 40;
  const int whole = run_seeds([](std::uint64_t seed) { return random_case(seed); }, 84'000'000,
                              cases, sanitized() ? 100 : 400);
  if (sanitized()) return;
  EXPECT_GT(whole, 0);
  EXPECT_LT(whole, cases);
}

TEST_F(CountsOfADevice, OfProgramsAreThoseOfTheHost) {
  const int cases = sanitized() ? 1 : 8;
  EXPECT_GT(run_seeds(valid_case, 85'000'000, cases, sanitized() ? 300 : 1'000'000), 0);
}

TEST_F(CountsOfADevice, OfATransformAreThoseOfTheHost) {
  const auto side = static_cast<std::size_t>(sides().front());
  const Volume input = io::random_volume({side, side, side}, 16);
  const auto report = [&](Engine engine) {
    FftOptions options;
    options.engine = engine;
    options.observe = {true, 64};
    return FftPlan({side, side, side}, FftPrecision::fp32, options)
        .run(input, FftDirection::forward)
        .report;
  };
  const auto host = report(Engine::host), device = report(Engine::cuda);
  ASSERT_GT(host.profile->phases.size(), 3U);
  EXPECT_EQ(difference(*host.profile, *device.profile), "");
}

TEST_F(CountsOfADevice, AreThereBeforeTheFirstCycle) {
  const Case c = counted_case(86'000'001, [](std::uint64_t seed) { return random_case(seed); });
  const Twins twins(beginning_of(c));
  EXPECT_EQ(difference(twins.on_host->profile(), twins.on_device->profile()), "");
}

}  // namespace
}  // namespace weft::test::device_counts_test
