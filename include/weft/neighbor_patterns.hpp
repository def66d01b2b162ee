#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/design.hpp"
#include "weft/machine.hpp"

/// Patterns of neighbours on the mesh; patterns.hpp says what holds for all patterns.
namespace weft::inline v0 {

/// The PEs that a pattern is made for.
struct PatternPlace {
  std::uint64_t design;  ///< Design::id
  Rect where;
};

/// Each PE sends to its neighbour on one side, and receives from the one on the other side. At the
/// edges of the rectangle nobody sends out or receives.
///
/// Takes two colors, one queue of each direction in each PE and no filters; `shift` a task. A
/// wavelet changes its color as it enters a PE (Route::swap_east_west), so all PEs have the same
/// routes.
class NeighborShift {
 public:
  NeighborShift(Design& design, const Rect& where, Port to, const std::string& name = "shift");

  /// Sends `out`, receives as many elements into `in`. Returns what is to be waited for: none to
  /// two operations, as the PE has neighbours.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& out, const PeVector& in,
                                 CallLine = {}) const;
  /// The same, and waits.
  void shift(PeProgram& pe, const PeVector& out, const PeVector& in, CallLine = {}) const;
  /// One half of it; the core waits. Nothing where there is no neighbour.
  void send(PeProgram& pe, const PeVector& out, CallLine = {}) const;
  void receive(PeProgram& pe, const PeVector& in, CallLine = {}) const;

  /// Cycles from the first instruction of `shift` to the first of the code below it, of n elements
  /// in a PE with both neighbours, if they begin together and n >= 2: the sender's first element,
  /// its way, n - 1 more, and the start of the task below.
  static std::uint64_t cycles(const Machine& machine, std::uint64_t n);

  Port to() const noexcept { return to_; }
  /// The color by which wavelets come, for data tasks in place of `receive` (PeProgram::on_data).
  Color incoming() const noexcept { return color_.odd; }
  std::string text() const;

 private:
  bool sends(PeProgram& pe) const;
  bool receives(PeProgram& pe) const;

  PatternPlace place_;
  Port to_;
  ColorPair color_;
};

/// Exchange of the borders of an array that is spread over PEs, with the four neighbours, or with
/// all eight. Each PE has a block of rows x columns points with a halo of `depth` points around it:
/// a vector of (rows + 2 depth) x (columns + 2 depth), or, where each point is a column of n
/// elements, of (rows + 2 depth) x (columns + 2 depth) x n. Where the halo is deeper than the
/// block, it comes from farther PEs too: neighbours pass on what they have received. Halos that
/// have no neighbour are left as they are, and passed on as well; a corner becomes what the
/// neighbour that it comes by has in its own halo there.
///
/// Takes eight colors, four queues of each direction and no filters. Tasks for each step: seven;
/// with corners three, and twice as many steps. There are depth / columns steps to the east and
/// west and depth / rows to the south and north, rounded up; without corners both go on together.
class HaloExchange {
 public:
  enum class Corners : std::uint8_t { none, all };

  HaloExchange(Design& design, const Rect& where, Corners corners = Corners::none,
               const std::string& name = "halo", int depth = 1);

  /// Sends the block's borders and receives the halo; code goes on below when both are done. With
  /// corners first columns to the east and west, then rows with the corners that have come to the
  /// north and south.
  void exchange(PeProgram& pe, const PeVector& with_halo, CallLine = {}) const;

  /// The same, but the core goes on at once: two operations to wait for with each neighbour. Of a
  /// halo without corners and no deeper than the block; others go in steps, one after the other.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& with_halo, CallLine = {}) const;

  /// Cycles of `exchange` in a PE with all neighbours, of a block of rows x columns points of n
  /// elements, if all begin together and all vectors have descriptors of their own: at most. All
  /// elements pass one ramp, one a cycle, so it takes at least 2 depth n (rows + columns); with
  /// corners, 4 depth^2 n more. To these come, of each of its steps, the issue of the operations,
  /// the way of the first element, and for each operation but one the start of a task and three
  /// instructions.
  static std::uint64_t most_cycles(const Machine& machine, std::uint64_t rows,
                                   std::uint64_t columns, Corners corners = Corners::none,
                                   int depth = 1, std::uint64_t n = 1);
  std::string text() const;

 private:
  PatternPlace place_;
  Corners corners_;
  int depth_;
  NeighborShift east_, west_, south_, north_;
};

}  // namespace weft::inline v0
