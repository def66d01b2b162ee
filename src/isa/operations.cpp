#include "isa/operations.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "isa/table.hpp"
#include "weft/instruction.hpp"

namespace weft::isa {
namespace {

/// Sets of types that a function takes alike.
enum class Elements : std::uint8_t {
  none,
  f32,
  f16,
  int32,
  i32,
  u32,
  int16,
  i16,
  u16,
  any32,
  any16
};

constexpr bool has(Elements elements, ElementType type) {
  using Type = ElementType;
  const bool int32 = type == Type::i32 || type == Type::u32;
  const bool int16 = type == Type::i16 || type == Type::u16;
  switch (elements) {
    case Elements::none:
      return false;
    case Elements::f32:
      return type == Type::f32;
    case Elements::f16:
      return type == Type::f16;
    case Elements::int32:
      return int32;
    case Elements::i32:
      return type == Type::i32;
    case Elements::u32:
      return type == Type::u32;
    case Elements::int16:
      return int16;
    case Elements::i16:
      return type == Type::i16;
    case Elements::u16:
      return type == Type::u16;
    case Elements::any32:
      return int32 || type == Type::f32;
    case Elements::any16:
      return int16 || type == Type::f16;
  }
  return false;
}

/// One row of operations.def.
struct FunctionRow {
  Operation operation;
  std::string_view function;
  std::array<Elements, 3> elements;  ///< of d, a, b
};

constexpr FunctionRow kFunctions[] = {
#define WEFT_FUNCTION(operation, function, d, a, b) \
  {Operation::operation, #function, {Elements::d, Elements::a, Elements::b}},
#include "isa/operations.def"
};

/// The column `function` of instructions.def.
constexpr std::string_view kFunctionOf[] = {
#define WEFT_INSTRUCTION(name, format, function, ...) #function,
#include "isa/instructions.def"
};

static_assert(std::ranges::all_of(kFunctions,
                                  [](const FunctionRow& row) {
                                    return std::ranges::find(kFunctionOf, row.function) !=
                                           std::end(kFunctionOf);
                                  }),
              "a function of operations.def is no instruction's");

/// The types of d, a and b fit; where the function takes several types alike, they are the same.
constexpr bool fits(const FunctionRow& row,
                    const std::array<std::optional<ElementType>, 3>& types) {
  for (std::size_t k = 0; k < types.size(); ++k) {
    if (types[k].has_value() != (row.elements[k] != Elements::none)) return false;
    if (!types[k] || *types[k] == ElementType::unspecified) continue;
    if (!has(row.elements[k], *types[k])) return false;
    for (std::size_t other = 0; other < k; ++other)
      if (row.elements[other] == row.elements[k] && types[other] != ElementType::unspecified &&
          types[other] != types[k])
        return false;
  }
  return true;
}

/// The first instruction of which format_fits(format) that does the operation.
template <class F>
std::optional<Op> find(Operation operation, const std::array<std::optional<ElementType>, 3>& types,
                       F format_fits) {
  for (int n = 0; n < kInstructions; ++n) {
    if (!format_fits(kFormats[n])) continue;
    for (const FunctionRow& row : kFunctions)
      if (row.operation == operation && row.function == kFunctionOf[n] && fits(row, types))
        return static_cast<Op>(n);
  }
  return {};
}

}  // namespace

std::string_view to_string(Operation operation) noexcept {
  constexpr std::string_view kNames[] = {
#define WEFT_OPERATION(name) #name,
#include "isa/operations.def"
  };
  return kNames[static_cast<int>(operation)];
}

namespace {

std::optional<Operation> operation_of(Op op) {
  const auto row =
      std::ranges::find(kFunctions, kFunctionOf[static_cast<int>(op)], &FunctionRow::function);
  return row == std::end(kFunctions) ? std::nullopt : std::optional(row->operation);
}

}  // namespace

std::string_view method_name(Operation operation) noexcept {
  return to_string(operation == Operation::sub_from ? Operation::sub : operation);
}

std::string_view method_name(Op op) noexcept {
  const std::optional<Operation> operation = operation_of(op);
  return operation ? method_name(*operation) : mnemonic(op);
}

bool is_reversed(Op op) noexcept { return operation_of(op) == Operation::sub_from; }

std::optional<Op> vector_op(Operation operation, const OperandTypes& types) noexcept {
  const auto has_operands = [&](Format format) {
    const FormatInfo& row = info(format);
    return is_vector(format) && (row.a == OperandKind::dsr) == types.a.has_value() &&
           (row.b == OperandKind::dsr) == types.b.has_value() &&
           (row.b == OperandKind::scalar) == types.scalar.has_value();
  };
  return find(operation, {types.d, types.a, types.scalar ? types.scalar : types.b}, has_operands);
}

std::optional<Op> scalar_op(Operation operation, ElementType type) noexcept {
  if (type != ElementType::f32 && type != ElementType::f16) type = ElementType::i32;
  return find(operation, {type, type, type},
              [](Format format) { return format == Format::reg_reg_reg; });
}

}  // namespace weft::isa
