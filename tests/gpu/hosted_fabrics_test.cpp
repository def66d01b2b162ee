// Fabrics with host streams: the engine does bit for bit what the host engine does, and its host
// gets the same words.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "differential/host_ends.hpp"
#include "gpu/device_test.hpp"
#include "gpu/random_beginning.hpp"
#include "support/effort.hpp"

namespace weft::test::hosted_fabrics_test {
namespace {

constexpr int kShards = 4;
constexpr int kCases = 40;  // of a shard
constexpr std::uint64_t kPiece = 30;
constexpr std::size_t kPieces = 12;

using Words = std::vector<std::uint32_t>;

/// Of all ends; `receives`: outputs are empty then.
std::vector<Words> words_of(const Case& c, fabric::Stepper& stepper, bool receives) {
  std::vector<Words> all;
  for_ends(c, [&](const fabric::HostEnd& end, std::size_t) {
    Words words(stepper.host_words(end), 0);
    if (receives && !end.input) stepper.receive(end, words);
    all.push_back(std::move(words));
  });
  return all;
}

class HostedFabricsOnADevice : public DeviceTest, public testing::WithParamInterface<int> {};

TEST_P(HostedFabricsOnADevice, AreSteppedAsOnTheHost) {
  const int cases = sanitized() ? 6 : kCases;
  const auto first = seed_from(83'000'000 + static_cast<std::uint64_t>(GetParam()) * 1000);
  int entered = 0, came = 0;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(cases); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const int number = static_cast<int>(seed % 1000);
    choose({1 + number / 3 % 3, number % 3, seed + 1});
    const Case c = hosted_case(seed);
    Twins twins(beginning_of(c));
    std::size_t sent = 0, left = 0, received = 0;
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
      for_sends(c, piece, [&](const fabric::HostEnd& end, const Words& words) {
        twins.on_host->send(end, words);
        twins.on_device->send(end, words);
        sent += words.size();
      });
      const std::uint64_t limit = std::min(c.limit, kPiece * (piece + 1));
      const engine::Stop stop = twins.run(limit, 1 + number % 5).stop;
      if (HasFailure()) return;
      if (stop == engine::Stop::fault) break;
      const bool receives = c.receives || piece + 1 == kPieces;
      const std::vector<Words> of_device = words_of(c, *twins.on_device, receives);
      ASSERT_EQ(of_device, words_of(c, *twins.on_host, receives)) << "piece " << piece;
      left = 0;
      std::size_t n = 0;
      for_ends(c, [&](const fabric::HostEnd& end, std::size_t) {
        (end.input ? left : received) += of_device[n++].size();
      });
    }
    entered += sent > left ? 1 : 0;
    came += received > 0 ? 1 : 0;
  }
  if (sanitized()) return;
  EXPECT_GT(entered, cases / 4);
  EXPECT_GT(came, 0);
}

INSTANTIATE_TEST_SUITE_P(Shards, HostedFabricsOnADevice, testing::Range(0, kShards));

}  // namespace
}  // namespace weft::test::hosted_fabrics_test
