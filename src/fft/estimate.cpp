#include <algorithm>
#include <set>
#include <vector>

#include "fft/algorithm.hpp"
#include "fft/findings.hpp"
#include "fft/planning.hpp"
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
  const fft::Algorithm& algorithm = fft::algorithm_of(options_.algorithm);
  const fft::Job job{found_->choice.division, precision_, direction, options_};
  const wsfft::Division& division = job.division;
  const fft::Written written = algorithm.write(job, algorithm.attempts(options_, false).front());
  const Layout& layout = written.layout;
  std::set<int> colors;
  for (const Layout::Routing& one : layout.routings()) colors.insert(one.color);

  FftEstimate estimate;
  estimate.mesh = options_.mesh;
  estimate.division = found_->choice.describe(direction);
  estimate.rounds = fft::rounds_of(division, options_.batch);
  estimate.pe_bytes = found_->choice.memory.bytes;
  estimate.root_bytes = written.root_bytes;
  for (const Layout::Placement& one : layout.placements())
    estimate.shapes = std::max(estimate.shapes, static_cast<int>(one.program->shapes.size()));
  estimate.colors = static_cast<int>(colors.size());
  estimate.filters = most_filters(layout);
  estimate.host_bytes =
      static_cast<std::uint64_t>(fft::bytes_of_host(division, found_->choice.memory, options_));
  const fft::Expectation measured = algorithm.expect(job, fft::Model::measured);
  const auto rounds = static_cast<std::uint64_t>(estimate.rounds);
  estimate.cycles = rounds * measured.cycles();
  estimate.phases = measured.phases();
  for (RunPhase& phase : estimate.phases) phase.cycles *= rounds;
  estimate.published_cycles = rounds * algorithm.expect(job, fft::Model::published).cycles();
  return estimate;
}

}  // namespace weft::inline v0
