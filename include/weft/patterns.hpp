#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/design.hpp"
#include "weft/machine.hpp"
#include "weft/neighbor_patterns.hpp"

/// Ways of moving numbers between PEs, as parts of a program. A pattern is made over a Design and a
/// rectangle of its PEs: it takes its colors and sets its routes there. Its methods write code into
/// the program of these PEs. Errors are Error(program), and name the pattern: no color or
/// queue is left, vectors do not fit, or a PE outside the rectangle or of another design uses it.
/// Vectors fit if they have one element type and as many elements as the pattern moves. Where both
/// are used at the same time they share no memory; where one is only copied at the end (Scatter,
/// Gather) they may be the same elements. Where a register moves a view (moved_by_bytes), all of
/// its array counts.
///
/// The tasks that a pattern takes are for each use in the program; a program has 29 to hand out,
/// and waits share them beyond that (PeProgram::wait). No pattern takes memory beside the vectors.
/// `start` lets the core go on; where a PE has further steps, each begins in a task, when the core
/// is free: task_start_cycles - scalar_cycles more than if the core waits, and so the code below a
/// wait. Such a pattern (ReduceTree, AllReduce, Gather, AllToAll; RingTranspose, all of a program
/// together) goes on one at a time: wait for one, in the loop that starts it, before the next use
/// (then_activate is no wait). Patterns whose rectangles do not overlap take the same colors.
/// text() is for people: "ReduceChain(4 x 4 PEs, to the east, colors 0 and 1)". Their cycles are
/// those of links that never rest (Machine::link_busy_cycles) on one die
/// (Machine::die_link_cycles), of 1 to 2^32 - 1 elements and of lines of up to 4096 PEs; for
/// others, Error(usage).
namespace weft::inline v0 {

/// Lines of PEs in a rectangle.
enum class Along : std::uint8_t { rows, columns };

/// One PE sends to all others: in each row that of one column, in each column that of one row, or
/// one PE of the whole rectangle. Routers multicast; nobody passes anything on by its core.
///
/// Takes one color, one queue in each PE, no filters and no tasks.
class Broadcast {
 public:
  /// From the PE at `root` of each line, counted from the line's first.
  Broadcast(Design& design, const Rect& where, Along along, int root,
            const std::string& name = "broadcast");
  /// From the PE at (x, y) of the rectangle.
  Broadcast(Design& design, const Rect& where, int x, int y, const std::string& name = "broadcast");

  /// The root sends v, all others receive it into v; the core waits.
  void broadcast(PeProgram& pe, const PeVector& v, CallLine = {}) const;
  /// The same, but the core goes on at once: the operation to wait for, or none in a line of one.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& v, CallLine = {}) const;

  /// Cycles of `broadcast` of n elements in a PE that is so many links away (0: the root), if both
  /// begin together: the first element, its way, n - 1 more, and one instruction.
  static std::uint64_t cycles(const Machine& machine, std::uint64_t n, int links);
  std::string text() const;

 private:
  friend class AllReduce;
  void route_line(Design& design, const Rect& line, Along along, int root, PortSet more) const;
  std::optional<PeOperation> issue(PeProgram& pe, const PeVector& v) const;
  bool sends(PeProgram& pe) const;

  PatternPlace place_;
  bool alone_;  ///< nobody is there to receive
  Rect root_;
  Color color_;
};

/// One PE of each line sends to all of it, and each use names the one: a number, or a register.
/// Each core turns its own router (setroute), and the root receives its own stream too: so the end
/// tells each PE that its router has passed on all, and it may turn it for the next root, whichever
/// that is. PEs of a line that name different roots end in a deadlock, or take the elements of
/// another root; Design::fabric with `check` tells.
///
/// Takes one color, one queue of each direction in each PE, no filters and no tasks. A register
/// holds the PE's place; a root in a register takes one or two more.
class MovingBroadcast {
 public:
  MovingBroadcast(Design& design, const Rect& where, Along along,
                  const std::string& name = "moving broadcast");

