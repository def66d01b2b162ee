#pragma once

#include <cstdint>
#include <string_view>

#include "weft/op.hpp"

namespace weft::inline v0 {

/// One instruction as the core holds it: eight bytes. For vector instructions `imm` packs
/// VectorOptions; for jumps it is a position in the program.
struct Instruction {
  Op op{};
  std::uint8_t d = 0, a = 0, b = 0;
  std::int32_t imm = 0;
  bool operator==(const Instruction&) const = default;
};
static_assert(sizeof(Instruction) == 8);

enum class TaskKind : std::uint8_t { data, local, control };
/// "data", "local" or "control".
std::string_view to_string(TaskKind kind) noexcept;

/// The name of the instruction, as disassemble() prints it.
std::string_view mnemonic(Op op) noexcept;

/// Options of a vector instruction with a fabric operand.
struct VectorOptions {
  enum class AtEnd : std::uint8_t { nothing, activate, unblock };

  bool async = false;             ///< the core goes on at once; else it waits for the end
  AtEnd at_end = AtEnd::nothing;  ///< async only
  TaskKind task_kind = TaskKind::local;
  std::uint8_t task_id = 0;

  constexpr std::int32_t pack() const noexcept {
    return (async ? 1 : 0) | static_cast<int>(at_end) << 1 | static_cast<int>(task_kind) << 3 |
           task_id << 5;
  }
  static constexpr VectorOptions unpack(std::int32_t bits) noexcept {
    return {(bits & 1) != 0, static_cast<AtEnd>(bits >> 1 & 3),
            static_cast<TaskKind>(bits >> 3 & 3), static_cast<std::uint8_t>(bits >> 5 & 63)};
  }
};

/// Operands that the compiler can tell apart.
struct Reg {
  std::uint8_t index;
};
struct Dsr {
  std::uint8_t index;
};
struct Label {
  int index = -1;
};
struct Task {
  TaskKind kind = TaskKind::local;
  std::uint8_t id = 0;
};
/// A Shape of Program::shapes, a Fifo of Program::fifos.
struct ShapeId {
  std::uint8_t index;
};
struct FifoId {
  std::uint8_t index;
};

}  // namespace weft::inline v0
