#pragma once

#include <optional>
#include <string>

#include "isa/operations.hpp"
#include "weft/error.hpp"
#include "weft/pe_vector.hpp"

/// The instructions of a program's vector operations.
namespace weft::inline v0 {

inline bool is_float(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f16;
}

/// An operation and its operands. `scalar`: a register is the last one.
struct VectorOperands {
  isa::Operation operation;
  const PeVector *d, *a, *b;
  const PeScalar* scalar;
  std::string register_name;  ///< of the scalar
};

/// The instruction that takes operands of these types, if there is one.
std::optional<Op> instruction_of(const VectorOperands& operands);
/// Why there is none, and a way that there is.
ErrorText why_none(const VectorOperands& operands);

}  // namespace weft::inline v0