  /// The PE at `root` of the line, counted from its first, sends `out`; all receive it in `in`, the
  /// root too, where `out` may be the same elements. The core goes on at once: the operation to
  /// wait for. The next use of the same pattern comes after that wait. All PEs of a line give the
  /// same root; of the line, or nobody sends.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& out, const PeVector& in,
                                 PeScalar root, CallLine = {}) const;
  /// PEs before, at and after the root have programs of their own.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& out, const PeVector& in, int root,
                                 CallLine = {}) const;
  /// The same, and the core waits.
  void broadcast(PeProgram& pe, const PeVector& out, const PeVector& in, PeScalar root,
                 CallLine = {}) const;
  void broadcast(PeProgram& pe, const PeVector& out, const PeVector& in, int root,
                 CallLine = {}) const;

  /// Cycles of `broadcast` from a root that is a number, of n elements in a PE that is so many
  /// links away (0: the root), if both begin together: one instruction and the write of the
  /// route, the first element, its way, n - 1 more, and one instruction.
  static std::uint64_t cycles(const Machine& machine, std::uint64_t n, int links);
  std::string text() const;

 private:
  template <class Root>
  std::optional<PeOperation> receive(PeProgram& pe, const PeVector& out, const PeVector& in,
                                     Root root) const;
  void turn(PeProgram& pe, PortSet rx, PortSet tx) const;

  PatternPlace place_;
  Along along_;
  Color color_;
};

/// The sum is of any type with an addition, the largest of real numbers and integers.
enum class ReduceOperation : std::uint8_t { sum, max };

/// Element by element, the sum or the largest of the vectors of a line, in its first or last PE. A
/// chain: the farthest PE sends, each adds its own as the stream passes its core.
///
/// Takes two colors, one queue of each direction, no filters and no tasks.
class ReduceChain {
 public:
  /// To the last PE on this side of each line.
  ReduceChain(Design& design, const Rect& where, Port to, const std::string& name = "reduce");

  /// v of the last PE becomes the result, those of others stay; the core waits.
  void reduce(PeProgram& pe, const PeVector& v, ReduceOperation operation, CallLine = {}) const;
  /// The same, but the core goes on at once: the operation to wait for, or none in a line of one.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& v, ReduceOperation operation,
                                 CallLine = {}) const;

  /// Cycles in the last PE of a line of so many, n elements, if all begin together: the first
  /// element, its way from core to core, n - 1 more, and one instruction.
  static std::uint64_t cycles(const Machine& machine, std::uint64_t n, int length);
  std::string text() const;

 private:
  friend class AllReduce;
  std::optional<PeOperation> issue(PeProgram& pe, const PeVector& v,
                                   ReduceOperation operation) const;

  PatternPlace place_;
  Port to_;
  ColorPair color_;
};

/// The same by a tree: in step s each second PE of those that are left sends to the one 2^s links
/// away. Fewer steps than a chain's, but each waits for a whole vector: for short ones.
///
/// Takes a color for each step, in the first PE a queue for each too: lines of up to 256 PEs. No
/// filters and no tasks.
class ReduceTree {
 public:
  /// To the first PE of each line.
  ReduceTree(Design& design, const Rect& where, Along along, const std::string& name = "tree");

  void reduce(PeProgram& pe, const PeVector& v, ReduceOperation operation, CallLine = {}) const;
  /// The same, but the core goes on at once: the operation to wait for, or none in a line of one.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& v, ReduceOperation operation,
                                 CallLine = {}) const;

  /// Cycles in the first PE of a line of so many (a power of two), if all begin together: for each
  /// step the first element, its way, n - 1 more, and one instruction.
  static std::uint64_t cycles(const Machine& machine, std::uint64_t n, int length);
  std::string text() const;

 private:
  friend class AllReduce;
  /// Each issues an operation.
  std::vector<std::function<PeOperation()>> steps(PeProgram& pe, const PeVector& v,
                                                  ReduceOperation operation) const;

  PatternPlace place_;
  Along along_;
  std::vector<Color> color_;  ///< by step
};

/// The sum or the largest of the vectors of all PEs of each line, in each of them: a reduction to
/// the first PE and a broadcast from there.
///
/// Takes what these take.
class AllReduce {
 public:
  enum class By : std::uint8_t { chain, tree };

  AllReduce(Design& design, const Rect& where, Along along, By by = By::chain,
            const std::string& name = "all-reduce");

  void reduce(PeProgram& pe, const PeVector& v, ReduceOperation operation, CallLine = {}) const;
  /// The same, but the core goes on at once: the operation to wait for, or none in a line of one.
  /// The first PE, and with a tree those that receive in it, issue further steps in a task.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& v, ReduceOperation operation,
                                 CallLine = {}) const;

  /// Cycles in the last PE of a line of so many (for the tree, a power of two), n elements, if all
  /// begin together: those of the reduction and of the broadcast.
  static std::uint64_t cycles(const Machine& machine, std::uint64_t n, int length,
                              By by = By::chain);
  std::string text() const;

 private:
  std::vector<std::function<PeOperation()>> steps(PeProgram& pe, const PeVector& v,
                                                  ReduceOperation operation) const;

  std::optional<ReduceChain> chain_;
  std::optional<ReduceTree> tree_;
  Broadcast broadcast_;
};

