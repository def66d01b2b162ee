#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/layout.hpp"
#include "weft/machine.hpp"

/// The programs of the algorithms, for rows that all do the same.
namespace weft::transposes {

/// The line to be built.
struct Line {
  int n;      ///< PEs of a row
  int words;  ///< wavelets of a number
  int rows;
  int filters;  ///< that a PE has

  int size() const { return n * words; }  ///< words of a PE
  Rect column(int pe) const { return {pe, 0, 1, rows}; }
};

/// Words of a symbol at launch, the same in all PEs of the rectangle.
struct AtLaunch {
  Rect where;
  std::string symbol;
  std::vector<std::uint32_t> words;
};

/// Each PE has its numbers in kNumbers, and notes the clock in kDone when it has all.
struct LineProgram {
  Layout layout;
  std::string result;  ///< the symbol in which the numbers end
  std::vector<AtLaunch> at_launch{};
};

inline constexpr const char* kNumbers = "numbers";
inline constexpr const char* kRoom = "room";  ///< as many words
inline constexpr const char* kDone = "done";

LineProgram build_broadcast_and_filter(const Line& line);
LineProgram build_broadcast_and_filter_interlocked(const Line& line);
LineProgram build_point_to_point_in_turn(const Line& line);
LineProgram build_point_to_point(const Line& line);
LineProgram build_butterfly(const Line& line);
LineProgram build_shift_and_take(const Line& line);
LineProgram build_filter_by_halves(const Line& line);

}  // namespace weft::transposes
