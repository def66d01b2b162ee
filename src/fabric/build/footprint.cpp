#include "fabric/build/footprint.hpp"

#include <unistd.h>

#include <algorithm>

#include "fabric/build/timing.hpp"
#include "model/state.hpp"

namespace weft::fabric {

namespace {

double bytes_of(int pages) noexcept {
  return static_cast<double>(sysconf(pages)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

constexpr double kColorsInUse = 4, kPortsInUse = 2;
constexpr double kColorsOfFarLink = 7;  // by halves 6.4 of 64^3, around a ring 5.5, else fewer

/// The far links that lead to a PE, on average, along an axis with so many PEs, of dies with so
/// many.
double far_links_along(int pes, int die, bool all) noexcept {
  const int between = all ? pes - 1 : die == 0 ? 0 : (pes - 1) / die;
  return 2.0 * between / pes;
}

double far_bytes_per_pe(const Machine& m, int width, int height) noexcept {
  if (m.die_link_cycles == 0 || !has_far_links(m, width, height)) return 0;
  const model::Timing timing = timing_of(m);
  const bool all = timing.without_dies();
  const double links =
      far_links_along(width, m.die_width, all) + far_links_along(height, m.die_height, all);
  return links * kColorsOfFarLink * timing.far_depth() * sizeof(model::FarWavelet) +
         kLinks * kColorsOfFarLink * sizeof(model::FarQueue) / model::kLanes;
}

}  // namespace

double host_memory() noexcept { return bytes_of(_SC_PHYS_PAGES); }

double free_memory() noexcept { return bytes_of(_SC_AVPHYS_PAGES); }

double state_bytes_per_pe(const Machine& machine, int width, int height) noexcept {
  const double color = sizeof(model::ColorState) + sizeof(model::SwitchState) +
                       sizeof(model::FilterState) + kPortsInUse * sizeof(model::PortQueue);
  return (sizeof(model::CoreState) + sizeof(model::StripState) + kColorsInUse * color) /
             model::kLanes +
         far_bytes_per_pe(machine, width, height);
}

double pes_kept_twice(int width, int height, int threads) noexcept {
  const int bundles = (std::min(width, height) - 1) / model::kLanes + 1;
  return static_cast<double>(std::min(threads, bundles)) * model::kLanes * std::max(width, height);
}

}  // namespace weft::fabric
