// Events of random fabrics: the specification emits what it counts, in one run or in pieces,
// and the host's engine the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>

#include "differential/case.hpp"
#include "differential/host_ends.hpp"
#include "differential/stepper_of.hpp"
#include "fabric/stepper/spec_profile.hpp"
#include "support/effort.hpp"

namespace weft::test::events_test {
namespace {

struct Emitted {
  std::vector<Event> events;
  Profile profile;
};

/// All events of a case that runs to its limit, or to the ends of these pieces first.
Emitted emitted(const Case& c, const std::vector<std::uint64_t>& pieces = {}) {
  Emitted all;
  Reference fabric(c, {.counts = true});
  fabric.on_event = [&](const Event& event) { all.events.push_back(event); };
  for_sends(c, 0, [&](const fabric::HostEnd& end, const std::vector<std::uint32_t>& words) {
    std::ranges::copy(words, std::back_inserter(words_at(fabric, end)));
  });
  auto stop = spec::Fabric::Stop::limit;
  for (const std::uint64_t limit : pieces)
    if (stop == spec::Fabric::Stop::limit) stop = fabric.run(limit);
  if (stop == spec::Fabric::Stop::limit) fabric.run(c.limit);
  all.profile = fabric::profile_of(fabric);
  std::ranges::sort(all.events);
  return all;
}

/// Kinds, and the counts that they add up to.
struct Same {
  EventKind kind;
  std::vector<Count> counts;
};
const Same kSame[] = {
    {EventKind::sent, {Count::sent}},
    {EventKind::hop, {Count::link_west, Count::link_east, Count::link_south, Count::link_north}},
    {EventKind::delivered, {Count::delivered}},
    {EventKind::task_start, {Count::tasks}},
    {EventKind::instruction,
     {Count::scalars, Count::branches, Count::router_writes, Count::vectors, Count::streams}}};

TEST(Events, AreWhatIsCountedOnRandomFabrics) {
  const auto cases = by_effort<std::uint64_t>(20, 60, 300);
  std::array<std::size_t, 12> reached{};
  for (std::uint64_t seed = seed_from(89'000'000), last = seed + cases; seed < last; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Case c = seed % 4 == 0 ? hosted_case(seed) : random_case(seed);
    const Emitted all = emitted(c);
    for (const Event& event : all.events) ++reached[static_cast<std::size_t>(event.kind)];
    for (const auto& [kind, counts] : kSame) {
      std::uint64_t counted = 0;
      for (const Count count : counts) {
        const auto of_pes = all.profile.counts(count);
        counted += std::accumulate(of_pes.begin(), of_pes.end(), std::uint64_t{0});
      }
      const auto is_it = [kind = kind](const Event& e) { return e.kind == kind; };
      EXPECT_EQ(std::ranges::count_if(all.events, is_it), static_cast<std::ptrdiff_t>(counted))
          << event_infos()[static_cast<std::size_t>(kind)].name;
    }
    EXPECT_EQ(std::ranges::adjacent_find(all.events), all.events.end()) << "no event twice";
    std::mt19937_64 dice(seed);
    std::vector<std::uint64_t> pieces;
    for (int n = 0; n < 5; ++n) pieces.push_back(dice() % c.limit);
    std::ranges::sort(pieces);
    EXPECT_EQ(emitted(c, pieces).events, all.events);
    if (HasFailure()) return;
  }
  if (!many_cases()) return;
  for (const EventInfo& info : event_infos())
    EXPECT_TRUE(info.kind == EventKind::fault || reached[static_cast<std::size_t>(info.kind)] > 0)
        << info.name;
}

/// The trace of a case that runs to its limit, or to the ends of these pieces first.
std::vector<Event> traced(const Case& c, Engine engine, int threads,
                          std::vector<std::uint64_t> pieces = {}) {
  FabricOptions options;
  options.engine = engine;
  options.threads = threads;
  options.observe.events = {{}};
  const auto stepper = stepper_of(c, layout_of(c), options);
  std::vector<Event> events;
  stepper->events()->open(
      [&](std::span<const Event> more) { events.insert(events.end(), more.begin(), more.end()); });
  pieces.push_back(c.limit);
  for (const std::uint64_t limit : pieces) {
    const engine::RunResult result = stepper->run({.limit = limit, .threads = threads});
    if (result.stop != engine::Stop::limit) break;
  }
  return events;
}

/// Where two traces part, for people.
void expect_same(const std::vector<Event>& spec, const std::vector<Event>& host) {
  const auto [a, b] = std::ranges::mismatch(spec, host);
  if (a == spec.end() && b == host.end()) return;
  const auto text = [](auto at, auto end) {
    if (at == end) return std::string("the end");
    return fmt::format("cycle {} PE ({}, {}) {} {} {} from {}", std::uint64_t{at->cycle}, at->x,
                       at->y, event_infos()[static_cast<std::size_t>(at->kind)].name, at->number,
                       std::uint32_t{at->value}, static_cast<int>(at->from));
  };
  ADD_FAILURE() << "event " << a - spec.begin() << ": specification " << text(a, spec.end())
                << ", host " << text(b, host.end());
}

TEST(Events, OfTheHostAreThoseOfTheSpecification) {
  const auto cases = by_effort<std::uint64_t>(20, 60, 150);
  std::size_t faults = 0;
  for (std::uint64_t seed = seed_from(90'000'000), last = seed + cases; seed < last; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Case c = seed % 4 == 0   ? hosted_case(seed)
                   : seed % 4 == 1 ? random_case(seed, 17, 9)
                                   : random_case(seed);
    const std::vector<Event> expected = traced(c, Engine::reference, 1);
    expect_same(expected, traced(c, Engine::host, 1));
    expect_same(expected, traced(c, Engine::host, 2, {c.limit / 7, c.limit / 2}));
    if (!expected.empty() && expected.back().kind == EventKind::fault) ++faults;
    if (HasFailure()) return;
  }
  if (many_cases()) {
    EXPECT_GT(faults, 0U);
  }
}

}  // namespace
}  // namespace weft::test::events_test
