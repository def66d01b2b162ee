// From an operation and types to the instruction (src/isa/operations.def).
#include "isa/operations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "isa/table.hpp"
#include "weft/instruction.hpp"

namespace weft::test::operations_test {
namespace {

using isa::OperandTypes;
using isa::Operation;
using enum ElementType;

std::string_view name_of(std::optional<Op> op) { return op ? mnemonic(*op) : "none"; }

std::string_view vector_name(Operation operation, const OperandTypes& types) {
  return name_of(isa::vector_op(operation, types));
}

TEST(Operations, TypesDecideOnTheInstruction) {
  EXPECT_EQ(vector_name(Operation::copy, {.d = i32, .a = i32}), "vmov32");
  EXPECT_EQ(vector_name(Operation::copy, {.d = f16, .a = f16}), "vmov16");
  EXPECT_EQ(vector_name(Operation::copy, {.d = f32, .a = f16}), "vfh2s");
  EXPECT_EQ(vector_name(Operation::add, {.d = f32, .a = f32, .b = f32}), "vfadds");
  EXPECT_EQ(vector_name(Operation::add, {.d = f32, .a = f32, .b = f16}), "vfaddhs");
  EXPECT_EQ(vector_name(Operation::add, {.d = f32, .a = f32, .scalar = f32}), "vfaddsr");
  EXPECT_EQ(vector_name(Operation::fill, {.d = u16, .scalar = u16}), "vmov16r");
  EXPECT_EQ(vector_name(Operation::multiply_add, {.d = f32, .a = f16, .b = f16}), "vfmachs");
  EXPECT_EQ(vector_name(Operation::add, {.d = i32, .a = i32, .scalar = i32}), "vadd32r");
  EXPECT_EQ(vector_name(Operation::sub_from, {.d = f16, .a = f16, .scalar = f16}), "vfrsubhr");
  EXPECT_EQ(vector_name(Operation::band, {.d = u16, .a = u16, .b = u16}), "vand16");
  EXPECT_EQ(vector_name(Operation::band, {.d = u16, .a = u16, .scalar = u16}), "vand16r");
  EXPECT_EQ(vector_name(Operation::copy, {.d = i16, .a = f32}), "vfs2xp16");
}

TEST(Operations, SomeTypesDoNotGoTogether) {
  EXPECT_EQ(vector_name(Operation::copy, {.d = i32, .a = u32}), "none");
  EXPECT_EQ(vector_name(Operation::copy, {.d = f32, .a = i32}), "none");
  EXPECT_EQ(vector_name(Operation::copy, {.d = c64, .a = c64}), "none");
  EXPECT_EQ(vector_name(Operation::add, {.d = f32, .a = f16, .b = f32}), "none");
  EXPECT_EQ(vector_name(Operation::copy, {.d = f32, .a = u16}), "none");
  EXPECT_EQ(vector_name(Operation::mul, {.d = i32, .a = i32, .scalar = i32}), "none");
  EXPECT_EQ(vector_name(Operation::mul, {.d = i32, .a = i32, .b = i32}), "none");
}

TEST(Operations, AStreamTakesTheTypeOfTheOthers) {
  EXPECT_EQ(vector_name(Operation::copy, {.d = unspecified, .a = f16}), "vmov16");
  EXPECT_EQ(vector_name(Operation::copy, {.d = f32, .a = unspecified}), "vmov32");
  EXPECT_EQ(vector_name(Operation::add, {.d = unspecified, .a = u16, .b = u16}), "vadd16");
  EXPECT_EQ(vector_name(Operation::add, {.d = f32, .a = f32, .b = unspecified}), "vfadds");
  EXPECT_EQ(vector_name(Operation::add, {.d = i32, .a = unspecified, .b = u32}), "none");
}

TEST(Operations, RegistersHoldIntegersOf32Bits) {
  EXPECT_EQ(name_of(isa::scalar_op(Operation::add, u16)), "add");
  EXPECT_EQ(name_of(isa::scalar_op(Operation::mul, i32)), "mul");
  EXPECT_EQ(name_of(isa::scalar_op(Operation::sub, f32)), "fsubs");
  EXPECT_EQ(name_of(isa::scalar_op(Operation::mul, f16)), "fmulh");
}

constexpr std::string_view kFunctions[] = {
#define WEFT_FUNCTION(operation, function, ...) #function,
#include "isa/operations.def"
};
constexpr std::string_view kFunctionOf[] = {
#define WEFT_INSTRUCTION(name, format, function, ...) #function,
#include "isa/instructions.def"
};

constexpr Operation kOperations[] = {
#define WEFT_OPERATION(name) Operation::name,
#include "isa/operations.def"
};

std::set<Op> written_by_methods() {
  constexpr ElementType kTypes[] = {f32, f16, i32, u32, i16, u16};
  std::vector<std::optional<ElementType>> sources{std::nullopt};
  for (const ElementType type : kTypes) sources.emplace_back(type);
  std::set<Op> all;
  for (const Operation operation : kOperations)
    for (const ElementType d : kTypes)
      for (const auto& a : sources)
        for (const auto& last : sources)
          for (const bool scalar : {false, true}) {
            const OperandTypes types{d, a, scalar ? std::nullopt : last,
                                     scalar ? last : std::nullopt};
            if (const auto op = isa::vector_op(operation, types)) all.insert(*op);
          }
  return all;
}

// An instruction that is new in the table, with a function that is in this one, has its method.
TEST(Operations, EveryInstructionOfAFunctionIsReached) {
  const std::set<Op> reached = written_by_methods();
  std::size_t expected = 0;
  for (int n = 0; n < isa::kInstructions; ++n) {
    const auto op = static_cast<Op>(n);
    if (!isa::is_vector(isa::format_of(op))) continue;
    const bool listed = std::ranges::find(kFunctions, kFunctionOf[n]) != std::end(kFunctions);
    EXPECT_EQ(reached.contains(op), listed) << mnemonic(op);
    expected += listed ? 1 : 0;
  }
  EXPECT_EQ(reached.size(), expected);
}

}  // namespace
}  // namespace weft::test::operations_test
