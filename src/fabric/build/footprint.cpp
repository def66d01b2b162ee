#include "fabric/build/footprint.hpp"

#include <unistd.h>

#include <algorithm>

#include "model/state.hpp"

namespace weft::fabric {

double host_memory() noexcept {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

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
