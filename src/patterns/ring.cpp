#include <fmt/format.h>

#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "weft/error.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {
namespace {

void check_of_line(int number, int length) {
  patterns::check_length(length, 2);
  if (number < 0 || number >= length)
    throw Error(ErrorCategory::usage,
                fmt::format("a ring of {} PEs has no number {}", length, number),
                fmt::format("they go from 0 to {}", length - 1), "choose one of these");
}

}  // namespace

int RingShift::place_of(int pe, int length) {
  check_of_line(pe, length);
  return pe % 2 == 0 ? pe / 2 : length - 1 - pe / 2;
}

int RingShift::pe_at(int place, int length) {
  check_of_line(place, length);
  const int evens = (length + 1) / 2;
  return place < evens ? 2 * place : 2 * (length - 1 - place) + 1;
}

RingShift::RingShift(Design& design, const Rect& where, Along along, const std::string& name)
    : place_(patterns::place_in(design, where, name)), along_(along) {
  const int length = patterns::length_of(where, along);
  if (length < 2)
    throw Error(ErrorCategory::program, fmt::format("{} has one PE", name),
                "a ring has two or more", "give a longer rectangle");
  for (const int odd : {0, 1}) {
    up_[static_cast<std::size_t>(odd)] = design.color(fmt::format("{} up {}", name, odd), where);
    down_[static_cast<std::size_t>(odd)] =
        design.color(fmt::format("{} down {}", name, odd), where);
  }
  const auto route = [&](int pe, Color color, PortSet from, PortSet to) {
    design.route(patterns::places(where, along, pe, pe + 1), color, {.rx = from, .tx = to});
  };
  for (int place = 0; place < length; ++place) {
    const int from = pe_at(place, length), to = pe_at((place + 1) % length, length);
    const bool up = to > from;
    const Port ahead = up ? patterns::to_last(along) : patterns::to_first(along);
    const Color color = (up ? up_ : down_)[static_cast<std::size_t>(place % 2)];
    route(from, color, Port::ramp, ahead);
    if (const int between = (from + to) / 2; between != from && between != to)
      route(between, color, opposite(ahead), ahead);
    route(to, color, opposite(ahead), Port::ramp);
  }
}

std::vector<PeOperation> RingShift::start(PeProgram& pe, const PeVector& out, const PeVector& in,
                                          CallLine) const {
  patterns::check_place(pe, place_, "ring");
  patterns::check_transfer(pe, "ring", out, in);
  const int length = patterns::length_of(place_.where, along_);
  // The color of the link from a place of the ring to the next: up or down, even or odd.
  const auto color_from = [length](int place) {
    const bool up = pe_at((place + 1) % length, length) > pe_at(place, length);
    return (up ? 0 : 2) + place % 2;
  };
  const auto color = [&](int which) {
    return (which < 2 ? up_ : down_)[static_cast<std::size_t>(which % 2)];
  };
  const int sends = pe.pick(patterns::by_place(
      place_.where, along_, [=](int place) { return color_from(place_of(place, length)); }));
  const int receives = pe.pick(patterns::by_place(place_.where, along_, [=](int place) {
    return color_from((place_of(place, length) + length - 1) % length);
  }));
  return {pe.send(color(sends), out).async(), pe.receive(in, color(receives)).async()};
}

void RingShift::shift(PeProgram& pe, const PeVector& out, const PeVector& in, CallLine) const {
  pe.wait(start(pe, out, in));
}

std::uint64_t RingShift::cycles(const Machine& machine, std::uint64_t n) {
  patterns::check_elements(n);
  return patterns::first_element(machine) + patterns::travel(machine, 2) + (n - 1) +
         patterns::wait_for_two(machine);
}

}  // namespace weft::inline v0
