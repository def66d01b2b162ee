#pragma once

#include <algorithm>
#include <string_view>

#include "evaluation/item.hpp"

namespace weft::test {

/// The table of an item of a paper from its runs of --quick on so few PEs.
inline evaluation::Table small_table(std::string_view paper, std::string_view name, int most_pes) {
  using namespace evaluation;
  const Paper& of = *std::ranges::find(papers(), paper, &Paper::name);
  const Item& item = *std::ranges::find(of.items, name, &Item::name);
  Outcomes outcomes;
  for (const evaluation::Run& run : item.runs(kQuick))
    if (run.mesh.x * run.mesh.y <= most_pes)
      outcomes.add(run, measure(run, Machine{}, 1, [](const FftProgress&) {}));
  return item.make(kQuick, outcomes, Machine{}).table;
}

}  // namespace weft::test