enum class Around : std::uint8_t { onwards, backwards };  ///< the ways round a ring

/// Each PE of a line sends to the next one of a ring, and receives from the one before it, or the
/// other way round. The ring is folded: PEs 0, 2, 4, ... and back over ..., 5, 3, 1, so that none
/// is more than two links from the next. Takes three colors, one queue of each direction, a task.
class RingShift {
 public:
  /// Rings of two PEs or more.
  RingShift(Design& design, const Rect& where, Along along, const std::string& name = "ring",
            Around way = Around::onwards);

  /// Sends `out`, receives as many elements into `in`: two operations to wait for. Registers may
  /// move and count both (PeVector::moved_by_bytes, counted_by).
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& out, const PeVector& in,
                                 CallLine = {}) const;
  void shift(PeProgram& pe, const PeVector& out, const PeVector& in, CallLine = {}) const;

  /// The place in the ring of a PE of a line of so many, and the other way round.
  /// Throws Error(usage) for a PE or place that the line has not.
  static int place_of(int pe, int length);
  static int pe_at(int place, int length);

  /// As NeighborShift::cycles, two links away. Registers that move and count `out` add an
  /// instruction each; those of `in` none, where it still starts before the first wavelet comes.
  static std::uint64_t cycles(const Machine& machine, std::uint64_t n);
  std::string text() const;

 private:
  PatternPlace place_;
  Along along_;
  Around way_;
  std::array<Color, 3> colors_;
};

struct RingParts {                ///< where the parts of an array stand, in elements
  int step = 0;                   ///< from a part to the next
  std::vector<Dimension> part{};  ///< outermost first
};

/// As AllToAll, but around a ring (RingShift), both ways at once, in one program for all PEs. Parts
/// are in the order of the ring: number z is for, or from, the PE RingShift::pe_at(z). Takes six
/// colors, two queues of each direction and the descriptors 8 to 15. For each use: three tasks, and
/// ten registers, which loops and other uses take in turn.
class RingTranspose {
 public:
  RingTranspose(Design& design, const Rect& where, Along along,
                const std::string& name = "ring transpose");

  /// `out`: a part for each place, one after the other; it is overwritten. `in`: those that come,
  /// before code goes on below. Elements are of 32 bits, side by side.
  void transpose(PeProgram& pe, const PeVector& out, const PeVector& in, CallLine = {}) const;
  /// The same of parts that stand in other ways, as blocks of a matrix. A part has the same extents
  /// before and after, and with its step at most four dimensions that cannot be joined.
  void transpose(PeProgram& pe, const PeVector& out, const PeVector& in, const RingParts& from,
                 const RingParts& to, CallLine = {}) const;
  /// The same, but the core goes on as soon as it has ordered the parts of `out`: the operation to
  /// wait for. It orders those of `in` in a task, at the end. All that are started share ten
  /// registers, which nothing else has.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& out, const PeVector& in,
                                 CallLine = {}) const;
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& out, const PeVector& in,
                                 const RingParts& from, const RingParts& to, CallLine = {}) const;

  /// Cycles in any PE of a line of so many, parts of n elements, if all begin together and queues
  /// are as deep as by default, at most: n length^2 / 4 for links, 2.5 copies, and the turns.
  static std::uint64_t most_cycles(const Machine& machine, std::uint64_t n, int length);
  std::string text() const;

 private:
  std::pair<RingParts, RingParts> parts_in_order(PeProgram& pe, const PeVector& out,
                                                 const PeVector& in) const;
  std::optional<PeOperation> write(PeProgram& pe, const PeVector& out, const PeVector& in,
                                   const RingParts& from, const RingParts& to, bool starts) const;

  PatternPlace place_;
  Along along_;
  std::array<std::array<Color, 3>, 2> colors_;  ///< by way
};

/// The first PE of each line has a vector for all of them, and each gets its part. Routers offer
/// the whole stream to each core, and filters let the part in.
///
/// Takes one color, one queue and one filter in each PE, no tasks.
class Scatter {
 public:
  /// Parts of so many elements.
  Scatter(Design& design, const Rect& where, Along along, int elements,
          const std::string& name = "scatter");

