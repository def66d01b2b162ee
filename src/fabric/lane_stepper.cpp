#include <algorithm>
#include <atomic>
#include <mutex>

#include "by_line/lines.hpp"
#include "engine/device_engine.hpp"
#include "engine/left.hpp"
#include "fabric/lane_facts.hpp"
#include "fabric/stepper.hpp"
#include "fabric/strips.hpp"

/// Fabrics as strips of lanes, which the host or a device steps.
namespace weft::fabric {
namespace {

/// f(word of a PE's memory, its number) for the words from `word` on, `each` in number, of each PE
/// of a rectangle; they are numbered PE by PE, row by row. In turns of a few of each PE of a strip,
/// as these share cache lines.
template <class F>
void for_words(const State& s, const Rect& r, std::size_t word, std::size_t each, F f) {
  constexpr std::size_t kTurn = 64;  // chosen: words of a strip's PEs are 16 KiB
  for_strips(s, r, [&](std::size_t strip, model::Mask lanes) {
    const model::Place at = place(s, strip);
    std::uint32_t* words = s.memory.data() + (strip * s.memory_words + word) * kLanes;
    for (std::size_t first = 0; first < each; first += kTurn)
      for (model::Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = model::lowest(rest);
        const int pe = (at.y(lane) - r.y) * r.width + at.x(lane) - r.x;
        const std::size_t number = static_cast<std::size_t>(pe) * each;
        for (std::size_t i = first; i < std::min(first + kTurn, each); ++i)
          f(words[i * kLanes + static_cast<std::size_t>(lane)], number + i);
      }
  });
}

/// Sets what other threads may be setting to the larger of both.
void raise(std::size_t& value, std::size_t to) {
  const std::atomic_ref shared(value);
  for (std::size_t now = shared.load(); now < to && !shared.compare_exchange_weak(now, to);) {
  }
}

class LaneStepper : public Stepper {
 public:
  LaneStepper(const Layout& layout, const Machine& machine, const FabricOptions& options)
      : state_(build(layout, machine, options.accelerate)) {
    state_.data = options.data;
    state_.tally = options.tally;
  }

  void write(const Rect& where, std::size_t first, std::span<const std::uint32_t> words) override {
    bring_back();
    if (device_) device_->host_changed();
    const std::size_t each = words_each(where, words.size());
    raise(state_.touched_words, first + each);
    for_words(state_, where, first, each,
              [&](std::uint32_t& word, std::size_t number) { word = words[number]; });
  }
  void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const override {
    bring_back();
    for_words(state_, where, first, words_each(where, words.size()),
              [&](const std::uint32_t& word, std::size_t number) { words[number] = word; });
  }

  /// Lets the device step the fabric. Throws as DeviceEngine.
  void take_device() {
    device_ = std::make_unique<engine::DeviceEngine>(state_.view(), state_.sizes());
  }

  bool has_lines() override { return !device_ && by_line::lines_of(state_.view()).has_value(); }
  engine::RunResult run(std::uint64_t cycle, const engine::RunOptions& options) override {
    if (options.by_line) state_.tally = false;  // bundles keep none
    engine::RunResult result = run_anywhere(cycle, options);
    cycle_ = result.cycle;
    return result;
  }
  const char* torn() const override {
    return device_ && !device_->host_whole()
               ? "the CUDA device failed before its last run was copied back"
               : nullptr;
  }

  Fault first_fault() const override {
    bring_back();
    return fabric::first_fault(state_);
  }
  bool anything_left() const override {
    bring_back();
    return engine::anything_left(state_.view());
  }
  engine::Totals totals() const override {
    if (device_) {
      const std::lock_guard lock(device_asked_);
      return device_->totals();
    }
    engine::Totals all;
    for (std::size_t i = 0; i < state_.strip_count(); ++i) all.add(state_.strip[i]);
    return all;
  }
  PeState pe_state(int x, int y) const override {
    bring_back();
    return fabric::pe_state(state_, programs_, x, y, cycle_);
  }

 private:
  /// The device keeps the fabric between runs, until somebody asks. Several threads may.
  void bring_back() const {
    if (!device_ || device_->host_current()) return;
    const std::lock_guard lock(device_asked_);
    if (device_->host_current()) return;
    model::Sizes sizes = state_.sizes();
    device_->bring_back(state_.view(), sizes);
    state_.touched_words = sizes.touched_words;
  }
  engine::RunResult run_anywhere(std::uint64_t cycle, const engine::RunOptions& options) {
    if (!device_)
      return options.by_line ? by_line::run(state_.view(), cycle, options)
                             : engine::run_on_host(state_.view(), cycle, options);
    model::Sizes sizes = state_.sizes();
    engine::RunResult result = device_->run(state_.view(), sizes, cycle, options);
    state_.touched_words = sizes.touched_words;
    return result;
  }
  static std::size_t words_each(const Rect& r, std::size_t words) {
    return words / (static_cast<std::size_t>(r.width) * static_cast<std::size_t>(r.height));
  }

  mutable State state_;  ///< bring_back() changes it
  mutable std::mutex device_asked_{};
  std::uint64_t cycle_ = 0;  ///< that the last run has come to
  std::vector<ProgramFacts> programs_ = facts_of_programs(state_);
  std::unique_ptr<engine::DeviceEngine> device_{};  ///< null: the host steps
};

}  // namespace

ChosenStepper make_lane_stepper(const Layout& layout, const Machine& machine,
                                const FabricOptions& options) {
  auto stepper = std::make_unique<LaneStepper>(layout, machine, options);
  if (options.engine != Engine::cuda) return {std::move(stepper), Engine::host};
  stepper->take_device();
  return {std::move(stepper), Engine::cuda};
}

}  // namespace weft::fabric
