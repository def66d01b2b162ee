#include <fmt/format.h>

#include <algorithm>

#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "patterns/steps.hpp"
#include "weft/error.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {
namespace {

void check_parts(const char* pattern, const PeVector& all, const PeVector& part, int length) {
  for (const PeVector* v : {&all, &part})
    if (v->count())
      throw Error(ErrorCategory::program,
                  fmt::format("{}: a register counts {}", pattern, v->name()),
                  "parts have as many elements as their vector", "give it without counted_by");
  if (all.size() != std::int64_t{part.size()} * length)
    throw Error(ErrorCategory::program,
                fmt::format("{}: {} does not hold {} parts", pattern, all.name(), length),
                fmt::format("it has {}, and {} has {}", all.size(), part.name(), part.size()),
                "declare as many elements as the parts of all PEs of a line");
  patterns::check_types(pattern, all, part);
}

patterns::OneAtATime of_gather(ColorPair color) {
  return patterns::one_at_a_time("gather", color.even);
}

bool is_first(PeProgram& pe, const Rect& where, Along along) {
  return patterns::is_last(pe, where, patterns::to_first(along));
}

/// Elements of a part. A stream has those of all PEs but the first.
int checked_elements(const Rect& where, Along along, int elements, const std::string& name) {
  constexpr int kMost = 0xffff;
  const int parts = std::max(patterns::length_of(where, along) - 1, 1);
  if (elements < 1 || elements > kMost / parts)
    throw Error(
        ErrorCategory::program, fmt::format("{} has {} elements in a part", name, elements),
        fmt::format("each PE gets one or more, and {} PEs at most {} together", parts, kMost),
        "give a number in this range");
  return elements;
}

}  // namespace

Scatter::Scatter(Design& design, const Rect& where, Along along, int elements,
                 const std::string& name)
    : place_(patterns::place_in(design, where, name)),
      along_(along),
      elements_(checked_elements(where, along, elements, name)),
      color_(design.color(name, where)) {
  using patterns::places;
  const int length = patterns::length_of(where, along);
  const Port up = patterns::to_last(along), down = patterns::to_first(along);
  if (length == 1) return;
  design.route(places(where, along, 0, 1), color_, {.rx = Port::ramp, .tx = up});
  if (length > 2)
    design.route(places(where, along, 1, length - 1), color_, {.rx = down, .tx = {up, Port::ramp}});
  design.route(places(where, along, length - 1, length), color_, {.rx = down, .tx = Port::ramp});
  // The counter comes to 0 with the first element of the part, and again in the next stream.
  const auto n = static_cast<std::uint32_t>(elements);
  const std::uint32_t stream = n * static_cast<std::uint32_t>(length - 1);
  for (int place = 1; place < length; ++place) {
    CounterFilter window;
    window.counter = (stream - n * static_cast<std::uint32_t>(place - 1)) % stream;
    window.max_counter = n - 1;
    window.limit1 = stream - 1;
    design.filter(places(where, along, place, place + 1), color_, window);
  }
}

std::optional<PeOperation> Scatter::issue(PeProgram& pe, const PeVector& all, const PeVector& part,
                                          bool together) const {
  patterns::check_place(pe, place_, "scatter");
  const int length = patterns::length_of(place_.where, along_);
  check_parts("scatter", all, part, length);
  if (part.size() != elements_)
    throw Error(ErrorCategory::program,
                fmt::format("scatter: {} has {} elements", part.name(), part.size()),
                fmt::format("the filters are set for parts of {}", elements_),
                "give the pattern the size of the parts");
  patterns::check_written("scatter", part);
  if (!is_first(pe, place_.where, along_)) return pe.receive(part, color_);
  const PeVector own = all.slice(0, elements_);
  patterns::check_copy(pe, "scatter", own, part);
  std::optional<PeOperation> sent;
  if (length > 1) {
    const PeVector others = all.slice(elements_, elements_ * (length - 1));
    if (together) patterns::check_together(pe, "scatter", others, part);
    sent = pe.send(color_, others);
    if (together) sent->async();
  }
  pe.copy(part, own);
  return sent;
}

void Scatter::scatter(PeProgram& pe, const PeVector& all, const PeVector& part, CallLine) const {
  issue(pe, all, part, false);
}
std::vector<PeOperation> Scatter::start(PeProgram& pe, const PeVector& all, const PeVector& part,
                                        CallLine) const {
  return patterns::started(issue(pe, all, part, true));
}

std::uint64_t Scatter::cycles(const Machine& machine, std::uint64_t n, int length) {
  patterns::check_elements(n);
  patterns::check_length(length, 2);
  return patterns::first_element(machine) + patterns::travel(machine, length - 1) +
         n * static_cast<std::uint64_t>(length - 1) - 1 + patterns::go_on(machine);
}

Gather::Gather(Design& design, const Rect& where, Along along, const std::string& name)
    : place_(patterns::place_in(design, where, name)),
      along_(along),
      color_(design.color_pair(name, where)) {
  patterns::route_shift(design, where, patterns::to_first(along), color_);
}

std::vector<std::function<PeOperation()>> Gather::steps(PeProgram& pe, const PeVector& part,
                                                        const PeVector& all) const {
  patterns::check_place(pe, place_, "gather");
  const int length = patterns::length_of(place_.where, along_), n = part.size();
  check_parts("gather", all, part, length);
  const int place = pe.pick(patterns::by_place(place_.where, along_, [](int p) { return p; }));
  const int beyond = length - 1 - place;
  patterns::Steps steps;
  if (place > 0) {
    steps.emplace_back([this, &pe, part] { return pe.send(color_.even, part); });
    if (beyond > 0)
      steps.emplace_back([this, &pe, count = n * beyond] {
        return pe.copy(pe.to(color_.even), pe.from(color_.odd, count));
      });
    return steps;
  }
  patterns::check_written("gather", all);
  patterns::check_copy(pe, "gather", part, all.slice(0, n));
  if (beyond > 0) {
    const PeVector others = all.slice(n, n * beyond);
    patterns::check_together(pe, "gather", part, others);  // which come first
    steps.emplace_back([this, &pe, others] { return pe.receive(others, color_.odd); });
  }
  return steps;
}

void Gather::gather(PeProgram& pe, const PeVector& part, const PeVector& all, CallLine) const {
  patterns::run(pe, of_gather(color_), steps(pe, part, all));
  if (is_first(pe, place_.where, along_)) pe.copy(all.slice(0, part.size()), part);
}
std::vector<PeOperation> Gather::start(PeProgram& pe, const PeVector& part, const PeVector& all,
                                       CallLine) const {
  std::vector<PeOperation> started = patterns::start(pe, of_gather(color_), steps(pe, part, all));
  if (is_first(pe, place_.where, along_)) pe.copy(all.slice(0, part.size()), part);
  return started;
}

std::uint64_t Gather::most_cycles(const Machine& machine, std::uint64_t n, int length) {
  patterns::check_elements(n);
  patterns::check_length(length, 2);
  const auto senders = static_cast<std::uint64_t>(length - 1);
  const std::uint64_t turns =
      (senders - 1) * (patterns::go_on(machine) + patterns::first_element(machine));
  return patterns::first_element(machine) + senders * patterns::travel(machine, 1) + n * senders +
         turns + patterns::go_on(machine);
}

}  // namespace weft::inline v0
