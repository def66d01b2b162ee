#include "fabric/events/event_log.hpp"

#include <algorithm>

#include "weft/error.hpp"

namespace weft::fabric {
namespace {

Event event_of(const Fault& fault) {
  return {fault.cycle,      fault.x,     fault.y,
          EventKind::fault, fault.color, static_cast<std::uint32_t>(fault.kind)};
}

}  // namespace

EventLog& log_of(EventLog* events) {
  if (events == nullptr)
    throw Error(ErrorCategory::usage, "the fabric emits no events", "nobody has asked for any",
                "make it with the option observe.events");
  return *events;
}

void EventLog::open(EventSink sink) {
  if (sink && is_taken())
    throw Error(ErrorCategory::usage, "the events of the fabric have a taker already",
                "one trace or function takes them at a time",
                "close that trace, or give on_events an empty function, before");
  sink_ = std::move(sink);
}

void EventLog::pass(std::uint64_t end) {
  constexpr std::size_t kMany = 4096;
  if (waiting_.size() >= kMany) hand_on(end);
}

void EventLog::finish(std::uint64_t end, const Fault& fault, std::exception_ptr& thrown) {
  if (fault.kind != FaultKind::none) {
    std::erase_if(waiting_, [&](const Event& e) { return e.cycle >= fault.cycle; });
    add(event_of(fault));
    end = fault.cycle + 1;
  }
  try {
    hand_on(end);
  } catch (...) {
    if (!thrown) thrown = std::current_exception();
  }
}

void EventLog::hand_on(std::uint64_t end) {
  const auto later = std::partition(waiting_.begin(), waiting_.end(),
                                    [&](const Event& e) { return e.cycle < end; });
  if (later == waiting_.begin()) return;
  std::sort(waiting_.begin(), later);
  // Taken off first: if the sink throws, nobody gets them twice.
  std::vector<Event> now(waiting_.begin(), later);
  waiting_.erase(waiting_.begin(), later);
  if (path_) {
    path_->take(now);
    std::erase_if(now, [&](const Event& e) { return !chosen_.has(e); });
  }
  if (is_taken() && !now.empty()) sink_(now);
}

}  // namespace weft::fabric
