#include <algorithm>
#include <set>
#include <vector>

#include "fft/emulation.hpp"
#include "fft/expectation.hpp"
#include "fft/findings.hpp"
#include "fft/fitting.hpp"
#include "fft/planning.hpp"
#include "fft/wsfft/program.hpp"
#include "weft/fft.hpp"

namespace weft::inline v0 {
namespace {

/// Filters of the PE that has most.
int most_filters(const Layout& layout) {
  const auto width = static_cast<std::size_t>(layout.width());
  std::vector<int> filters(width * static_cast<std::size_t>(layout.height()));
  for (const auto& [where, color, filter] : layout.filterings())
    for (int y = where.y; y < where.y + where.height; ++y)
      for (int x = where.x; x < where.x + where.width; ++x)
        ++filters[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
  return std::ranges::max(filters);
}

}  // namespace

FftEstimate FftPlan::estimate(FftDirection direction) const {
  const wsfft::Division& division = found_->division;
  const wsfft::Transform transform{division,
                                   {precision_},
                                   direction,
                                   {1, 1, 1},
                                   fft::attempts(options_.transpose, false).front().form,
                                   options_.pencil};
  const Layout layout = wsfft::lay_out(wsfft::build_transform(transform).program, transform);
  std::set<int> colors;
  for (const Layout::Routing& one : layout.routings()) colors.insert(one.color);

  FftEstimate estimate;
  estimate.mesh = options_.mesh;
  estimate.division = found_->way.describe(division, direction);
  estimate.rounds = fft::rounds_of(division, options_.batch);
  estimate.pe_bytes = found_->pe_bytes;
  estimate.colors = static_cast<int>(colors.size());
  estimate.filters = most_filters(layout);
  estimate.host_bytes = static_cast<std::uint64_t>(
      fft::bytes_of_host(division, precision_, estimate.pe_bytes, options_));
  const auto expected = [&](fft::Model model) {
    return fft::Expectation(division, precision_, direction, options_.machine, options_.pencil,
                            model, options_.transpose);
  };
  const fft::Expectation measured = expected(fft::Model::measured);
  const auto rounds = static_cast<std::uint64_t>(estimate.rounds);
  estimate.cycles = rounds * measured.cycles();
  estimate.phases = measured.phases();
  for (RunPhase& phase : estimate.phases) phase.cycles *= rounds;
  estimate.published_cycles = rounds * expected(fft::Model::published).cycles();
  return estimate;
}

}  // namespace weft::inline v0
