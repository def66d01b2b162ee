#include "weft/engine.hpp"

#include "engine/devices.hpp"

namespace weft::inline v0 {

std::string why_absent(Engine engine) {
  return engine == Engine::cuda ? engine::why_no_device_engine() : std::string();
}

}  // namespace weft::inline v0