  /// `all`: of the line's parts in order, in the first PE. Each PE gets `part`; the core waits.
  void scatter(PeProgram& pe, const PeVector& all, const PeVector& part, CallLine = {}) const;
  /// The same, but the core goes on at once: the operation to wait for, or none in a line of one.
  /// The part shares no memory with those of others.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& all, const PeVector& part,
                                 CallLine = {}) const;

  /// Cycles in the last PE of a line of so many, parts of n elements, if all begin together: the
  /// first element, its way, one for each further element of the stream, and one instruction.
  static std::uint64_t cycles(const Machine& machine, std::uint64_t n, int length);
  std::string text() const;

 private:
  /// `together`: the core goes on while the first PE sends.
  std::optional<PeOperation> issue(PeProgram& pe, const PeVector& all, const PeVector& part,
                                   bool together) const;

  PatternPlace place_;
  Along along_;
  int elements_;
  Color color_;
};

/// Each PE of a line has a part, and the first one gets all. A chain: each PE sends its part, and
/// then passes on those from behind it.
///
/// Takes two colors, one queue of each direction, no filters and no tasks.
class Gather {
 public:
  Gather(Design& design, const Rect& where, Along along, const std::string& name = "gather");

  /// `all`: of the line's parts in order, in the first PE; the core waits.
  void gather(PeProgram& pe, const PeVector& part, const PeVector& all, CallLine = {}) const;
  /// The same, but the core goes on at once: the operation to wait for, or none in a line of one.
  /// PEs that pass on others' parts begin to do so in a task.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& part, const PeVector& all,
                                 CallLine = {}) const;

  /// Cycles in the first PE of a line of so many, parts of n elements, if all begin together, at
  /// most: the first element and its way from core to core, n for each PE, and one instruction and
  /// one first element for each that passes on others' parts. (Queues on the way hide a part of the
  /// latter.)
  static std::uint64_t most_cycles(const Machine& machine, std::uint64_t n, int length);
  std::string text() const;

 private:
  std::vector<std::function<PeOperation()>> steps(PeProgram& pe, const PeVector& part,
                                                  const PeVector& all) const;

  PatternPlace place_;
  Along along_;
  ColorPair color_;
};

/// Each PE of a line has a part for each of them, and gets one from each: a transpose of parts. Two
/// chains, one after the other: what goes to later PEs, and what goes to earlier ones. Each PE
/// sends its own parts, and then takes its part of each stream that comes and sends on the rest.
///
/// Takes four colors, two queues of each direction, no filters and no tasks. The code has two to
/// three instructions with streams for each PE of the line, and each place in the line has a
/// program of its own.
class AllToAll {
 public:
  AllToAll(Design& design, const Rect& where, Along along, const std::string& name = "all-to-all");

  /// `out`: parts of as many elements each, in the order of the PEs that they go to. `in`: those
  /// that come, in the order of the PEs that they are from. The core waits. Throws Error(program)
  /// that names the vectors if they do not have as many elements, a multiple of the line's PEs.
  void exchange(PeProgram& pe, const PeVector& out, const PeVector& in, CallLine = {}) const;
  /// The same, but the core goes on at once, and the two chains at the same time, each in a task of
  /// its own: two operations to wait for, or none in a line of one.
  std::vector<PeOperation> start(PeProgram& pe, const PeVector& out, const PeVector& in,
                                 CallLine = {}) const;

  /// Cycles until all PEs of a line of so many have all, parts of n elements of 32 bits, if they
  /// begin together, at most: the copy of a PE's own part, and two chains. In a chain each PE but
  /// the last adds n for each PE after it, the way to the next core, and three times one
  /// instruction and a first element. (Queues and the streams' overlap hide a part of the latter.)
  /// That is so where the queues from core to core hold as many wavelets as an instruction takes
  /// cycles to start, as they do by default; else it takes longer. At least n length (length - 1).
  static std::uint64_t most_cycles(const Machine& machine, std::uint64_t n, int length);
  std::string text() const;

 private:
  /// Those of the two chains; the PE's own part is copied.
  std::array<std::vector<std::function<PeOperation()>>, 2> steps(PeProgram& pe, const PeVector& out,
                                                                 const PeVector& in) const;

  PatternPlace place_;
  Along along_;
  ColorPair up_, down_;
};

}  // namespace weft::inline v0
