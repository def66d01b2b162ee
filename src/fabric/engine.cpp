#include "weft/engine.hpp"

#include "engine/device_engine.hpp"
#include "fabric/state.hpp"
#include "fabric/stepper.hpp"

namespace weft::inline v0 {

std::string_view to_string(Engine engine) noexcept {
  constexpr std::string_view kNames[] = {"auto", "host", "cuda", "reference"};
  return kNames[static_cast<int>(engine)];
}

std::string why_absent(Engine engine) {
  return engine == Engine::cuda ? engine::why_no_device_engine() : std::string();
}

}  // namespace weft::inline v0

namespace weft::fabric {

ChosenStepper make_stepper(const Layout& layout, const Machine& machine,
                           const FabricOptions& options) {
  if (options.engine != Engine::reference) return make_lane_stepper(layout, machine, options);
  build(layout, machine);  // checks them
  return {make_spec_stepper(layout, machine, options.tally), Engine::reference};
}

}  // namespace weft::fabric
