#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/share.hpp"
#include "fabric/stepper/device_stepper.hpp"
#include "fabric/stepper/sharing.hpp"
#include "weft/processes.hpp"

namespace weft::fabric {

/// Steps the rows of one process on its device, of a fabric that several processes share. All make
/// the same calls in the same order, but for pe_state. Where a call returns something, all get the
/// same, but for the time that runs took.
class SharedDeviceStepper : public DeviceStepper {
 public:
  /// Throws as Fabric's constructor, the same error in all processes. `together`: as for Share.
  SharedDeviceStepper(const Layout& layout, const Machine& machine, const FabricOptions& options,
                      int together);

  void write(const Rect& where, std::size_t first, std::span<const std::uint32_t> words) override;
  void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const override;
  void read_own(const Rect& where, std::size_t first,
                std::span<std::uint32_t> words) const override;
  void activate(const Rect& where, int task) override;
  engine::RunResult run(const engine::RunOptions& options) override;
  RunHistory history() const override { return history_; }
  Steps steps() const override { return part_->steps(); }
  Fault first_fault() const override;
  bool anything_left() const override;
  engine::Totals totals() const override;
  PeState pe_state(int x, int y) const override { return part_->pe_state(x, y); }
  Profile profile() const override;
  std::vector<PhaseCounts> phases() const override;
  Processes* processes() const override { return processes_.get(); }
  void collect_states() const override { part_->collect_states(); }

 private:
  Rect own(const Rect& where) const;

  const std::shared_ptr<Processes> processes_;
  const int width_, height_;
  std::unique_ptr<engine::Share> share_;
  engine::Rows rows_;  ///< of PEs
  std::unique_ptr<DeviceStepper> part_{};
  SharedRuns runs_{};
  RunHistory history_{};
};

}  // namespace weft::fabric
