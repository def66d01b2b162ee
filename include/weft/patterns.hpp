#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/design.hpp"
#include "weft/machine.hpp"

/// Ways of moving numbers between PEs, as parts of a program. A pattern is made over a Design and a
/// rectangle of its PEs: it takes its colors and sets its routes there. Its methods write code into
/// the text of a program of these PEs. Errors are Error(program), and name the pattern: no color or
/// queue is left, or vectors do not fit.
namespace weft::inline v0 {

/// Each PE sends to its neighbour on one side, and receives from the one on the other side. At the
/// edges of the rectangle nobody sends out or receives.
///
/// Takes two colors, one queue of each direction in each PE, no filters and no tasks: a wavelet
/// changes its color as it enters a PE (Route::swap_east_west), so all PEs have the same routes.
class NeighborShift {
 public:
  NeighborShift(Design& design, const Rect& where, Port to, const std::string& name = "shift");

  /// Sends `out`, receives as many elements into `in`. Returns what is to be waited for: none to
  /// two operations, as the PE has neighbours.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& out, const PeVector& in) const;
  /// The same, and waits.
  void shift(PeProgram& pe, const PeVector& out, const PeVector& in) const;

  /// Cycles from the first instruction of `shift` to the first of the code below it, of n elements
  /// in a PE with both neighbours, if they begin together and n >= 2: the sender's first element,
  /// its way, n - 1 more, and the start of the task below.
  static std::uint64_t cycles(const Machine& machine, std::uint64_t n);

  Port to() const noexcept { return to_; }

 private:
  bool sends(PeProgram& pe) const;
  bool receives(PeProgram& pe) const;

  Rect where_;
  Port to_;
  ColorPair color_;
};

/// Exchange of the borders of a two-dimensional array that is spread over PEs, with the four
/// neighbours, or with all eight. Each PE has a block of rows x columns elements with a halo of one
/// element around it: a vector of (rows + 2) x (columns + 2). Halos that have no neighbour are left
/// as they are.
///
/// Takes eight colors, four queues of each direction and no filters. Tasks: seven; with corners
/// six.
class HaloExchange {
 public:
  enum class Corners : std::uint8_t { none, all };

  HaloExchange(Design& design, const Rect& where, Corners corners = Corners::none,
               const std::string& name = "halo");

  /// Sends the block's borders and receives the halo; code goes on below when both are done. With
  /// corners in two steps: columns to the east and west, then rows with the corners that have come
  /// to the north and south.
  void exchange(PeProgram& pe, const PeVector& with_halo) const;

 private:
  Corners corners_;
  NeighborShift east_, west_, south_, north_;
};

}  // namespace weft::inline v0
