#include "fabric/errors/deadlock/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/names.hpp"
#include "fabric/errors/deadlock/circular_text.hpp"
#include "weft/types.hpp"

namespace weft::inline v0 {
namespace {

struct Row {
  DeadlockKind kind;
  const char* name;
  const char* remedy;
};

constexpr Row kRows[] = {
    {DeadlockKind::filter_never_opens, "filter never opens",
     "set limit1 while the counter is at most the new value: sooner, or let the stream come later"},
    {DeadlockKind::switch_stays, "switch stays",
     "send the control wavelet that advances the switch, or set its position before these come"},
    {DeadlockKind::switch_turned_away, "switch turned away",
     "let the switch move on only after the core has all that it waits for; if a filter refused "
     "some of it, set the filter sooner"},
    {DeadlockKind::torn_down, "torn down",
     "let the color go in the task that handles teardowns (texit)"},
    {DeadlockKind::color_blocked, "color blocked",
     "receive them, or bind a task to the color and unblock it, or send no more than is taken"},
    {DeadlockKind::no_program, "no program",
     "place a program there, or end the route before its core"},
    {DeadlockKind::no_route, "no route", "add the route, or send on a color that has one"},
    {DeadlockKind::fifo_stays_empty, "FIFO stays empty",
     "push as many elements as are popped, or pop fewer"},
    {DeadlockKind::fifo_stays_full, "FIFO stays full",
     "pop as many elements as are pushed, or push fewer"},
    {DeadlockKind::routes_in_circle, "routes in a circle",
     "end the color at one of these PEs: a route that leads to its core only, or no route"},
    {DeadlockKind::host_takes_no_more, "host takes no more",
     "receive what the host holds and run on, or give the stream a higher limit, or none"},
    {DeadlockKind::task_blocked, "task blocked", "unblock the task, or do not activate it"},
    {DeadlockKind::circular_wait, "circular wait",
     "start the receive before the send, or send asynchronously, so that neither waits for the "
     "other; receive in the order of the sends; where all receive first, let one send first; let a "
     "task end where it waits, so that others may run"},
    {DeadlockKind::nobody_sends, "nobody sends",
     "add the routes from the sender to here, and to its program a descriptor for output with this "
     "color"},
    {DeadlockKind::no_more_wavelets, "no more wavelets",
     "send as many as are waited for, or look at which filters took those that were sent"},
};

const Row& row_of(DeadlockKind kind) { return *std::ranges::find(kRows, kind, &Row::kind); }

}  // namespace

std::string_view to_string(DeadlockKind kind) noexcept { return row_of(kind).name; }

}  // namespace weft::inline v0

