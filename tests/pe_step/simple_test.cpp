// Simple instructions (src/pe/simple.hpp): their factors give what instructions.def says of them.
#include <gtest/gtest.h>

#include "differential/dice.hpp"
#include "isa/elements.hpp"
#include "pe/build/code.hpp"
#include "support/effort.hpp"

namespace weft::test::simple_test {
namespace {

/// Small ones, ends of ranges, and any.
std::uint32_t random_word(Dice& dice) {
  return dice.pick({static_cast<std::uint32_t>(dice.roll(0, 3)), ~0U, 0x80000000U, 0x7fffffffU,
                    static_cast<std::uint32_t>(dice.roll(0, 0xffff)) << 16U |
                        static_cast<std::uint32_t>(dice.roll(0, 0xffff))});
}

TEST(PeSimple, TheirFactorsAndConditionsGiveTheResultsOfTheTable) {
  Dice dice(mixed(seed_from(54000000)));
  for (const pe::Simple& simple : pe::kSimple)
    for (int n = 0; n < 1000; ++n) {
      const std::uint32_t d = random_word(dice), a = random_word(dice), b = random_word(dice);
      Instruction i{simple.op};
      i.imm = static_cast<std::int32_t>(b);
      const pe::Code code = pe::code_of(i, 0);
      const isa::Format format = code.format();
      const std::uint32_t last =
          code.has(pe::Is::immediate) ? static_cast<std::uint32_t>(code.imm) : b;
      SCOPED_TRACE(testing::Message()
                   << static_cast<int>(simple.op) << ": " << d << ", " << a << ", " << b);
      if (format == isa::Format::load || format == isa::Format::store) {
        ASSERT_EQ(code.sum(a, last), a + b);
        ASSERT_NE(code.does(pe::Does::writes), code.does(pe::Does::stores));
      } else if (pe::computes(format)) {
        ASSERT_EQ(code.sum(a, last), isa::element(simple.op, d, a, b));
        ASSERT_TRUE(code.does(pe::Does::writes));
      }
      const bool goes = simple.op == Op::jump ||
                        (format == isa::Format::branch && isa::element(simple.op, d, a, b) != 0);
      ASSERT_EQ(code.goes(d, a), goes);
    }
}

TEST(PeSimple, EachBranchIsOne) {
  for (int op = 0; op < isa::kInstructions; ++op)
    if (isa::format_of(static_cast<Op>(op)) == isa::Format::branch) {
      EXPECT_GE(pe::simple_row(static_cast<Op>(op)), 0) << op;
    }
}

}  // namespace
}  // namespace weft::test::simple_test
