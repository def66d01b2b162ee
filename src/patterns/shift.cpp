#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {

NeighborShift::NeighborShift(Design& design, const Rect& where, Port to, const std::string& name)
    : place_(patterns::place_in(design, where, name)),
      to_(patterns::checked_side(to, name)),
      color_(design.color_pair(name, where)) {
  patterns::route_shift(design, where, to, color_);
}

bool NeighborShift::sends(PeProgram& pe) const {
  patterns::check_place(pe, place_, "shift");
  return !patterns::is_last(pe, place_.where, to_);
}
bool NeighborShift::receives(PeProgram& pe) const {
  patterns::check_place(pe, place_, "shift");
  return !patterns::is_last(pe, place_.where, opposite(to_));
}

std::vector<PeOperation> NeighborShift::start(PeProgram& pe, const PeVector& out,
                                              const PeVector& in, CallLine) const {
  const bool sends_out = sends(pe), receives_in = receives(pe);
  patterns::check_transfer(pe, "shift", out, in);
  std::vector<PeOperation> operations;
  if (sends_out) operations.push_back(pe.send(color_.even, out).async());
  if (receives_in) operations.push_back(pe.receive(in, color_.odd).async());
  return operations;
}

void NeighborShift::shift(PeProgram& pe, const PeVector& out, const PeVector& in, CallLine) const {
  pe.wait(start(pe, out, in));
}

void NeighborShift::send(PeProgram& pe, const PeVector& out, CallLine) const {
  if (sends(pe)) pe.send(color_.even, out);
}
void NeighborShift::receive(PeProgram& pe, const PeVector& in, CallLine) const {
  patterns::check_written("shift", in);
  if (receives(pe)) pe.receive(in, color_.odd);
}

std::uint64_t NeighborShift::cycles(const Machine& machine, std::uint64_t n) {
  patterns::check_elements(n);
  return patterns::first_element(machine) + patterns::travel(machine, 1) + (n - 1) +
         patterns::wait_for_two(machine);
}

}  // namespace weft::inline v0
