#pragma once

#include <cstdint>
#include <functional>

#include "engine/device_engine.hpp"
#include "engine/engine.hpp"
#include "fabric/build/state.hpp"

namespace weft::test {

/// The same fabric twice, stepped by the two engines.
class Twins {
 public:
  explicit Twins(const std::function<fabric::State()>& build);

  /// Steps both up to a limit, the device with launches of `blocks` blocks of cycles (0: as it
  /// likes). Expects the same end, the same state, bit for bit, and its sums.
  engine::RunResult run(std::uint64_t limit, int blocks = 0,
                        const std::function<void(std::uint64_t)>& progress = {});
  engine::Totals device_totals() const { return device_.totals(); }
  bool host_whole() const { return device_.host_whole(); }
  /// The device's part of it, copied back: `on_host` stays.
  engine::RunResult run_device(std::uint64_t limit, int blocks,
                               const std::function<void(std::uint64_t)>& progress = {});

  fabric::State on_host, on_device;
  std::uint64_t cycle = 0;

 private:
  engine::DeviceEngine device_;
};

}  // namespace weft::test
