#include "patterns/place.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {

NeighborShift::NeighborShift(Design& design, const Rect& where, Port to, const std::string& name)
    : where_(where), to_(to), color_(design.color_pair(name)) {
  patterns::route_shift(design, where, to, color_);
}

bool NeighborShift::sends(PeProgram& pe) const {
  patterns::check_inside(pe, where_, "shift");
  return !patterns::is_last(pe, where_, to_);
}
bool NeighborShift::receives(PeProgram& pe) const {
  patterns::check_inside(pe, where_, "shift");
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

void NeighborShift::send(PeProgram& pe, const PeVector& out) const {
  if (sends(pe)) pe.send(color_.even, out);
}
void NeighborShift::receive(PeProgram& pe, const PeVector& in) const {
  if (receives(pe)) pe.receive(in, color_.odd);
}

std::uint64_t NeighborShift::cycles(const Machine& machine, std::uint64_t n) {
  return patterns::first_element(machine) + patterns::travel(machine, 1) + (n - 1) +
         patterns::wait_for_two(machine);
}

}  // namespace weft::inline v0
