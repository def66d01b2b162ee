#pragma once

#include <compare>
#include <set>
#include <vector>

#include "fabric/errors/deadlock/mesh.hpp"

/// Routes that lead wavelets back to where they were.
namespace weft::fabric::deadlock {

/// An input of a router.
struct Inlet {
  int pe = 0, color = 0, port = 0;
  auto operator<=>(const Inlet&) const = default;
};

/// Inputs whose wavelets go round for ever, where nothing else can happen any more: no core can
/// act, nor learns anything, and no switch moves. Empty where that is not certain.
std::set<Inlet> circling(const Mesh& mesh);

/// The PEs of a circle of routes that begins and ends in this one, as wavelets of the color pass
/// them; empty: there is none. `with_switches`: as their positions are now.
std::vector<int> circle_at(const Mesh& mesh, int pe, int color, bool with_switches);

/// The same of a circle without switches from which routes lead to this PE, or which it is on.
std::vector<int> circle_before(const Mesh& mesh, int pe, int color);

}  // namespace weft::fabric::deadlock
