#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/fabric.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"
#include "weft/pe_program.hpp"

namespace weft::inline v0 {

/// Two colors that differ in bit 0, for routes that swap them (Route::swap_east_west).
struct ColorPair {
  Color even, odd;
};

/// The work of a whole fabric: colors by name, routes, and one program function for all PEs of a
/// rectangle. It makes the Layout, and a Fabric with the values at launch. Errors are Error(layout)
/// or Error(program). Of one design by one thread at a time.
class Design {
 public:
  /// A mesh of so many PEs, each side from 1 to 4096.
  Design(int width, int height);
  ~Design();
  Design(Design&&) noexcept;
  Design& operator=(Design&&) noexcept;

  int width() const noexcept;   ///< PEs along x
  int height() const noexcept;  ///< PEs along y
  /// A number that no other design of this process has.
  std::uint64_t id() const noexcept;
  Rect all() const noexcept { return {0, 0, width(), height()}; }

  /// A color that nobody has yet, or this one. Throws Error(program) that names the owners if there
  /// is none.
  Color color(const std::string& name, std::optional<int> number = {});
  ColorPair color_pair(const std::string& name);
  /// The same for a rectangle only, whose PEs alone use it: rectangles that do not overlap may have
  /// the same color. So do patterns take theirs.
  Color color(const std::string& name, const Rect& where);
  ColorPair color_pair(const std::string& name, const Rect& where);
  /// The entry of a control task, for ControlWavelet::entry and PeProgram::on_control: one that
  /// nobody has yet, or this one.
  int control_entry(const std::string& name, std::optional<int> number = {});

  /// As Layout::route. Where a route leads to a core and names no input queue, it leads to the
  /// queue that the program there takes the color from.
  void route(const Rect& where, Color color, const Route& route);
  /// A stream from the host (Layout::host_input), with a color of its own: it enters the PEs of
  /// `where` at their port `edge` and leads to their cores. The program there receives the color.
  Color host_input(const std::string& name, const Rect& where, Port edge);
  /// A stream to the host (Layout::host_output): whatever these cores send on its color.
  Color host_output(const std::string& name, const Rect& where, Port edge,
                    std::optional<std::size_t> limit = {});
  /// The same by a color whose routes the design gives itself: for an output, after this.
  void host_input(const std::string& name, const Rect& where, Port edge, Color color);
  void host_output(const std::string& name, const Rect& where, Port edge, Color color,
                   std::optional<std::size_t> limit = {});
  /// As Layout::filter.
  void filter(const Rect& where, Color color, const Filter& filter);

  /// The programs of all PEs of a rectangle, written by one function. It is called at once, for a
  /// first PE, and once more for each other combination of results of PeProgram::has_neighbor,
  /// where and pick: PEs with the same results share a program. So it must write the same whenever
  /// these results are the same.
  void program(const Rect& where, const std::string& name,
               const std::function<void(PeProgram&)>& function);

  /// How many different programs the functions have written so far.
  int programs() const noexcept;

  /// A PE as text for people: memory, colors with their routes and queues, registers and
  /// code, by the names that the program and the design give them.
  std::string listing(int x, int y) const;

  /// The named memory of all programs, by rectangles of PEs with one program.
  std::vector<std::pair<Rect, std::string>> symbols() const;

  Layout layout() const;  ///< of all programs and routes so far; throws what its methods throw
  /// The fabric, with the values at launch written. With `check`, mistakes with memory are looked
  /// for. Throws Error(program) where a program uses a vector that an asynchronous operation may
  /// still fill, or fills one that it may still read, and nothing waits for it in between: also in
  /// subroutines that it calls and in tasks that it activates, and by views that a register moves,
  /// if they meet wherever it moves them; and in tasks that wavelets start, where the program never
  /// blocks them. In the run, a vector operation over a view that a register has moved or strided
  /// out of its array, or whose count is not 0 to its size, is a fault, check_failed. That costs
  /// four scalar instructions for each register that moves or counts, and nine or ten for the end
  /// of a view that is strided, or moved and counted; twice as many if it is strided and counted.
  /// When Fabric::run_until_idle ends, also in a deadlock, the roots are compared that the PEs of a
  /// line have named for MovingBroadcast: Error(program) if two differ, or the line has not the
  /// one. It costs each use ten scalar instructions.
  Fabric fabric(const Machine& machine = {}, const FabricOptions& options = {},
                bool check = false) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::inline v0
