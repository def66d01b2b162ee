#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/share.hpp"
#include "fabric/stepper/lane_stepper.hpp"
#include "fabric/stepper/lines_stepper.hpp"
#include "fabric/stepper/sharing.hpp"
#include "fabric/stepper/stepper.hpp"
#include "fabric/stepper/strip_exchange.hpp"
#include "weft/processes.hpp"

namespace weft::fabric {

/// How strips are divided among processes.
enum class Divided : std::uint8_t {
  by_rows,     ///< as evenly as rows of strips can be
  by_bundles,  ///< each its rows as of a run by line, which is not tried
  by_line,     ///< for a first run by line; later each has its rows
};

/// Steps the rows of strips of one process, of a fabric that several processes share. All make the
/// same calls in the same order, but for pe_state. Where a call returns something, all get the
/// same, but for the time that runs took.
class DistributedStepper : public LinesStepper {
 public:
  /// Throws as Fabric's constructor, the same error in all processes.
  DistributedStepper(const Layout& layout, const Machine& machine, const FabricOptions& options,
                     Divided divided);

  Engine engine() const override { return Engine::host; }
  void write(const Rect& where, std::size_t first, std::span<const std::uint32_t> words) override;
  void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const override;
  void read_own(const Rect& where, std::size_t first,
                std::span<std::uint32_t> words) const override;
  void activate(const Rect& where, int task) override;
  engine::RunResult run(const engine::RunOptions& options) override;
  RunHistory history() const override { return lanes_->history(); }
  Fault first_fault() const override;
  bool anything_left() const override;
  engine::Totals totals() const override;
  PeState pe_state(int x, int y) const override;
  Profile profile() const override;
  std::vector<PhaseCounts> phases() const override;
  Processes* processes() const override { return processes_.get(); }
  void collect_states() const override;

  // Divided by line.
  bool has_lines() const override;
  engine::RunResult run_by_line(engine::RunOptions options, bool must_pay,
                                by_line::Watcher* watcher) override;
  bool lost() const override { return runs_.lost(); }

 private:
  const std::shared_ptr<Processes> processes_;
  const Layout layout_;
  const Machine machine_;
  const std::unique_ptr<LaneStepper> lanes_;       ///< of its own strips
  const std::unique_ptr<StripExchange> exchange_;  ///< null: divided by rows
  std::unique_ptr<engine::Share> share_;
  SharedRuns runs_{};

  // In the first process: the whole fabric but for memory, as it was when states were collected.
  mutable std::unique_ptr<State> whole_{};
  mutable std::vector<ProgramFacts> programs_{};
};

/// Whether several processes share the fabric. Throws Error(usage) for what they do not share.
bool is_shared(const Layout& layout, const FabricOptions& options);

}  // namespace weft::fabric
