#pragma once

#include <cstdint>

#include "weft/instruction.hpp"
#include "weft/types.hpp"

/// The programs of a fabric, in the form the step wants them.
namespace weft::model {

/// Dimensions of a memory operand, outermost first.
struct ShapeState {
  std::uint32_t extent[kDimensions];
  std::int32_t stride[kDimensions];
  std::uint32_t elements;

  /// Elements that are one stride apart.
  constexpr std::uint32_t row() const { return extent[kDimensions - 1]; }
};

/// A FIFO of a program.
struct FifoPlace {
  std::uint32_t address, capacity, bytes;
  std::int32_t push_task, pop_task;  ///< local tasks, or -1
};

/// A program's tasks (first instructions in View::code, or -1) and FIFOs.
struct TaskTable {
  std::int32_t data[kColors], local[kLocalTasks], control[kControlTasks];
  std::uint32_t high_data, high_local;
  std::uint64_t high_control;
  std::int32_t first, last;    ///< its instructions: first .. last - 1
  std::uint32_t memory_bytes;  ///< that its arrays take; it may use others
  FifoPlace fifo[kFifos];
};

/// The programs of a fabric, which a run does not change.
struct ProgramView {
  const Instruction* code;
  /// By instruction: until so many cycles after its issue, a core without microthreads does nothing
  /// that anybody could notice, and has no fault. 0: not known.
  const std::uint32_t* private_cycles;
  const TaskTable* programs;
  const ShapeState* shapes;  ///< of all programs
};

}  // namespace weft::model
