#pragma once

#include <memory>
#include <span>

#include "engine/engine.hpp"
#include "engine/totals.hpp"
#include "fabric/pe_state.hpp"
#include "weft/fabric.hpp"

namespace weft::fabric {

/// Owns the state of a fabric and steps it. Nobody else knows how it keeps that state.
class Stepper {
 public:
  Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  virtual ~Stepper() = default;

  /// Words of the PEs of a rectangle, from word `first` of each on, in the order of Fabric::write.
  /// All are there. Threads may write to different PEs at the same time.
  virtual void write(const Rect& where, std::size_t first,
                     std::span<const std::uint32_t> words) = 0;
  virtual void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const = 0;

  /// A run may be by line (engine::RunOptions::by_line) as the fabric is now.
  virtual bool has_lines() { return false; }

  /// Steps from `cycle` on. Throws Error(environment) if the device fails.
  virtual engine::RunResult run(std::uint64_t cycle, const engine::RunOptions& options) = 0;

  /// Why the state is not that of any one cycle after a failure; null: it is.
  virtual const char* torn() const { return nullptr; }

  /// Lowest (cycle, y, x). FaultKind::none: there is none.
  virtual Fault first_fault() const = 0;
  /// Wavelets, microthreads or tasks are left, active ones that are blocked too.
  virtual bool anything_left() const = 0;
  virtual engine::Totals totals() const = 0;
  virtual PeState pe_state(int x, int y) const = 0;
};

struct ChosenStepper {
  std::unique_ptr<Stepper> stepper;
  Engine engine;  ///< never Engine::automatic
};

/// Builds the state of a layout at cycle 0. Throws as Fabric's constructor.
ChosenStepper make_stepper(const Layout& layout, const Machine& machine,
                           const FabricOptions& options);

/// Of CPU threads or a device, by lanes. `options.engine`: not Engine::reference.
ChosenStepper make_lane_stepper(const Layout& layout, const Machine& machine,
                                const FabricOptions& options);

/// Of the specification (src/spec/), PE by PE. `tally`: as FabricOptions::tally.
std::unique_ptr<Stepper> make_spec_stepper(const Layout& layout, const Machine& machine,
                                           bool tally = true);

}  // namespace weft::fabric
