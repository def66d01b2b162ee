#include "fabric/footprint.hpp"

#include "model/state.hpp"

namespace weft::fabric {

double state_bytes_per_pe() noexcept {
  constexpr double kColorsInUse = 4, kPortsInUse = 2;
  const double color = sizeof(model::ColorState) + sizeof(model::SwitchState) +
                       sizeof(model::FilterState) + kPortsInUse * sizeof(model::PortQueue);
  return (sizeof(model::CoreState) + sizeof(model::StripState) + kColorsInUse * color) /
         model::kLanes;
}

}  // namespace weft::fabric
