#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/engine.hpp"
#include "engine/totals.hpp"
#include "fabric/events/event_log.hpp"
#include "fabric/stepper/by_line_options.hpp"
#include "fabric/stepper/pe_state.hpp"
#include "weft/fabric.hpp"
#include "weft/processes.hpp"

namespace weft::fabric {

/// Of so many words for the PEs of a rectangle, those of each.
inline std::size_t words_each(const Rect& where, std::size_t words) {
  return words / (static_cast<std::size_t>(where.width) * static_cast<std::size_t>(where.height));
}

/// All runs of a stepper so far.
struct RunHistory {
  std::uint64_t cycle = 0;               ///< the next one that was not stepped
  std::uint64_t skipped = 0;             ///< cycles jumped over
  std::chrono::duration<double> wall{};  ///< spent in runs
  bool begun = false;                    ///< there was a run, perhaps without an end
  bool faulted = false;                  ///< the last run: there is no next one
  bool by_line = false;                  ///< the first run was so to its end

  /// Adds the run that step(cycle) makes.
  template <class F>
  engine::RunResult add(F step) {
    const Stopwatch stopwatch(wall);
    begun = true;
    engine::RunResult result = step(cycle);
    cycle = result.cycle;
    skipped += result.skipped;
    faulted = result.stop == engine::Stop::fault;
    return result;
  }

 private:
  class Stopwatch {
   public:
    explicit Stopwatch(std::chrono::duration<double>& sum) : sum_(sum) {}
    ~Stopwatch() { sum_ += std::chrono::steady_clock::now() - begin_; }

   private:
    std::chrono::duration<double>& sum_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };
};

/// One color of a link to the host.
struct HostEnd {
  int x = 0, y = 0;  ///< the PE
  Port edge = Port::west;
  int color = 0;
  bool input = false;  ///< to the fabric
};

/// Owns the state of a fabric and steps it. Nobody else knows how it keeps that state.
class Stepper {
 public:
  Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  virtual ~Stepper() = default;

  virtual Engine engine() const = 0;  ///< never Engine::automatic

  /// Words of the PEs of a rectangle, from word `first` of each on, in the order of Fabric::write.
  /// All are there. Threads may write to different PEs at the same time.
  virtual void write(const Rect& where, std::size_t first,
                     std::span<const std::uint32_t> words) = 0;
  virtual void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const = 0;
  /// The same, but of PEs that another process steps nothing is read, and no process is asked.
  virtual void read_own(const Rect& where, std::size_t first,
                        std::span<std::uint32_t> words) const {
    read(where, first, words);
  }

  /// Sets the active bit of a local task that all PEs of a rectangle have, before the next cycle.
  virtual void activate(const Rect& where, int task) = 0;

  /// Words for the host's end of a stream that the layout has: appended to those of an input, the
  /// oldest ones of an output, and how many it holds.
  virtual void send(const HostEnd& end, std::span<const std::uint32_t> words);
  virtual void receive(const HostEnd& end, std::span<std::uint32_t> words);
  virtual std::size_t host_words(const HostEnd& end) const;

  /// Steps from where it is. Throws Error(environment) if the device fails.
  virtual engine::RunResult run(const engine::RunOptions& options) = 0;
  /// The same, of a run that probably comes to rest before its limit. It ends early where `circles`
  /// tells that nothing is left but wavelets that go round for ever: asked seldom (looks.hpp). May
  /// throw what `progress` does.
  virtual engine::RunResult run_until_idle(engine::RunOptions options,
                                           const std::function<bool()>& circles);
  virtual RunHistory history() const = 0;

  /// Lowest (cycle, y, x). FaultKind::none: there is none.
  virtual Fault first_fault() const = 0;
  /// Wavelets, microthreads or tasks are left, active ones that are blocked too.
  virtual bool anything_left() const = 0;
  virtual engine::Totals totals() const = 0;
  virtual PeState pe_state(int x, int y) const = 0;
  /// Those that share the fabric; null: there are no others. Before the first one asks for
  /// pe_state, which no other one may, all collect the states of their PEs there.
  virtual Processes* processes() const { return nullptr; }
  virtual void collect_states() const {}
  /// Colors have no names. Throws Error(usage) if nothing was counted.
  virtual Profile profile() const;
  /// The same of a stepper that nobody uses any more: what it has counted may leave its memory.
  virtual Profile take_profile() { return profile(); }
  /// Of that profile, the phases alone, in any order, and perhaps none of their counts but those of
  /// cores' states; none, if nothing was counted by phase.
  virtual std::vector<PhaseCounts> phases() const { return {}; }
  /// The events while it runs. Null: nobody has asked for any.
  virtual EventLog* events() { return nullptr; }
  /// What it remembers for the critical path. Null: nobody has asked for it.
  virtual const path::Recorder* path() const { return nullptr; }
};

/// The stepper that suits a layout at cycle 0. Throws as Fabric's constructor.
std::unique_ptr<Stepper> make_stepper(const Layout& layout, const Machine& machine,
                                      const FabricOptions& options,
                                      const ByLineOptions& by_line = {});

/// Of the specification (src/spec/), PE by PE. Of the options, those of counts.
std::unique_ptr<Stepper> make_spec_stepper(const Layout& layout, const Machine& machine,
                                           const FabricOptions& options = {});

}  // namespace weft::fabric
