#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "weft/element.hpp"
#include "weft/op.hpp"

/// From an operation and the types of its operands to the instruction: operations.def as code.
namespace weft::isa {

enum class Operation : std::uint8_t {
#define WEFT_OPERATION(name) name,
#include "isa/operations.def"
};

std::string_view to_string(Operation operation) noexcept;

/// The method of PeProgram that a vector instruction is of, or the instruction's own name if it is
/// none's.
std::string_view method_name(Operation operation) noexcept;
std::string_view method_name(Op op) noexcept;
/// d = b - a: its second source is the method's first one.
bool is_reversed(Op op) noexcept;

/// The elements of the destination and of the sources that there are. `unspecified`: of a stream,
/// which takes any type.
struct OperandTypes {
  ElementType d;
  std::optional<ElementType> a{}, b{};
  std::optional<ElementType> scalar{};  ///< the last source is a register
};

/// The vector instruction; none takes such types together. Of several, the first of
/// instructions.def.
std::optional<Op> vector_op(Operation operation, const OperandTypes& types) noexcept;

/// The instruction on three registers of a type. All but floats are integers of 32 bits there.
std::optional<Op> scalar_op(Operation operation, ElementType type) noexcept;

}  // namespace weft::isa
