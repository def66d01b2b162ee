#include "weft/instruction.hpp"

#include <array>

namespace weft {
namespace {

constexpr bool yes = true, no = false;

constexpr std::array<InstructionInfo, kInstructions> kInfo = {{
#define WEFT_INSTRUCTION(name, format, function, cost, runs_ahead, meaning) \
  {#name, Format::format, Cost::cost, runs_ahead, meaning},
#include "weft/instructions.def"
#undef WEFT_INSTRUCTION
}};

}  // namespace

const InstructionInfo& info(Op op) noexcept { return kInfo[static_cast<std::size_t>(op)]; }

}  // namespace weft
