#include <fmt/format.h>

#include "patterns/place.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {

NeighborShift::NeighborShift(Design& design, const Rect& where, Port to, const std::string& name)
    : where_(where), to_(to), color_(design.color_pair(name)) {
  const bool across = to == Port::east || to == Port::west;
  Route out{.rx = Port::ramp, .tx = to};
  out.swap_east_west = across;
  out.swap_north_south = !across;
  // A PE without a neighbour to send to has the route for its swap: nothing leaves it.
  Route last = out;
  last.tx = opposite(to);
  const patterns::Ends ends = patterns::ends(where, to);
  if (ends.all_but_last) design.route(*ends.all_but_last, color_.even, out);
  if (ends.all_but_first) {
    design.route(ends.last, color_.even, last);
    design.route(*ends.all_but_first, color_.odd, {.rx = opposite(to), .tx = Port::ramp});
  }
}

bool NeighborShift::sends(PeProgram& pe) const { return !patterns::is_last(pe, where_, to_); }
bool NeighborShift::receives(PeProgram& pe) const {
  return !patterns::is_last(pe, where_, opposite(to_));
}

std::vector<PeOperation> NeighborShift::start(PeProgram& pe, const PeVector& out,
                                              const PeVector& in) const {
  std::vector<PeOperation> operations;
  if (sends(pe)) operations.push_back(pe.send(color_.even, out).async());
  if (receives(pe)) operations.push_back(pe.receive(in, color_.odd).async());
  return operations;
}

void NeighborShift::shift(PeProgram& pe, const PeVector& out, const PeVector& in) const {
  pe.wait(start(pe, out, in));
}

std::uint64_t NeighborShift::cycles(const Machine& machine, std::uint64_t n) {
  return patterns::first_element(machine) + patterns::travel(machine, 1) + (n - 1) +
         patterns::wait_for_two(machine);
}

}  // namespace weft::inline v0
