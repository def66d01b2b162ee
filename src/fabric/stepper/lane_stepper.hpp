#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/device_engine.hpp"
#include "fabric/build/state.hpp"
#include "fabric/stepper/lane_facts.hpp"
#include "fabric/stepper/stepper.hpp"

namespace weft::fabric {

/// Steps a fabric as strips of lanes, on CPU threads or a device.
class LaneStepper : public Stepper {
 public:
  /// Takes a device for Engine::cuda. Throws as Fabric's constructor.
  LaneStepper(const Layout& layout, const Machine& machine, const FabricOptions& options);

  Engine engine() const override { return device_ ? Engine::cuda : Engine::host; }
  void write(const Rect& where, std::size_t first, std::span<const std::uint32_t> words) override;
  void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const override;
  engine::RunResult run(const engine::RunOptions& options) override;
  RunHistory history() const override;
  Fault first_fault() const override;
  bool anything_left() const override;
  engine::Totals totals() const override;
  PeState pe_state(int x, int y) const override;

  /// A run may be by line as the fabric is now.
  bool has_lines() const;
  /// As run, by line (by_line::run); then filters are not tallied any more.
  engine::RunResult run_by_line(const engine::RunOptions& options, bool must_pay);

 private:
  void check_whole() const;
  void bring_back() const;
  engine::RunResult run_on_device(std::uint64_t cycle, const engine::RunOptions& options);

  mutable State state_;  ///< bring_back() changes it
  mutable std::mutex device_asked_{};
  RunHistory history_{};
  std::vector<ProgramFacts> programs_;
  std::unique_ptr<engine::DeviceEngine> device_{};  ///< null: the host steps
};

}  // namespace weft::fabric
