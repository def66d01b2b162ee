#pragma once

#include <cstdint>
#include <string_view>

namespace weft::inline v0 {

/// Faults of an emulated machine. One row each in src/fabric/errors/faults.cpp.
enum class FaultKind : std::uint8_t {
  none,
  input_collision,      ///< two open inputs held a wavelet of one color in the same cycle
  memory_out_of_range,  ///< an access past the PE's memory
  memory_misaligned,    ///< an access at an address that is no multiple of its size
  microthread_in_use,   ///< a vector instruction on a microthread or queue that is still running
  queue_color_changed,  ///< a queue given to another color while not empty
  unbound_task,         ///< a task was started that no program bound
  bad_operands,         ///< a vector instruction over descriptors that it cannot use
  bad_length,           ///< a vector longer than a descriptor's 16 bits can say
  bad_filter,           ///< filter settings that the machine does not allow
  bad_switch_position,  ///< a switch set to a position that the color does not have
  ran_off_program,      ///< execution went past the program's last instruction
  check_failed,         ///< a condition of PeProgram::check did not hold
  deadlock,             ///< nothing can move any more, and work is left
  cycle_limit,          ///< the run did not end within its limit
};

/// "input_collision", and so on.
std::string_view to_string(FaultKind kind) noexcept;

/// The first thing that went wrong in the emulated machine: lowest (cycle, y, x).
struct Fault {
  FaultKind kind = FaultKind::none;
  std::uint64_t cycle = 0;
  int x = 0;                ///< column of the PE, from the west
  int y = 0;                ///< row of the PE, from the north
  int color = -1;           ///< -1: no color is involved
  std::int64_t detail = 0;  ///< an address, queue or task, as the kind's message says
  /// Of the PE's program, by number. -1: none is involved, or the engine (cuda) does not tell.
  std::int32_t instruction = -1;
};

}  // namespace weft::inline v0
