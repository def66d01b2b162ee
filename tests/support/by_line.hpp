#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fabric/stepper/by_line_options.hpp"
#include "weft/weft.hpp"

namespace weft::test {

/// A fabric to be run by line and otherwise.
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
  bool by_line = false;               ///< it was stepped so to its end
};

/// Whether the engine can try to step such a fabric by line.
bool has_lines(const Setting& setting);

/// A fabric whose first run until idle is by line, even if that does not pay. Expects that the
/// engine can do so.
Fabric fabric_by_line(const Layout& layout, const Machine& machine = {},
                      const FabricOptions& options = {}, fabric::ByLineOptions by_line = {});

/// Runs until idle; by line, if the engine can do so, even where it does not pay. Throws as Fabric
/// does.
Ended run(const Setting& setting, bool by_line);

/// Expects the same counters and words.
void expect_same(const Ended& by_line, const Ended& otherwise);

/// Expects that the fabric is stepped by line to its end, and ends as it does otherwise.
void expect_same_by_line(const Setting& setting);

/// Expects the same of settings 1 to `cases` that are stepped by line to their end, as all are
/// begun. Returns how many are.
int expect_same_unless_lines_meet(int cases,
                                  const std::function<Setting(std::uint64_t)>& setting_of);

/// Expects the same critical path by line, even where that does not pay, and from the plain step.
/// Returns whether it was found by line.
bool expect_same_path(const Setting& setting);

/// Expects the same of settings 1 to `cases`. Returns of how many the path was found by line.
int expect_same_paths(int cases, const std::function<Setting(std::uint64_t)>& setting_of);

/// Expects that the fabric starts over by line, and ends as it does otherwise.
void expect_lines_meet(const Setting& setting);

}  // namespace weft::test
