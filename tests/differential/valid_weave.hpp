#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "differential/case.hpp"
#include "differential/dice.hpp"
#include "differential/valid_work.hpp"

/// Parts of valid_case.
namespace weft::test {

/// A rectangle of PEs with a program of its own, which nothing enters or leaves, and the colors and
/// queues that its patterns have not taken yet. A queue's number is one for both directions, as a
/// PE's microthreads are named by it.
struct Region {
  Rect where;
  std::vector<int> colors, queues;

  int color() {
    return take(colors, [](int) { return true; });
  }
  int input() {
    return take(queues, [this](int q) { return q >= kOutputQueues || few(); });
  }
  int output() {
    return take(queues, [](int q) { return q < kOutputQueues; });
  }
  /// Whether a pattern with so many colors, inputs and outputs still fits.
  bool fits(int n, int inputs, int outputs) const;

 private:
  /// No queue is left that can only be an input.
  bool few() const {
    return std::ranges::all_of(queues, [](int q) { return q < kOutputQueues; });
  }
  template <class F>
  static int take(std::vector<int>& from, F may) {
    const auto one = std::ranges::find_if(from, may);
    const int number = *one;
    from.erase(one);
    return number;
  }
};

/// By PE of the mesh, row by row: its stages of a pattern. None: it only passes wavelets on.
using Part = std::vector<std::vector<Stage>>;

/// The parts of a case, before programs are written.
struct Weave {
  Case& c;
  Dice& dice;
  bool straight;        ///< all lines do the same
  bool passes = false;  ///< streams are long, and pass PEs that do not take them
  int rounds = 1;
  int words = 20;  ///< most that a stream has in a round, about
  std::vector<PeWork> work{};

  std::size_t pe(int x, int y) const { return static_cast<std::size_t>(y * c.width + x); }
  Part part() const { return Part(work.size()); }
  void route(int x, int y, int color, const Route& route) {
    c.routes.push_back({{x, y, 1, 1}, color, route});
  }
};

/// Lines of a region, and the way along them.
struct Frame {
  Rect where;
  Port to;

  bool rows() const { return to == Port::east || to == Port::west; }
  int length() const { return rows() ? where.width : where.height; }
  int lines() const { return rows() ? where.height : where.width; }
  std::pair<int, int> at(int line, int place) const {
    const int n = to == Port::east || to == Port::south ? place : length() - 1 - place;
    return rows() ? std::pair{where.x + n, where.y + line} : std::pair{where.x + line, where.y + n};
  }
};

// A transfer's numbers, drawn.
int draw_words(Weave& w);
int draw_stream_words(Weave& w);  ///< of one that nobody waits for: sometimes hundreds
Pause draw_pause(Weave& w);
Transfer draw_send(Weave& w, int color, int queue, int words);
Transfer draw_take(Weave& w, int color, int queue, int words);

/// A filter that lets the first `window` wavelets through of each `period`, or as many others.
struct Window {
  int window = 1, period = 1;
};
CounterFilter draw_filter(Weave& w, const Window& window);

// The patterns. Each takes colors and queues of the region, and routes them.
/// Streams that all PEs of a line may tap. `breaks`: they may be sent in two stages.
Part along_lines(Weave& w, Region& region, Port to, bool breaks = true);
Part down_trees(Weave& w, Region& region);     ///< one that branches
Part along_corners(Weave& w, Region& region);  ///< one whose way bends
Part between_neighbours(Weave& w, Region& region, const std::vector<Port>& ways);  ///< halos
Part around_rings(Weave& w, Region& region, Port to);   ///< folded: there and back
Part through_cores(Weave& w, Region& region, Port to);  ///< each core passes a stream on
Part in_turn(Weave& w, Region& region, Port to);        ///< each PE of a line, to those after it
/// Streams that PEs of a line overhear, while they change their filters and switches.
Part overheard(Weave& w, Region& region, Port to);
Part to_themselves(Weave& w, Region& region);  ///< a core to itself
Part alone(Weave& w, Region& region);          ///< nothing is sent

}  // namespace weft::test
