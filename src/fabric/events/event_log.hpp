#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fabric/events/chosen.hpp"
#include "fabric/path/recorder.hpp"
#include "weft/event.hpp"
#include "weft/fault.hpp"
#include "weft/observation.hpp"

namespace weft::fabric {

/// The sink of somebody who may be gone before the fabric is.
struct LentSink {
  std::weak_ptr<const EventSink> sink;
  void operator()(std::span<const Event> events) const {
    if (const auto there = sink.lock()) (*there)(events);
  }
};

/// The events that a fabric was asked for, on their way from the step to who takes them.
class EventLog {
 public:
  /// Throws as ChosenEvents.
  EventLog(const Observation& asked, const Layout& layout, const Machine& machine)
      : chosen_(asked.events, layout) {
    if (asked.path) path_ = std::make_unique<path::Recorder>(layout, machine);
  }

  /// Somebody was asked to take events, and it is known which; or their path is looked for.
  bool is_open() const { return (is_taken() && !chosen_.empty()) || path_; }
  /// Null: nobody has asked for the path.
  const path::Recorder* path() const { return path_.get(); }
  bool wants(const Event& event) const { return path_ || chosen_.has(event); }
  /// An empty one: nobody. Throws Error(usage) while another one takes them.
  void open(EventSink sink);
  const ChosenEvents& chosen() const { return chosen_; }

  void add(const Event& event) {
    if (wants(event)) waiting_.push_back(event);
  }
  /// All events before this cycle were added: hands them on, in order, if they are many. May throw
  /// what the sink does.
  void pass(std::uint64_t end);
  /// The same at the end of a run, if they are few too. Of a fault's cycle only the fault is
  /// emitted. What the sink throws goes to `thrown`, unless the run has thrown something itself.
  void finish(std::uint64_t end, const Fault& fault, std::exception_ptr& thrown);

 private:
  bool is_taken() const {
    const auto* const lent = sink_.target<LentSink>();
    return sink_ && !(lent != nullptr && lent->sink.expired());
  }
  void hand_on(std::uint64_t end);

  ChosenEvents chosen_;
  std::unique_ptr<path::Recorder> path_{};
  EventSink sink_{};
  std::vector<Event> waiting_{};
};

/// The log of a fabric that emits events. Throws Error(usage) if there is none (null).
EventLog& log_of(EventLog* events);

}  // namespace weft::fabric
