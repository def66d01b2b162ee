#include "support/by_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "by_line/lines.hpp"
#include "fabric/state.hpp"

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

bool stepped_by_line(const Setting& setting) {
  fabric::State state = fabric::build(setting.layout, setting.machine);
  return by_line::lines_of(state.view()).has_value();
}

Ended run(const Setting& setting, bool by_line, bool restart) {
  FabricOptions options;
  options.threads = setting.threads;
  options.data = setting.data;
  options.by_line = by_line;
  options.restart = restart;
  Fabric fabric(setting.layout, setting.machine, options);
  if (setting.prepare) setting.prepare(fabric);
  fabric.run_until_idle(setting.limit);
  return {fabric.counters(), arrays_of(fabric, setting.layout)};
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

void expect_same_by_line(const Setting& setting) {
  ASSERT_TRUE(stepped_by_line(setting));
  const Ended otherwise = run(setting, false);
  ASSERT_NO_THROW(expect_same(run(setting, true), otherwise));
}

int expect_same_unless_lines_meet(int cases,
                                  const std::function<Setting(std::uint64_t)>& setting_of) {
  int ended = 0;
  for (int seed = 1; seed <= cases && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Setting setting = setting_of(static_cast<std::uint64_t>(seed));
    EXPECT_TRUE(stepped_by_line(setting));
    try {
      const Ended by_line = run(setting, true);
      ++ended;
      expect_same(by_line, run(setting, false));
    } catch (const LinesMet&) {
    }
  }
  return ended;
}

void expect_lines_meet(const Setting& setting) {
  ASSERT_TRUE(stepped_by_line(setting));
  EXPECT_THROW(run(setting, true), LinesMet);
  std::string fault;
  Ended otherwise;
  try {
    otherwise = run(setting, false);
  } catch (const FaultError& error) {
    fault = error.what();
  }
  try {
    const Ended anew = run(setting, true, true);
    EXPECT_EQ(fault, "");
    expect_same(anew, otherwise);
  } catch (const FaultError& error) {
    EXPECT_EQ(error.what(), fault);
  }
}

}  // namespace weft::test
