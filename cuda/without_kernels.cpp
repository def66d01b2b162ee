// Stands in for the device engine where Weft is built without CUDA or without its compiler.
#include "engine/device_engine.hpp"
#include "weft/error.hpp"

namespace weft::engine {

struct DeviceEngine::Impl {};

DeviceEngine::DeviceEngine(const model::View&, const model::Sizes&) {
  throw Error(ErrorCategory::environment, "the cuda engine cannot run", why_no_device_engine(),
              "use the host engine (--engine host)");
}
DeviceEngine::~DeviceEngine() = default;

RunResult DeviceEngine::run(const model::View&, model::Sizes&, std::uint64_t, const RunOptions&) {
  return {};  // there is none
}

Totals DeviceEngine::totals() const { return {}; }

bool DeviceEngine::host_current() const { return true; }

void DeviceEngine::bring_back(const model::View&, model::Sizes&) {}

void DeviceEngine::host_changed() {}

bool DeviceEngine::host_whole() const { return true; }

double DeviceEngine::step_seconds() const { return 0; }

std::vector<DeviceInfo> devices() { return {}; }

CudaVersions cuda_versions() { return {}; }

std::string why_no_device_engine() { return "built without CUDA"; }

}  // namespace weft::engine
