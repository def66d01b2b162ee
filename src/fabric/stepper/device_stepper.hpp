#pragma once

#include <array>
#include <memory>

#include "engine/share.hpp"
#include "fabric/stepper/stepper.hpp"

namespace weft::fabric {

/// Steps a fabric on a CUDA device, which has it from the first run on: the host asks for as much
/// as somebody wants to know.
class DeviceStepper : public Stepper {
 public:
  Engine engine() const override { return Engine::cuda; }
  /// Of the device in all runs so far, without copies. It steps blocks of cycles, and so more of
  /// them than the clock must.
  struct Steps {
    double seconds = 0;
    std::uint64_t cycles = 0;
  };
  virtual Steps steps() const = 0;
};

/// The rows of one process, of a fabric that several share.
struct DevicePart {
  engine::Share* share = nullptr;
  engine::Rows rows{};  ///< of PEs
};

/// What no other device has.
using DeviceId = std::array<char, 16>;

/// The device of this process, of several that share a fabric. Throws Error(environment) if it has
/// none.
DeviceId own_device(const Processes& processes);

/// Takes device memory. Throws as Fabric's constructor, and Error(environment) where there is no
/// device, or too little memory: the error names the sizes. `part`: only these rows are asked for
/// anything, and the others' processes make the same runs; null: all rows are here.
std::unique_ptr<DeviceStepper> make_device_stepper(const Layout& layout, const Machine& machine,
                                                   const FabricOptions& options,
                                                   const DevicePart* part = nullptr);

}  // namespace weft::fabric
