#include <fmt/format.h>

#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "patterns/steps.hpp"
#include "weft/error.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {
namespace {

void check_vectors(const PeVector& out, const PeVector& in, int length) {
  for (const PeVector* v : {&out, &in})
    if (v->size() % length != 0)
      throw Error(ErrorCategory::program,
                  fmt::format("all-to-all: {} does not divide among {} PEs", v->name(), length),
                  fmt::format("it has {} elements", v->size()),
                  "declare a multiple of the PEs of a line");
}

patterns::OneAtATime of(ColorPair way) { return patterns::one_at_a_time("all-to-all", way.even); }

}  // namespace

AllToAll::AllToAll(Design& design, const Rect& where, Along along, const std::string& name)
    : place_(patterns::place_in(design, where, name)),
      along_(along),
      up_(design.color_pair(name + " up", where)),
      down_(design.color_pair(name + " down", where)) {
  patterns::route_shift(design, where, patterns::to_last(along), up_);
  patterns::route_shift(design, where, patterns::to_first(along), down_);
}

std::array<std::vector<std::function<PeOperation()>>, 2> AllToAll::steps(PeProgram& pe,
                                                                         const PeVector& out,
                                                                         const PeVector& in) const {
  patterns::check_place(pe, place_, "all-to-all");
  const int length = patterns::length_of(place_.where, along_);
  check_vectors(out, in, length);
  if (length > 1)
    patterns::check_transfer(pe, "all-to-all", out, in);
  else
    patterns::check_copy(pe, "all-to-all", out, in);
  const int n = out.size() / length;
  const int place = pe.pick(patterns::by_place(place_.where, along_, [](int p) { return p; }));
  const int after = length - 1 - place;
  const auto part = [n](const PeVector& v, int k) { return v.slice(n * k, n); };
  std::array<patterns::Steps, 2> steps;
  const auto send = [&](patterns::Steps& of, Color color, const PeVector& v) {
    of.emplace_back([&pe, color, v] { return pe.send(color, v); });
  };
  const auto receive = [&](patterns::Steps& of, const PeVector& v, Color color) {
    of.emplace_back([&pe, v, color] { return pe.receive(v, color); });
  };
  const auto pass_on = [&](patterns::Steps& of, ColorPair color, int count) {
    of.emplace_back(
        [&pe, color, count] { return pe.copy(pe.to(color.even), pe.from(color.odd, count)); });
  };

  pe.copy(part(in, place), part(out, place));
  // A stream has its parts in the order in which cores take them: the next PE's first.
  if (after > 0) send(steps[0], up_.even, out.slice(n * (place + 1), n * after));
  for (int from = place - 1; from >= 0; --from) {
    receive(steps[0], part(in, from), up_.odd);
    if (after > 0) pass_on(steps[0], up_, n * after);
  }
  // The same the other way round, each element too: so a stream is one instruction.
  if (place > 0) send(steps[1], down_.even, out.slice(n * place - 1, n * place, -1));
  for (int from = place + 1; from < length; ++from) {
    receive(steps[1], part(in, from).slice(n - 1, n, -1), down_.odd);
    if (place > 0) pass_on(steps[1], down_, n * place);
  }
  return steps;
}

void AllToAll::exchange(PeProgram& pe, const PeVector& out, const PeVector& in, CallLine) const {
  const auto [up, down] = steps(pe, out, in);
  patterns::run(pe, of(up_), up);
  patterns::run(pe, of(down_), down);
}
std::vector<PeOperation> AllToAll::start(PeProgram& pe, const PeVector& out, const PeVector& in,
                                         CallLine) const {
  const auto [up, down] = steps(pe, out, in);
  std::vector<PeOperation> started = patterns::start(pe, of(up_), up);
  for (const PeOperation& last : patterns::start(pe, of(down_), down)) started.push_back(last);
  return started;
}

std::uint64_t AllToAll::most_cycles(const Machine& machine, std::uint64_t n, int length) {
  patterns::check_elements(n);
  patterns::check_length(length);
  const auto rate = static_cast<std::uint64_t>(machine.move32_rate);
  const std::uint64_t copy =
      static_cast<std::uint64_t>(machine.vector_start_cycles) + (n + rate - 1) / rate;
  // From the last element of an instruction to the first of the next one.
  const std::uint64_t turn = patterns::go_on(machine) + patterns::first_element(machine);
  std::uint64_t chain = patterns::first_element(machine);
  for (int place = 0; place + 1 < length; ++place)
    chain += n * static_cast<std::uint64_t>(length - 1 - place) + 3 * turn +
             patterns::travel(machine, 1);
  return copy + 2 * (chain + patterns::go_on(machine));
}

}  // namespace weft::inline v0
