#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

enum class Op : std::uint8_t {
#define WEFT_INSTRUCTION(name, format, function, cost, runs_ahead, meaning) name,
#include "weft/instructions.def"
#undef WEFT_INSTRUCTION
};

#define WEFT_INSTRUCTION(name, format, function, cost, runs_ahead, meaning) +1
inline constexpr int kInstructions = 0
#include "weft/instructions.def"
    ;
#undef WEFT_INSTRUCTION

// clang-format off
/// Which operands an instruction takes.
#define WEFT_SCALAR_FORMATS(format)                                                          \
  /* d, a, b: registers */                                                                   \
  format(reg_imm) format(reg_reg) format(reg_reg_reg) format(reg_reg_imm)                    \
  /* d, a: registers; immediate: byte offset */                                              \
  format(load) format(load_half) format(load_pair) format(store) format(store_half)          \
  format(jump) format(branch) format(call) format(ret)  /* immediate: target */              \
  format(place) format(clock)                           /* d: register */                    \
  format(dsr_imm) format(dsr_reg_imm)                   /* d: descriptor, a: register */     \
  /* d: descriptor, a: queue, b: color, c: control */                                        \
  format(dsr_fabric_in) format(dsr_fabric_out)                                               \
  format(dsr_shape)                                     /* d: descriptor, immediate: shape */ \
  format(dsr_fifo)                                      /* d: descriptor, a: FIFO */         \
  format(fifo_read)                                     /* d: register, a: FIFO */           \
  format(task)                                          /* a: TaskKind, b: id */             \
  format(end)                                                                                \
  format(router)                                        /* d: register, a: color */          \
  format(pending)                                       /* d: register */
#define WEFT_VECTOR_FORMATS(format)                     /* d, a: descriptors, b: descriptor or register */ \
  format(vector_vv) format(vector_vr) format(vector_v) format(vector_r)

enum class Format : std::uint8_t {
#define WEFT_FORMAT(name) name,
  WEFT_SCALAR_FORMATS(WEFT_FORMAT)
  WEFT_VECTOR_FORMATS(WEFT_FORMAT)
#undef WEFT_FORMAT
};
// clang-format on

/// What an instruction's cycles depend on, and how wide its elements are; the machine profile holds
/// the rates. Vector classes come last.
enum class Cost : std::uint8_t {
  scalar,
  scalar_f32,
  branch,
  router_write,
  f32_add,
  f32_multiply,
  move32,
  int32,
  f16,
  int16,
  shift16,
  max16,
  max32,
  mixed_add,           ///< FP32 = FP32 + FP16
  mixed_multiply_add,  ///< FP32 += FP16 FP16
  widen,               ///< FP32 = FP16
  narrow,              ///< FP16 = FP32
};
inline constexpr int kCosts = static_cast<int>(Cost::narrow) + 1;

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

/// One row of instructions.def.
struct InstructionInfo {
  std::string_view name;
  Format format;
  Cost cost;
  bool runs_ahead;
  std::string_view meaning;
};

const InstructionInfo& info(Op op) noexcept;

/// What a vector instruction with a fabric operand does besides its elements.
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

}  // namespace weft
