#pragma once

#include "isa/table.hpp"
#include "model/state/programs.hpp"
#include "weft/instruction.hpp"

/// Instructions as the PE step reads them.
namespace weft::pe {

/// Its function is all that it does: d = f(d, a, b).
WEFT_HD constexpr bool computes(isa::Format format) { return format <= isa::Format::reg_reg_imm; }

/// Facts of an instruction.
enum class Is : std::uint8_t {
  computing = 1,   ///< as computes()
  immediate = 2,   ///< the last source is the immediate
  fp32 = 4,        ///< costs what scalar FP32 does
  own = 8,         ///< touches the PE's own registers, descriptors and memory only
  registers = 16,  ///< of these, no memory
  vector = 32,
  scaled = 64,   ///< a vector instruction whose last source is a register
  simple = 128,  ///< what it does is in Does
};

/// What a simple instruction does: its result is a sum of a, b, a b and a & b; that is an address,
/// or goes to a register; and it branches where d and a compare so. So all simple ones are executed
/// alike, and cores of a warp that are at different ones execute them together.
enum class Does : std::uint8_t {
  goes_less = 1,  ///< on if d < a
  goes_equal = 2,
  goes_greater = 4,
  with_sign = 8,  ///< they compare as signed numbers
  writes = 16,    ///< the register d
  accesses = 32,  ///< a word of memory; reads it unless it stores
  stores = 64,
};

/// The sum: factors of a, of a b, of b, and of a & b.
struct Factors {
  int a, product, b, both;  ///< 0 or 1 the first two, -1 to 1, -2 to 1
};

/// An instruction and all that the tables of instructions say of it, so that it is one load. In
/// whole words: what is not asked for takes no instruction.
struct alignas(16) Code {
  std::uint32_t names;  ///< op, d, a, b: a byte each
  std::int32_t imm;
  std::uint32_t alone;  ///< as model::ProgramView::private_cycles
  std::uint32_t facts;  ///< format, cost: 5 bits each; bits of Is: 8. Then of simple ones bits of
                        ///< Does: 7, and the factors a, product: 1 each, b, both: 2 each; of others
                        ///< of operands d, a and b a bit each, two times: are descriptors; have
                        ///< elements of 16 bits

  static constexpr unsigned kCost = 5, kIs = 10, kRest = 18, kHalves = 21;
  static constexpr unsigned kA = 26, kProduct = 27, kB = 28, kBoth = 30;

  WEFT_HD Op op() const { return static_cast<Op>(names & 255U); }
  WEFT_HD int d() const { return static_cast<int>(names >> 8U & 255U); }
  WEFT_HD int a() const { return static_cast<int>(names >> 16U & 255U); }
  WEFT_HD int b() const { return static_cast<int>(names >> 24U); }
  WEFT_HD isa::Format format() const { return static_cast<isa::Format>(facts & 31U); }
  WEFT_HD isa::Cost cost() const { return static_cast<isa::Cost>(facts >> kCost & 31U); }
  WEFT_HD bool has(Is what) const { return (facts & static_cast<unsigned>(what) << kIs) != 0; }
  WEFT_HD bool does(Does what) const { return (facts & static_cast<unsigned>(what) << kRest) != 0; }
  WEFT_HD bool is_descriptor(int k) const { return (facts >> (kRest + k) & 1U) != 0; }
  WEFT_HD std::uint32_t bytes(int k) const { return (facts >> (kHalves + k) & 1U) != 0 ? 2 : 4; }
  /// The operand's field.
  WEFT_HD int field(int k) const { return k == 0 ? d() : k == 1 ? a() : b(); }

  /// The result of a simple one.
  WEFT_HD std::uint32_t sum(std::uint32_t a, std::uint32_t b) const {
    const auto factor = [this](unsigned at) {  // of two bits, with a sign
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(facts << (30U - at)) >> 30);
    };
    const std::uint32_t of_a = (facts >> kProduct & 1U) != 0 ? b : facts >> kA & 1U;
    return a * of_a + b * factor(kB) + (a & b) * factor(kBoth);
  }
  /// A simple one goes to its target.
  WEFT_HD bool goes(std::uint32_t d, std::uint32_t a) const {
    const std::uint32_t sign = facts >> (kRest + 3U) << 31U;
    const bool less = (d ^ sign) < (a ^ sign);
    const auto how = d == a ? Does::goes_equal : less ? Does::goes_less : Does::goes_greater;
    return (facts >> kRest & static_cast<unsigned>(how)) != 0;
  }
};
static_assert(sizeof(Code) == 16 && isa::kCosts <= 32 &&
              static_cast<int>(isa::Format::pending) < 32);

/// The programs of a mesh, which a run does not change.
struct ProgramView {
  const Code* code;
  const model::TaskTable* programs;
  const model::ShapeState* shapes;  ///< of all programs
};

}  // namespace weft::pe
