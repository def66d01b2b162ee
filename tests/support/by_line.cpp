#include "support/by_line.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "by_line/lines.hpp"
#include "fabric/access.hpp"
#include "fabric/build/state.hpp"
#include "support/effort.hpp"

namespace weft::test {
namespace {

std::vector<std::uint32_t> arrays_of(const Fabric& fabric, const Layout& layout) {
  std::uint32_t bytes = 0;
  for (const Layout::Placement& placement : layout.placements())
    bytes = std::max(bytes, placement.program->memory_bytes);
  const auto width = static_cast<std::size_t>(layout.width());
  std::vector<std::uint32_t> all, row(width * (bytes / 4));
  for (int y = 0; y < layout.height() && !row.empty(); ++y) {
    fabric.read({0, y, layout.width(), 1}, 0, row);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

}  // namespace

bool has_lines(const Setting& setting) {
  fabric::State state = fabric::build(setting.layout, setting.machine);
  return by_line::lines_of(state.view()).has_value();
}

Fabric fabric_by_line(const Layout& layout, const Machine& machine, const FabricOptions& options,
                      fabric::ByLineOptions by_line) {
  EXPECT_TRUE(has_lines({layout, machine}));
  by_line.always = true;
  return FabricAccess::make(layout, machine, options, by_line);
}

Ended run(const Setting& setting, bool by_line) {
  FabricOptions options;
  options.threads = setting.threads;
  options.data = setting.data;
  options.accelerate.by_line = false;
  Fabric fabric = FabricAccess::make(setting.layout, setting.machine, options, {.always = by_line});
  if (setting.prepare) setting.prepare(fabric);
  fabric.run_until_idle(setting.limit);
  return {fabric.counters(), arrays_of(fabric, setting.layout), fabric.report().by_line};
}

void expect_same(const Ended& by_line, const Ended& otherwise) {
  EXPECT_EQ(by_line.counters.cycle, otherwise.counters.cycle);
  EXPECT_EQ(by_line.counters.wavelets, otherwise.counters.wavelets);
  EXPECT_EQ(by_line.counters.hops, otherwise.counters.hops);
  EXPECT_EQ(by_line.counters.delivered, otherwise.counters.delivered);
  EXPECT_EQ(by_line.counters.filtered, otherwise.counters.filtered);
  ASSERT_EQ(by_line.memory.size(), otherwise.memory.size());
  const auto [a, b] = std::ranges::mismatch(by_line.memory, otherwise.memory);
  EXPECT_TRUE(a == by_line.memory.end())
      << "word " << a - by_line.memory.begin() << " of " << by_line.memory.size() << " is " << *a
      << " by line, " << *b << " otherwise";
}

namespace {

/// Expects the same end by line and otherwise, also if it is a fault. Returns that by line.
Ended expect_same_end(const Setting& setting) {
  std::string faults[2];
  Ended ended[2];
  for (const bool by_line : {false, true}) try {
      ended[by_line] = run(setting, by_line);
    } catch (const FaultError& error) {
      faults[by_line] = error.what();
    }
  EXPECT_EQ(faults[true], faults[false]);
  if (faults[false].empty()) expect_same(ended[true], ended[false]);
  return ended[true];
}

}  // namespace

void expect_same_by_line(const Setting& setting) {
  ASSERT_TRUE(has_lines(setting));
  const Ended otherwise = run(setting, false);
  EXPECT_FALSE(otherwise.by_line);
  const Ended by_line = run(setting, true);
  EXPECT_TRUE(by_line.by_line);
  expect_same(by_line, otherwise);
}

int expect_same_unless_lines_meet(int cases,
                                  const std::function<Setting(std::uint64_t)>& setting_of) {
  int ended = 0;
  for (int n = 1; n <= cases && !testing::Test::HasFailure(); ++n) {
    const std::uint64_t seed = seed_from(static_cast<std::uint64_t>(n));
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Setting setting = setting_of(seed);
    EXPECT_TRUE(has_lines(setting));
    ended += expect_same_end(setting).by_line ? 1 : 0;
  }
  return ended;
}

namespace {

/// A run that is to find its critical path; its profile, or the text of a fault.
struct Followed {
  Profile profile;
  bool by_line = false;
  std::string fault;
};

Followed follow(const Setting& setting, bool by_line) {
  FabricOptions options;
  options.threads = setting.threads;
  options.data = setting.data;
  options.accelerate.by_line = false;
  options.observe = {.counts = true, .path = true};
  Followed all;
  Fabric fabric = FabricAccess::make(setting.layout, setting.machine, options, {.always = by_line});
  if (setting.prepare) setting.prepare(fabric);
  try {
    fabric.run_until_idle(setting.limit);
  } catch (const FaultError& error) {
    all.fault = error.what();
    return all;
  }
  all.profile = fabric.profile();
  all.by_line = fabric.report().by_line;
  return all;
}

std::string text_of(const PathPiece& piece) {
  return fmt::format("{} to {}: {} ({}, {}) to ({}, {}), color {}, instruction {}, phase {}",
                     piece.from, piece.to, to_string(piece.kind), piece.x, piece.y, piece.to_x,
                     piece.to_y, piece.color, piece.instruction, piece.phase);
}

}  // namespace

bool expect_same_path(const Setting& setting) {
  const Followed plain = follow(setting, false);
  EXPECT_FALSE(plain.by_line);
  const Followed lines = follow(setting, true);
  EXPECT_EQ(lines.fault, plain.fault);
  const auto [a, b] = std::ranges::mismatch(lines.profile.path, plain.profile.path);
  if (a == lines.profile.path.end() && b == plain.profile.path.end()) return lines.by_line;
  const auto text = [](auto at, auto end) { return at == end ? "nothing" : text_of(*at); };
  ADD_FAILURE() << "piece " << a - lines.profile.path.begin() << " of " << plain.profile.path.size()
                << "\nby line  " << text(a, lines.profile.path.end()) << "\notherwise "
                << text(b, plain.profile.path.end());
  return lines.by_line;
}

int expect_same_paths(int cases, const std::function<Setting(std::uint64_t)>& setting_of) {
  int found = 0;
  for (int n = 1; n <= cases && !testing::Test::HasFailure(); ++n) {
    const std::uint64_t seed = seed_from(static_cast<std::uint64_t>(n));
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    found += expect_same_path(setting_of(seed)) ? 1 : 0;
  }
  return found;
}

void expect_lines_meet(const Setting& setting) {
  ASSERT_TRUE(has_lines(setting));
  EXPECT_FALSE(expect_same_end(setting).by_line);
}

}  // namespace weft::test
