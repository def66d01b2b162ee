// The engine and its kernel do bit for bit what the host engine does: on random fabrics, and on
// CUDA on the host cut into tiles of various sizes, in various orders of their threads.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <variant>

#include "gpu/device_test.hpp"
#include "gpu/random_beginning.hpp"
#include "support/mesh.hpp"

namespace weft::test::random_fabrics_test {
namespace {

constexpr int kShards = 8;
constexpr int kCases = 40;  // of a shard
constexpr std::uint64_t kLimit = 400;

/// Runs a case in two pieces. Returns how it ended.
engine::Stop run_in_pieces(Twins& twins, std::uint64_t limit, int blocks) {
  if (const auto first = twins.run(limit / 3, blocks); first.stop != engine::Stop::limit)
    return first.stop;
  return twins.run(limit, blocks).stop;
}

bool has_range_filters(const Case& c) {
  return std::ranges::any_of(c.filters, [](const Layout::Filtering& f) {
    return std::holds_alternative<RangeFilter>(f.filter);
  });
}

class RandomFabricsOnADevice : public DeviceTest, public testing::WithParamInterface<int> {};

TEST_P(RandomFabricsOnADevice, AreSteppedAsOnTheHost) {
  const int cases = sanitized() ? 6 : kCases;
  int ended[3] = {}, moved = 0;
  const int first = static_cast<int>(seed_from(static_cast<std::uint64_t>(GetParam()) * 1000));
  for (int seed = first; seed < first + cases; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    choose({1 + seed / 3 % 3, seed % 3, static_cast<std::uint64_t>(seed) + 1});
    // Half of them are columns, so that a tile may have two edges.
    const Case c = seed % 2 == 0 ? random_case(static_cast<std::uint64_t>(seed))
                                 : random_case(static_cast<std::uint64_t>(seed), 1 + seed % 5, 12);
    Beginning beginning = beginning_of(c);
    beginning.data = seed % 4 != 3 || has_range_filters(c);
    Twins twins(beginning);
    const engine::Stop stop =
        run_in_pieces(twins, std::min(c.limit, sanitized() ? kLimit / 4 : kLimit), 1 + seed % 5);
    if (HasFailure()) return;
    ++ended[static_cast<int>(stop)];
    moved += twins.on_host->totals().hops > 0 ? 1 : 0;
  }
  if (sanitized()) return;
  EXPECT_GT(ended[static_cast<int>(engine::Stop::quiet)], 0);
  EXPECT_GT(ended[static_cast<int>(engine::Stop::fault)], 0);
  EXPECT_GT(moved, 0);
}

INSTANTIATE_TEST_SUITE_P(Shards, RandomFabricsOnADevice, testing::Range(0, kShards));

/// Width, height and multiprocessors: CUDA on the host runs a tile on each at once.
class MeshesOnADevice : public DeviceTest,
                        public testing::WithParamInterface<std::tuple<int, int, int>> {};

TEST_P(MeshesOnADevice, AreSteppedAsOnTheHost) {
  const auto [width, height, multiprocessors] = GetParam();
  std::uint64_t moved = 0;
  const int orders = sanitized() ? 1 : 3;
  for (int seed = 0; seed < 5 * orders; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    choose({multiprocessors, (seed + 1) % orders});
    const Case c = random_case(static_cast<std::uint64_t>(seed) + 70, width, height);
    Twins twins(beginning_of(c));
    run_in_pieces(twins, sanitized() ? 40 : 150, 2);
    if (HasFailure()) return;
    moved += twins.on_host->totals().hops;
  }
  EXPECT_TRUE(moved > 0 || width * height == 1 || sanitized());
}

std::vector<std::tuple<int, int, int>> meshes() {
  if (sanitized()) return {{1, 1, 1}, {1, 5, 1}, {18, 9, 2}};
  return {{1, 1, 1},   {1, 40, 1},   {1, 100, 4}, {35, 9, 1},  {35, 9, 2}, {40, 12, 4},
          {300, 1, 4}, {128, 40, 1}, {129, 9, 1}, {272, 8, 1}, {560, 1, 1}};
}

std::string name_of(const testing::TestParamInfo<std::tuple<int, int, int>>& mesh) {
  const auto [width, height, multiprocessors] = mesh.param;
  return fmt::format("{}x{}on{}", width, height, multiprocessors);
}

INSTANTIATE_TEST_SUITE_P(Sizes, MeshesOnADevice, testing::ValuesIn(meshes()), name_of);

}  // namespace
}  // namespace weft::test::random_fabrics_test
