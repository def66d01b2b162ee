// Stands in for the CUDA engine where Weft is built without CUDA or without its compiler.
#include "engine/devices.hpp"
#include "fabric/stepper/device_stepper.hpp"
#include "weft/error.hpp"

namespace weft::fabric {

namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCategory::environment, "the cuda engine cannot run",
              engine::why_no_device_engine(), "use the host engine (--engine host)");
}

}  // namespace

std::unique_ptr<DeviceStepper> make_device_stepper(const Layout&, const Machine&,
                                                   const FabricOptions&, const DevicePart*) {
  refuse();
}

DeviceId own_device(const Processes&) { refuse(); }

}  // namespace weft::fabric

namespace weft::engine {

std::vector<DeviceInfo> devices() { return {}; }

CudaVersions cuda_versions() { return {}; }

std::string why_no_device_engine() { return "built without CUDA"; }

}  // namespace weft::engine
