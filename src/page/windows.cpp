#include "page/windows.hpp"

#include <algorithm>
#include <numeric>

namespace weft::page {

std::vector<std::uint64_t> counts_in(const Profile& p, Windows windows, Count count, int window) {
  const auto& all = p.windowed[static_cast<std::size_t>(count)];
  const std::size_t pes = p.totals.front().size();
  std::vector<std::uint64_t> sum(pes);
  std::vector<std::uint32_t> plane(pes);
  const int first = window * windows.merged, last = std::min(p.windows, first + windows.merged);
  for (int w = first; w < last; ++w) {
    all.read(static_cast<std::size_t>(w) * pes, plane);
    for (std::size_t pe = 0; pe < pes; ++pe) sum[pe] += plane[pe];
  }
  return sum;
}

AllWindowFacts window_facts(const Profile& p, Windows windows) {
  AllWindowFacts all;
  if (p.windows == 0) return all;
  for (const CountInfo& info : count_infos()) {
    if (!info.windowed) continue;
    WindowFacts facts;
    facts.sums.reserve(static_cast<std::size_t>(windows.of(p)));
    for (int w = 0; w < windows.of(p); ++w) {
      const std::vector<std::uint64_t> values = counts_in(p, windows, info.count, w);
      facts.sums.push_back(std::accumulate(values.begin(), values.end(), std::uint64_t{0}));
      facts.peak = std::max(facts.peak, std::ranges::max(values));
    }
    facts.full = std::max(windows.cycles(p), facts.peak);
    all[static_cast<std::size_t>(info.count)] = std::move(facts);
  }
  return all;
}

}  // namespace weft::page
