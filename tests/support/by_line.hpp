#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "weft/weft.hpp"

namespace weft::test {

/// A fabric to be run with and without FabricOptions::by_line.
struct Setting {
  Layout layout;
  Machine machine{};
  int threads = 1;
  bool data = true;
  std::function<void(Fabric&)> prepare{};  ///< writes memory before the run
  std::uint64_t limit = 10'000'000;
};

/// How a run ended.
struct Ended {
  FabricCounters counters;
  std::vector<std::uint32_t> memory;  ///< all that programs have arrays in, PE by PE, row by row
};

/// Whether the engine tries to step such a fabric by line.
bool stepped_by_line(const Setting& setting);

/// Runs until idle. Throws as Fabric does. `restart`: as FabricOptions::restart.
Ended run(const Setting& setting, bool by_line, bool restart = false);

/// Expects the same counters and words.
void expect_same(const Ended& by_line, const Ended& otherwise);

/// Expects that the fabric is stepped by line to its end, and ends as it does otherwise.
void expect_same_by_line(const Setting& setting);

/// Expects the same of settings 1 to `cases` that are stepped by line to their end, as all are
/// begun. Returns how many are.
int expect_same_unless_lines_meet(int cases,
                                  const std::function<Setting(std::uint64_t)>& setting_of);

/// Expects LinesMet by line, or, with FabricOptions::restart, the same end as otherwise.
void expect_lines_meet(const Setting& setting);

}  // namespace weft::test
