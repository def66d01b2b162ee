#include "isa/info.hpp"

#include <array>

#include "weft/instruction.hpp"

namespace weft::isa {
namespace {

constexpr bool yes = true, no = false;

constexpr std::array<InstructionInfo, kInstructions> kInfo = {{
#define WEFT_INSTRUCTION(name, format, function, cost, accumulates, meaning) \
  {#name, Format::format, Cost::cost, accumulates, meaning},
#include "isa/instructions.def"
}};

constexpr std::array<CostInfo, kCosts> kCostInfo = {{
#define WEFT_COST(name, constant, ...) {#constant, false},
#define WEFT_VECTOR_COST(name, constant, ...) {#constant, true},
#include "isa/costs.def"
}};

}  // namespace

const InstructionInfo& info(Op op) noexcept { return kInfo[static_cast<std::size_t>(op)]; }
const CostInfo& info(Cost cost) noexcept { return kCostInfo[static_cast<std::size_t>(cost)]; }

}  // namespace weft::isa

namespace weft::inline v0 {

std::string_view mnemonic(Op op) noexcept { return isa::info(op).name; }

}  // namespace weft::inline v0
