#pragma once

#include <array>
#include <functional>
#include <vector>

#include "evaluation/transposes/line_program.hpp"
#include "weft/program.hpp"

/// Transposes by halves. On level 0 the two halves of the line exchange numbers, on level 1 the
/// halves of each half, and so on, down to neighbours.
///
/// In each direction the PEs of one half send through the same color, the one beside the middle
/// first. Its router begins with {ramp -> ahead}. A control wavelet behind what it sends moves it
/// on to {behind -> ahead}, and what the PE behind has sent, which waits there, follows at once. So
/// no core and no cycle is between two senders.
namespace weft::transposes {

/// A PE on a level.
struct Level {
  int number;
  int half;     ///< PEs of a half
  int first;    ///< PE of the two halves
  bool left;    ///< the PE is in the first half
  int order;    ///< PEs between it and the middle
  int parent;   ///< 0, 1: the two halves are the first or the second half of the level before
  int out, in;  ///< colors
  int out_queue, in_queue;  ///< two others than on the levels beside it

  int middle() const { return first + half; }  ///< first PE of the second half
  bool farthest() const { return order == half - 1; }
  Port ahead() const { return left ? Port::east : Port::west; }
};

int levels_of(int n);
Level level_of(int n, int pe, int number);

/// How the routers of a level are switched.
struct LevelRules {
  PopMode senders = PopMode::no_pop;
  PopMode at_the_middle = PopMode::no_pop;  ///< of the sender beside it
  /// Receivers are offered all, and have a filter. Else each takes what comes up to an advance, and
  /// then lets all pass.
  bool filters = false;
};

/// The program that a PE's code is written in.
struct HalvesProgram {
  ProgramBuilder& p;
  const Line& line;
  int pe;
  MemorySpan numbers, room, controls;
};
inline constexpr Reg kZero{15};

/// The control wavelets of a PE on a level.
using LevelControls = std::array<std::uint32_t, 2>;

/// A level of an algorithm. Its code starts the receiver with the task `then` as its end, sends,
/// and ends its task.
struct LevelCode {
  LevelControls (*controls)(const Level& level);
  void (*emit)(const HalvesProgram& program, const Level& level, int then);
};

/// The routes, switches and filters of a level.
void lay_out_level(LineProgram& made, const Line& line, int number, const LevelRules& rules);

/// Places the programs of all PEs: the levels in this order, one after the other, each with its
/// code. `keeps` copies the PE's number for itself at the start.
void place_halves(LineProgram& made, const Line& line, const std::vector<int>& order, bool keeps,
                  const std::function<const LevelCode&(int number)>& code);

// For the code of levels.
VectorOptions activates(int task);
/// Sets a descriptor to words in memory.
void set_words(ProgramBuilder& p, Dsr d, const MemorySpan& span, int word, int length, int stride);
/// Sets it to control wavelet `which` of the level.
void set_control(const HalvesProgram& program, Dsr d, const Level& level, int which);
/// Starts the microthread that takes a number from each PE of the other half, in the order in which
/// they send.
void emit_take_numbers(const HalvesProgram& program, const Level& level, int then);

/// A level of point_to_point.cpp.
extern const LevelRules kDirectRules;
extern const LevelCode kDirect;

}  // namespace weft::transposes