namespace weft::fabric {
namespace {

constexpr std::size_t kNamed = 3;   // PEs in a sentence
constexpr std::size_t kCircle = 6;  // ... of a circle of routes

std::string color_of(const DeadlockCause& cause) {
  return cause.color < 0 ? "any color" : color_text(cause.color, cause.color_names);
}

/// Of the example.
std::string first_text(const DeadlockCause& cause) {
  return text(cause.stuck.front(), cause.color_names);
}

/// A microthread, without its PE.
std::string microthread_text(const DeadlockWait& wait) {
  return wait.name.empty() ? fmt::format("microthread {}", wait.number) : wait.name;
}

template <class Places>
std::string places_text(const Places& places, std::size_t total) {
  std::string names;
  for (std::size_t n = 0; n < places.size() && n < kNamed; ++n) {
    const char* before = n == 0 ? "" : n + 1 == total ? " and " : ", ";
    names += before + text(DeadlockPlace{places[n].x, places[n].y});
  }
  if (total > kNamed) names += fmt::format(" and {} more", total - kNamed);
  return names;
}

std::vector<DeadlockSender> able(const DeadlockCause& cause) {
  std::vector<DeadlockSender> senders = cause.senders;
  std::erase_if(senders, [](const DeadlockSender& s) { return !s.sends; });
  return senders;
}

/// A microthread of a cause, and the wavelets that it lacks.
std::string lack(const DeadlockCause& cause) {
  const DeadlockWait& wait = cause.stuck.front();
  return fmt::format("{} of {} waits for {} of {}", microthread_text(wait),
                     text(DeadlockPlace{wait.x, wait.y}), counted(wait.left, "more wavelet"),
                     color_of(cause));
}

std::string why_filter(const DeadlockCause& cause) {
  return fmt::format(
      "{}, but the filter there lets nothing in any more: its counter is past limit1, from "
      "where it would return to 0, because limit1 was lowered too late. {}",
      lack(cause), text(*cause.filter));
}

std::string why_turned_away(const DeadlockCause& cause) {
  std::string words = fmt::format(
      "{}, but its router's switch is at position {}, which does not lead the color to the "
      "core, and nothing else is left that would move it",
      lack(cause), cause.position);
  return cause.filter ? words + ". " + text(*cause.filter) : words;
}

std::string why_no_more(const DeadlockCause& cause) {
  const std::vector<DeadlockSender> senders = able(cause);
  const bool stuck = std::ranges::any_of(senders, &DeadlockSender::stuck);
  const bool one = senders.size() == 1;
  const std::string host = cause.host_streams.empty()
                               ? ""
                               : fmt::format("the host has no more words for stream {}",
                                             fmt::join(cause.host_streams, " or "));
  if (senders.empty() && !host.empty())
    return fmt::format("{}, but none is on its way, and {}", lack(cause), host);
  std::string words = fmt::format(
      "{}, but none is on its way, and {}, which could send {}, {}", lack(cause),
      places_text(senders, senders.size()), cause.stuck.front().left == 1 ? "it" : "them",
      stuck ? (one ? "is stuck itself, and would not send it after that"
                   : "are stuck or have nothing left to do")
            : (one ? "has nothing left to do" : "have nothing left to do"));
  if (!host.empty()) words += ", and " + host;
  if (one && !stuck && !senders.front().started_by.empty())
    words +=
        " until a wavelet comes of " + colors_text(senders.front().started_by, cause.color_names);
  return cause.filter ? words + ". " + text(*cause.filter) : words;
}

std::string why_nobody(const DeadlockCause& cause) {
  const std::string words = lack(cause);
  if (cause.color < 0) return words + ", but no route leads to its input queue";
  if (cause.senders.empty()) return words + ", but no route leads here from any core";
  const bool one = cause.senders.size() == 1;
  return words + fmt::format(", but routes lead here only from {}, {} on it",
                             places_text(cause.senders, cause.senders.size()),
                             one ? "which never sends" : "none of which sends");
}

std::string why_no_route(const DeadlockCause& cause) {
  const std::string first = first_text(cause);
  const bool in_router = cause.stuck.front().what == DeadlockWait::What::router_queue;
  if (cause.port == static_cast<int>(Port::ramp) && in_router)
    return first + " cannot go on to the core: the route has no input queue";
  if (cause.port == static_cast<int>(Port::ramp))
    return first + ", whose router never takes the color from its core";
  if (cause.port < 0) return first + " cannot go on";
  return fmt::format("{} cannot go on {}: the router there never takes the color from this side",
                     first, port_name(cause.port));
}

std::string why_routes(const DeadlockCause& cause) {
  std::string way;
  for (std::size_t n = 0; n < cause.circle.size() && n < kCircle; ++n)
    way += text(cause.circle[n]) + ", ";
  if (cause.circle.size() > kCircle) way += fmt::format("{} more, ", cause.circle.size() - kCircle);
  return fmt::format(
      "{}: the routes of the color lead in a circle over {}and back, so wavelets go round and come "
      "again without end",
      first_text(cause), way);
}

/// Words that cannot enter the fabric because of a cause, by stream.
std::string kept_out(const DeadlockCause& cause) {
  std::map<std::string, std::uint64_t> left;
  for (const DeadlockWait& wait : cause.stuck)
    if (wait.what == DeadlockWait::What::host_stream) left[wait.name] += wait.left;
  std::string words;
  for (const auto& [name, count] : left)
    words += fmt::format("; {} of host stream {} wait{} for it", counted(count, "word"), name,
                         count == 1 ? "s" : "");
  return words;
}

}  // namespace

std::string counted(std::uint64_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string text(const DeadlockPlace& pe) { return fmt::format("PE ({}, {})", pe.x, pe.y); }

std::string text(const DeadlockWait& wait, const ColorNames& names) {
  using What = DeadlockWait::What;
  std::string pe = text(DeadlockPlace{wait.x, wait.y});
  const auto held = [&](const std::string& where) {
    return fmt::format("{} of {} {} of {}", counted(wait.left, "wavelet"),
                       color_text(wait.color, names), where, pe);
  };
  switch (wait.what) {
    case What::core:
      return "the task of " + pe + (wait.name.empty() ? "" : ", at " + wait.name);
    case What::microthread:
      return fmt::format("{} of {} ({} to go)", microthread_text(wait), pe,
                         counted(wait.left, "element"));
    case What::input_queue:
      return held(fmt::format("in input queue {}", wait.number));
    case What::output_queue:
      return held(fmt::format("in output queue {}", wait.number));
    case What::router_queue:
      return held(fmt::format("at the {} input", port_name(wait.number)));
    case What::host_stream:
      return fmt::format("{} of host stream {} at the {} port of {}", counted(wait.left, "word"),
                         wait.name, port_name(wait.number), pe);
    case What::task:
      return fmt::format("local task {}{} of {}", wait.number,
                         wait.name.empty() ? "" : fmt::format(" ({})", wait.name), pe);
  }
  return pe;
}

std::string text(const DeadlockFilter& f) {
  std::string words;
  if (f.tallied) {
    words = fmt::format("The filter let in {} of data and refused {}", counted(f.let_in, "wavelet"),
                        f.refused);
    if (f.control > 0)
      words += fmt::format(
          ". It also let in {} of control, which microthreads discard: perhaps in the place of "
          "data",
          f.control);
  }
  if (!f.counter) return f.tallied ? words : "The filter looks at what wavelets carry";
  return words + fmt::format("{} would {} the next one (counter {}, max_counter {}, limit1 {})",
                             f.tallied ? (f.control > 0 ? ". It" : "; it") : "The filter",
                             f.open ? "let in" : "refuse", *f.counter, *f.max_counter, *f.limit1);
}

std::string colors_text(const std::vector<int>& colors, const ColorNames& names) {
  std::string words = "color ";
  for (const int color : colors) {
    if (color != colors.front()) words += " or ";
    words += color_number_text(color, names);
  }
  return words;
}

std::string circling_text(const DeadlockReport& report) {
  return fmt::format("at cycle {} nothing moves but wavelets that go round in a circle",
                     report.cycle);
}

const char* remedy(DeadlockKind kind) { return row_of(kind).remedy; }

std::string first_cause(const DeadlockReport& report) {
  const DeadlockCause& first = report.causes.front();
  std::string more = kept_out(first);
  if (first.pes.size() > 1)
    more += fmt::format("; alike at {}", counted(first.pes.size() - 1, "more PE"));
  if (first.waits < report.waits)
    more += fmt::format("; {} of {} waits come from this, the others from {}", first.waits,
                        report.waits, counted(report.causes.size() - 1, "other cause"));
  else if (first.waits > first.pes.size())
    more += fmt::format("; all {} waits come from this", report.waits);
  return explain(first) + more;
}

}  // namespace weft::fabric

namespace weft::inline v0 {

std::string explain(const DeadlockCause& cause) {
  using namespace fabric;
  std::string first = first_text(cause);
  switch (cause.kind) {
    case DeadlockKind::filter_never_opens:
      return why_filter(cause);
    case DeadlockKind::no_more_wavelets:
      return why_no_more(cause);
    case DeadlockKind::nobody_sends:
      return why_nobody(cause);
    case DeadlockKind::switch_stays:
      return fmt::format(
          "{}: its switch is at position {}, which keeps this input closed, and "
          "nothing is left that would move it",
          first, cause.position);
    case DeadlockKind::switch_turned_away:
      return why_turned_away(cause);
    case DeadlockKind::torn_down:
      return first + ": the color is torn down there, and no task is left that would let it go";
    case DeadlockKind::color_blocked:
      return first + ": the color is blocked, and no task is left that would unblock it";
    case DeadlockKind::no_program:
      return first + ": no program runs there to take them";
    case DeadlockKind::no_route:
      return why_no_route(cause);
    case DeadlockKind::fifo_stays_empty:
      return fmt::format(
          "{} waits for FIFO {}, which is empty, and nothing is left that would push to it", first,
          cause.fifo);
    case DeadlockKind::fifo_stays_full:
      return fmt::format(
          "{} waits for FIFO {}, which is full, and nothing is left that would pop from it", first,
          cause.fifo);
    case DeadlockKind::routes_in_circle:
      return why_routes(cause);
    case DeadlockKind::host_takes_no_more:
      return fmt::format(
          "{} cannot go on {} to the host, which holds as many words of stream {} there as its "
          "limit allows",
          first, port_name(cause.port), cause.host_streams.front());
    case DeadlockKind::task_blocked:
      return first + " is active, but blocked, and nothing is left that would unblock it";
    case DeadlockKind::circular_wait:
      return circular_text(cause);
  }
  return first;
}

}  // namespace weft::inline v0
