#include <fmt/format.h>

#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "patterns/ring_places.hpp"
#include "weft/error.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {
namespace {

void check_of_line(int number, int length) {
  patterns::check_length(length, 2);
  if (number < 0 || number >= length)
    throw Error(ErrorCategory::usage,
                fmt::format("invalid PE of a ring of {} PEs: {}", length, number),
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

RingShift::RingShift(Design& design, const Rect& where, Along along, const std::string& name,
                     Around way)
    : place_(patterns::place_in(design, where, name)), along_(along), way_(way) {
  patterns::check_ring(where, along, name);
  for (std::size_t k = 0; k < colors_.size(); ++k)
    colors_[k] = design.color(fmt::format("{} {}", name, k), where);
  patterns::route_ring(design, where, along, static_cast<int>(way), colors_);
}

std::vector<PeOperation> RingShift::start(PeProgram& pe, const PeVector& out, const PeVector& in,
                                          CallLine) const {
  patterns::check_place(pe, place_, "ring");
  patterns::check_transfer(pe, "ring", out, in);
  const int length = patterns::length_of(place_.where, along_), way = static_cast<int>(way_);
  const auto color = [&](const auto& of_place) {
    const int number = pe.pick(patterns::by_place(place_.where, along_, of_place));
    return colors_[static_cast<std::size_t>(number)];
  };
  const Color sends = color([=](int p) { return patterns::ring_color(p, way, length); });
  const Color receives = color([=](int p) {
    const int before = place_of(p, length) + (way == patterns::kOnwards ? length - 1 : 1);
    return patterns::ring_color(pe_at(before % length, length), way, length);
  });
  return {pe.send(sends, out).async(), pe.receive(in, receives).async()};
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
