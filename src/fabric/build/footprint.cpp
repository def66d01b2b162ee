#include "fabric/build/footprint.hpp"

#include <unistd.h>

#include <algorithm>

#include "model/state.hpp"

namespace weft::fabric {

namespace {

double bytes_of(int pages) noexcept {
  return static_cast<double>(sysconf(pages)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

double host_memory() noexcept { return bytes_of(_SC_PHYS_PAGES); }

double free_memory() noexcept { return bytes_of(_SC_AVPHYS_PAGES); }

double state_bytes_per_pe() noexcept {
  constexpr double kColorsInUse = 4, kPortsInUse = 2;
  const double color = sizeof(model::ColorState) + sizeof(model::SwitchState) +
                       sizeof(model::FilterState) + kPortsInUse * sizeof(model::PortQueue);
  return (sizeof(model::CoreState) + sizeof(model::StripState) + kColorsInUse * color) /
         model::kLanes;
}

double pes_kept_twice(int width, int height, int threads) noexcept {
  const int bundles = (std::min(width, height) - 1) / model::kLanes + 1;
  return static_cast<double>(std::min(threads, bundles)) * model::kLanes * std::max(width, height);
}

}  // namespace weft::fabric
