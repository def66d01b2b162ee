// What the specification counts of random fabrics adds up, in windows of any number, in one run or
// in pieces.
#include <gtest/gtest.h>

#include <iterator>
#include <numeric>
#include <random>

#include "differential/case.hpp"
#include "differential/host_ends.hpp"
#include "fabric/stepper/spec_profile.hpp"
#include "support/effort.hpp"

namespace weft::test::counts_test {
namespace {

using Values = std::vector<std::uint64_t>;

/// What the host sends before the first stop.
void send(const Case& c, Reference& fabric) {
  for_sends(c, 0, [&](const fabric::HostEnd& end, const std::vector<std::uint32_t>& words) {
    std::ranges::copy(words, std::back_inserter(words_at(fabric, end)));
  });
}

/// The profile of a case that runs to its limit, or to the ends of these pieces first.
Profile counted(const Case& c, int windows, const std::vector<std::uint64_t>& pieces = {}) {
  Reference fabric(c, {true, windows});
  send(c, fabric);
  auto stop = spec::Fabric::Stop::limit;
  for (const std::uint64_t limit : pieces)
    if (stop == spec::Fabric::Stop::limit) stop = fabric.run(limit);
  if (stop == spec::Fabric::Stop::limit) fabric.run(c.limit);
  Profile p = fabric::profile_of(fabric);
  Reference plain(c);
  send(c, plain);
  plain.run(c.limit);
  EXPECT_EQ(plain.cycle(), fabric.cycle());
  const auto total = [&](std::initializer_list<Count> counts) {
    std::uint64_t all = 0;
    for (const Count count : counts) {
      const Values& each = p.totals[static_cast<std::size_t>(count)];
      all += std::accumulate(each.begin(), each.end(), std::uint64_t{0});
    }
    return all;
  };
  EXPECT_EQ(total({Count::link_west, Count::link_east, Count::link_south, Count::link_north,
                   Count::from_host}),
            plain.hops);
  EXPECT_EQ(total({Count::sent}), plain.wavelets);
  EXPECT_EQ(total({Count::delivered}), plain.delivered);
  EXPECT_EQ(total({Count::refused}), plain.filtered);
  return p;
}

/// By PE, the sum of some counts.
Values together(const Profile& p, std::initializer_list<Count> counts) {
  Values all(p.totals.front().size());
  for (const Count count : counts)
    std::ranges::transform(all, p.counts(count), all.begin(), std::plus());
  return all;
}

void expect_sums(const Profile& p) {
  EXPECT_EQ(together(p, {Count::computing, Count::moving, Count::waits_data, Count::waits_room,
                         Count::idle}),
            Values(p.totals.front().size(), p.cycles));
  EXPECT_EQ(together(p, {Count::held_link, Count::held_room, Count::held_ramp, Count::held_rest}),
            p.counts(Count::held));
  Values held(p.totals.front().size());
  std::array<Values, kPorts> left;
  left.fill(held);
  for (const ColorCounts& color : p.colors) {
    std::ranges::transform(held, color.held, held.begin(), std::plus());
    for (std::size_t port = 0; port < kPorts; ++port)
      std::ranges::transform(left[port], color.wavelets[port], left[port].begin(), std::plus());
  }
  EXPECT_EQ(held, p.counts(Count::held));
  for (std::size_t port = 0; port < kPorts; ++port)
    EXPECT_EQ(left[port], p.links(static_cast<Port>(port)));
}

void expect_sums_of_windows(const Profile& p) {
  for (const CountInfo& info : count_infos()) {
    if (!info.windowed) continue;
    Values all(p.totals.front().size());
    for (int window = 0; window < p.windows; ++window) {
      const Values part = p.counts(info.count, window);
      std::ranges::transform(all, part, all.begin(), std::plus());
      if (info.count == Count::held) continue;  // of several colors at once
      EXPECT_LE(*std::ranges::max_element(part), p.window_cycles) << info.name;
    }
    EXPECT_EQ(all, p.counts(info.count)) << info.name;
  }
}

struct Reached {
  int cases = 0, crossed = 0, held = 0, filtered = 0, waited = 0, hosted = 0;

  void add(const Profile& p) {
    const auto any = [&](Count count) {
      return std::ranges::any_of(p.counts(count), [](std::uint64_t n) { return n > 0; }) ? 1 : 0;
    };
    ++cases;
    crossed += any(Count::link_east);
    held += any(Count::held);
    filtered += any(Count::refused);
    waited += any(Count::waits_room);
    hosted += any(Count::from_host);
  }
};

TEST(Counts, AddUpOnRandomFabrics) {
  const auto cases = by_effort<std::uint64_t>(20, 60, 150);
  Reached reached;
  for (std::uint64_t seed = seed_from(88'000'000), last = seed + cases; seed < last; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Case c = seed % 4 == 0 ? hosted_case(seed) : random_case(seed);
    Profile whole = counted(c, 0);
    reached.add(whole);
    expect_sums(whole);
    std::mt19937_64 dice(seed);
    for (const int windows : {16, 64, 1024}) {
      Profile p = counted(c, windows);
      expect_sums_of_windows(p);
      std::vector<std::uint64_t> pieces;
      for (int n = 0; n < 5; ++n) pieces.push_back(dice() % c.limit);
      std::ranges::sort(pieces);
      EXPECT_EQ(counted(c, windows, pieces), p);
      p.windows = 0;
      p.window_cycles = 0;
      p.windowed = {};
      EXPECT_EQ(p, whole);
    }
    if (HasFailure()) return;
  }
  if (!many_cases()) return;
  for (const int count :
       {reached.crossed, reached.held, reached.filtered, reached.waited, reached.hosted})
    EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace weft::test::counts_test
