#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fabric/stepper/device_stepper.hpp"

namespace weft::test {

/// A fabric before its first cycle.
struct Beginning {
  Layout layout;
  Machine machine{};
  bool data = true;
  Accelerations accelerate{};
  Observation observe{};
  /// Writes into the PEs' memory.
  std::function<void(fabric::Stepper&)> write{};
};

/// The same fabric twice, stepped by the two engines.
class Twins {
 public:
  explicit Twins(const Beginning& beginning);

  /// Steps both up to a limit, the device with launches of `blocks` blocks of cycles (0: as it
  /// likes). Expects the same end, the same sums and, unless there is a fault, the same state.
  engine::RunResult run(std::uint64_t limit, int blocks = 0,
                        const std::function<void(std::uint64_t)>& progress = {});
  /// The device's part of it.
  engine::RunResult run_device(std::uint64_t limit, int blocks,
                               const std::function<void(std::uint64_t)>& progress = {});

  std::uint64_t cycle() const { return on_host->history().cycle; }
  bool device_is_lost() const;

  std::unique_ptr<fabric::Stepper> on_host;
  std::unique_ptr<fabric::DeviceStepper> on_device;

  /// The first difference between two fabrics of this layout; empty if there is none. Without data
  /// of what does not depend on it.
  std::string difference(const fabric::Stepper& a, const fabric::Stepper& b) const;
  /// The memory of all PEs.
  std::vector<std::uint32_t> memory(const fabric::Stepper& of) const;

 private:
  Rect all_;
  std::size_t words_;  ///< of a PE
  bool data_;
};

}  // namespace weft::test
