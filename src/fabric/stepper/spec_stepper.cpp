#include <algorithm>
#include <exception>
#include <vector>

#include "engine/ticker.hpp"
#include "fabric/stepper/spec_facts.hpp"
#include "fabric/stepper/spec_profile.hpp"
#include "fabric/stepper/stepper.hpp"
#include "spec/fabric.hpp"

/// The fabric of the specification, asked and answered as any other.
namespace weft::fabric {
namespace {

class SpecStepper : public Stepper {
 public:
  SpecStepper(const Layout& layout, const Machine& machine, const FabricOptions& options)
      : fabric_(layout, machine, options.observe),
        events_(options.observe, layout, machine),
        tally_(options.tally) {
    fabric_.emits_elements = options.observe.path;
  }

  Engine engine() const override { return Engine::reference; }

  void write(const Rect& where, std::size_t first, std::span<const std::uint32_t> words) override {
    for_pes(fabric_, where, words, [&](std::vector<std::uint32_t>& memory, auto part) {
      std::ranges::copy(part, memory.begin() + static_cast<std::ptrdiff_t>(first));
    });
  }
  void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const override {
    for_pes(fabric_, where, words, [&](const std::vector<std::uint32_t>& memory, auto part) {
      std::ranges::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(first),
                          static_cast<std::ptrdiff_t>(part.size()), part.begin());
    });
  }

  void activate(const Rect& where, int task) override {
    for (int y = where.y; y < where.y + where.height; ++y)
      for (int x = where.x; x < where.x + where.width; ++x) fabric_.pe(x, y).core.activate(task);
  }

  void send(const HostEnd& end, std::span<const std::uint32_t> words) override {
    auto& to = fabric_.host(end.x, end.y, end.edge).input.at(end.color);
    to.insert(to.end(), words.begin(), words.end());
  }
  void receive(const HostEnd& end, std::span<std::uint32_t> words) override {
    auto& from = fabric_.host(end.x, end.y, end.edge).output.at(end.color).words;
    const auto last = from.begin() + static_cast<std::ptrdiff_t>(words.size());
    std::copy(from.begin(), last, words.begin());
    from.erase(from.begin(), last);
  }
  std::size_t host_words(const HostEnd& end) const override {
    const spec::HostLink& host = fabric_.host(end.x, end.y, end.edge);
    return end.input ? host.input.at(end.color).size() : host.output.at(end.color).words.size();
  }

  engine::RunResult run(const engine::RunOptions& options) override {
    return history_.add([&](std::uint64_t cycle) { return run_from(cycle, options); });
  }
  RunHistory history() const override { return history_; }

  Fault first_fault() const override { return fabric_.fault(); }
  bool anything_left() const override { return fabric_.anything_left(); }
  engine::Totals totals() const override {
    return {fabric_.wavelets, fabric_.hops, fabric_.delivered, fabric_.filtered};
  }

  PeState pe_state(int x, int y) const override {
    PeState pe = fabric::pe_state(fabric_, x, y, tally_);
    if (pe.programmed) pe.program = facts_of(*fabric_.pe(x, y).core.program);
    return pe;
  }

  Profile profile() const override {
    return fabric_.counts ? profile_of(fabric_) : Stepper::profile();
  }
  std::vector<PhaseCounts> phases() const override {
    return fabric_.counts ? fabric_.counts->phases : std::vector<PhaseCounts>();
  }
  EventLog* events() override { return events_.chosen().empty() ? nullptr : &events_; }
  const path::Recorder* path() const override { return events_.path(); }

 private:
  /// f(memory, its part of the words) for each PE of a rectangle.
  template <class Fabric, class Words, class F>
  static void for_pes(Fabric& fabric, const Rect& where, Words words, F f) {
    const std::size_t each = words_each(where, words.size());
    std::size_t n = 0;
    for (int y = where.y; y < where.y + where.height; ++y)
      for (int x = where.x; x < where.x + where.width; ++x)
        f(fabric.pe(x, y).core.memory, words.subspan(n++ * each, each));
  }

  engine::RunResult run_from(std::uint64_t cycle, const engine::RunOptions& options) {
    engine::Ticker ticker(options);
    engine::RunResult result{engine::Stop::limit, cycle, 0, {}};
    fabric_.on_event = {};
    if (events_.is_open()) fabric_.on_event = [this](const Event& event) { events_.add(event); };
    while (result.stop == engine::Stop::limit && result.cycle < options.limit) {
      constexpr engine::Stop kStops[] = {engine::Stop::quiet, engine::Stop::limit,
                                         engine::Stop::fault};
      result.stop = kStops[static_cast<int>(fabric_.run(result.cycle + 1))];
      result.cycle = fabric_.cycle();
      try {
        if (result.stop != engine::Stop::fault) events_.pass(result.cycle);
        ticker.tick(result.cycle);
      } catch (...) {
        result.thrown = std::current_exception();
        break;
      }
    }
    events_.finish(result.cycle, fabric_.fault(), result.thrown);
    return result;
  }

  spec::Fabric fabric_;
  EventLog events_;
  RunHistory history_{};
  bool tally_;
};

}  // namespace

std::unique_ptr<Stepper> make_spec_stepper(const Layout& layout, const Machine& machine,
                                           const FabricOptions& options) {
  return std::make_unique<SpecStepper>(layout, machine, options);
}

}  // namespace weft::fabric
