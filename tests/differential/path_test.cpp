// The critical path of random fabrics: its pieces leave no cycle out, and all engines find the
// same.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "differential/case.hpp"
#include "differential/stepper_of.hpp"
#include "differential/valid_case.hpp"
#include "fabric/path/pieces.hpp"
#include "fabric/profile/description.hpp"
#include "io/volume_file.hpp"
#include "support/effort.hpp"
#include "weft/fft.hpp"

namespace weft::test::path_test {
namespace {

struct Found {
  Profile profile;
  engine::Stop stop = engine::Stop::limit;
};

Found found(const Case& c, Engine engine, int threads, std::vector<std::uint64_t> pieces = {}) {
  FabricOptions options;
  options.engine = engine;
  options.threads = threads;
  options.observe = {.counts = true, .path = true};
  const Layout layout = layout_of(c);
  const auto stepper = stepper_of(c, layout, options);
  Found all;
  pieces.push_back(c.limit);
  for (const std::uint64_t limit : pieces) {
    all.stop = stepper->run({.limit = limit, .threads = threads}).stop;
    if (all.stop != engine::Stop::limit) break;
  }
  all.profile = stepper->profile();
  fabric::Description(layout, c.machine).add_to(all.profile);
  fabric::path::add_path(*stepper->path(), all.profile);
  return all;
}

void expect_whole(const Profile& p) {
  std::uint64_t at = 0;
  for (const PathPiece& piece : p.path) {
    EXPECT_EQ(piece.from, at);
    EXPECT_LT(piece.from, piece.to);
    EXPECT_TRUE(piece.x >= 0 && piece.x < p.width && piece.y >= 0 && piece.y < p.height);
    EXPECT_TRUE(piece.to_x >= 0 && piece.to_x < p.width && piece.to_y >= 0 &&
                piece.to_y < p.height);
    at = piece.to;
  }
  EXPECT_EQ(at, p.cycles);
}

/// The path up to its last event: after a fault, clocks are past it by some cycles.
std::vector<PathPiece> before_ending(std::vector<PathPiece> path) {
  if (!path.empty() && path.back().kind == PathKind::ending) path.pop_back();
  return path;
}

/// How many cases had it.
struct Seen {
  std::size_t waits = 0, faults = 0;
};

void expect_alike(const Case& c, std::uint64_t seed, Seen& seen) {
  const Found spec = found(c, Engine::reference, 1);
  expect_whole(spec.profile);
  std::mt19937_64 dice(seed);
  std::vector<std::uint64_t> pieces{dice() % c.limit, dice() % c.limit};
  std::ranges::sort(pieces);
  if (spec.stop == engine::Stop::fault) {
    const Found host = found(c, Engine::host, 2, pieces);
    expect_whole(host.profile);
    EXPECT_EQ(before_ending(host.profile.path), before_ending(spec.profile.path));
    ++seen.faults;
    return;
  }
  EXPECT_EQ(found(c, Engine::host, 1).profile, spec.profile);
  EXPECT_EQ(found(c, Engine::host, 2, pieces).profile, spec.profile);
  seen.waits += std::ranges::any_of(spec.profile.path, [](const PathPiece& piece) {
    return piece.kind > PathKind::on_the_way && piece.kind < PathKind::core;
  });
}

TEST(Path, LeavesNoCycleOfProgramsThatEndOut) {
  Seen seen;
  const auto cases = by_effort<std::uint64_t>(2, 6, 16);
  for (std::uint64_t seed = seed_from(94'000'000), last = seed + cases; seed < last; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_alike(valid_case(seed), seed, seen);
    if (HasFailure()) return;
  }
  if (many_cases()) {
    EXPECT_GT(seen.waits, 0U);
  }
}

TEST(Path, LeavesNoCycleOfRandomFabricsOut) {
  Seen seen;
  const auto cases = by_effort<std::uint64_t>(20, 60, 150);
  for (std::uint64_t seed = seed_from(93'000'000), last = seed + cases; seed < last; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_alike(seed % 4 == 0   ? hosted_case(seed)
                 : seed % 4 == 1 ? random_case(seed, 17, 9)
                                 : random_case(seed),
                 seed, seen);
    if (HasFailure()) return;
  }
  if (many_cases()) {
    EXPECT_GT(seen.waits, 0U);
    EXPECT_GT(seen.faults, 0U);
  }
}

// Who does not ask for the path has it stepped by line.
TEST(Path, OfATransformIsThatOfTheReference) {
  const Volume input = io::random_volume({16, 16, 16}, 16);
  const auto profile = [&](Engine engine) {
    FftOptions options;
    options.engine = engine;
    options.observe = {.counts = true, .path = true};
    return FftPlan({16, 16, 16}, FftPrecision::fp32, options)
        .run(input, FftDirection::forward)
        .report.profile;
  };
  const auto spec = profile(Engine::reference);
  expect_whole(*spec);
  EXPECT_EQ(profile(Engine::host)->path, spec->path);
}

}  // namespace
}  // namespace weft::test::path_test
