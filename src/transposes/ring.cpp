// Shift and take: numbers go from core to core along the row, in both directions at once. Each PE
// first sends all its own numbers for the PEs on a side, the nearest one's first. Then it takes its
// number from the start of each stream that comes, and passes on the rest, which is shorter by one
// number. An open row does with half of the hops of a ring, and its streams end where they are
// empty.
//
// A microthread passes a stream on while it still comes, so a stream does not wait to be whole in
// each PE. Both directions share the ramp of a core.

#include <array>

#include "patterns/place.hpp"
#include "transposes/line_program.hpp"
#include "weft/design.hpp"

namespace weft::transposes {
namespace {

/// One direction in the text of a PE.
struct Direction {
  ColorPair color;
  int streams;  ///< that come
  int after;    ///< PEs that they go on to
  int step;     ///< from a PE to the one before it in the direction: -1 or 1
};

class RowText {
 public:
  RowText(PeProgram& pe, const Line& line, int place, std::array<ColorPair, 2> colors)
      : pe_(pe),
        line_(line),
        place_(place),
        numbers_(pe.array<std::uint32_t>(kNumbers, line.size())),
        room_(pe.array<std::uint32_t>(kRoom, line.size())),
        done_(pe.array<std::uint32_t>(kDone, 1)),
        left_(pe.scalar<std::int32_t>("directions left")),
        directions_{Direction{colors[0], place, line.n - 1 - place, -1},
                    Direction{colors[1], line.n - 1 - place, place, 1}} {}

  void write() {
    pe_.set(left_, 2);
    const Task end = pe_.task("end", [&] {
      const PeScalar now = pe_.scalar<std::uint32_t>("now");
      pe_.tsc(now);
      pe_.store(done_, now);
    });
    std::vector<Task> first;
    for (const Direction& direction : directions_) first.push_back(chain(direction, end));
    for (std::size_t side = 0; side < 2; ++side) {
      const Direction& d = directions_[side];
      if (d.after > 0) {
        pe_.send(d.color.even, own(d)).then_activate(first[side]);
      } else {
        pe_.activate(first[side]);
      }
    }
    pe_.copy(number(room_, place_, 1), number(numbers_, place_, 1));
  }

 private:
  /// The words of a number, in the direction in which streams have them.
  PeVector number(const PeVector& v, int at, int direction) const {
    const int words = line_.words;
    return direction > 0 ? v.slice(words * at, words) : v.slice(words * at + words - 1, words, -1);
  }

  PeVector own(const Direction& d) const {
    const int words = line_.words;
    return d.step < 0 ? numbers_.slice(words * (place_ + 1), words * d.after)
                      : numbers_.slice(words * place_ - 1, words * d.after, -1);
  }

  /// The tasks that take and pass on, one after the other, until no stream is left.
  Task chain(const Direction& d, Task end) {
    const std::string name = d.step < 0 ? "east " : "west ";
    const auto finish = [this, end] {
      pe_.add(left_, left_, -1);
      pe_.when(left_ == 0, [&] { pe_.activate(end); });
    };
    if (d.streams == 0) return pe_.task(name + "end", finish);
    const int bytes = 4 * line_.words;
    const PeScalar moved = pe_.scalar<std::int32_t>(name + "moved");
    const PeScalar coming = pe_.scalar<std::int32_t>(name + "coming");
    pe_.set(moved, 0);
    pe_.set(coming, d.streams);
    const PeVector first = number(room_, place_ + d.step, -d.step).moved_by_bytes(moved);
    // A task is written before those that activate it, and these two activate each other: the one
    // that passes on has a number of its own.
    const Task pass{TaskKind::local, static_cast<std::uint8_t>(d.step < 0 ? 20 : 21)};
    const Task take = pe_.task(name + "take", [&] {
      pe_.receive(first, d.color.odd).then_activate(pass);
      pe_.add(moved, moved, d.step * bytes);
      pe_.add(coming, coming, -1);
    });
    const Task last = pe_.task(name + "end", finish);
    pe_.task(
        name + "pass",
        [&] {
          if (d.after == 0) {
            pe_.when(
                coming == 0, [&] { pe_.activate(last); }, [&] { pe_.activate(take); });
            return;
          }
          const int length = d.after * line_.words;
          const auto rest = [&](Task then) {
            pe_.copy(pe_.to(d.color.even), pe_.from(d.color.odd, length)).then_activate(then);
          };
          pe_.when(
              coming == 0, [&] { rest(last); }, [&] { rest(take); });
        },
        pass.id);
    return take;
  }

  PeProgram& pe_;
  const Line& line_;
  int place_;
  PeVector numbers_, room_, done_;
  PeScalar left_;
  std::array<Direction, 2> directions_;
};

}  // namespace

LineProgram build_ring(const Line& line) {
  Design design(line.n, line.rows);
  const std::array<ColorPair, 2> colors = {design.color_pair("east"), design.color_pair("west")};
  patterns::route_shift(design, design.all(), Port::east, colors[0]);
  patterns::route_shift(design, design.all(), Port::west, colors[1]);
  design.program(design.all(), "ring", [&](PeProgram& pe) {
    const int place = pe.pick([](int x, int) { return x; });
    RowText(pe, line, place, colors).write();
  });
  return {design.layout(), kRoom};
}

}  // namespace weft::transposes
