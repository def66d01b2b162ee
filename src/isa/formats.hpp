#pragma once

#include <cstdint>
#include <string_view>

#include "isa/host_device.hpp"
#include "weft/types.hpp"

/// Operands of instructions: formats.def and operands.def as code. The generated public
/// headers follow from these too, so nothing here needs them.
namespace weft::isa {

/// The operands of an instruction, and its executor (src/model/core/execute.hpp).
enum class Format : std::uint8_t {
#define WEFT_FORMAT(name, ...) name,
#include "isa/formats.def"
};

/// A heading of the documentation.
enum class Group : std::uint8_t {
  scalar,
  memory,
  flow,
  place,
  descriptors,
  vectors,
  tasks,
  router,
};

/// The widest that an instruction touches: the PE's registers and descriptors, its memory too, or
/// something that others notice.
enum class Scope : std::uint8_t { registers, memory, others };

/// The kind of an operand.
enum class OperandKind : std::uint8_t {
#define WEFT_OPERAND(kind, ...) kind,
#include "isa/operands.def"
};

/// Over the elements that descriptors name.
constexpr WEFT_HD bool is_vector(Format format) {
  switch (format) {
#define WEFT_FORMAT(...)
#define WEFT_VECTOR_FORMAT(name, ...) case Format::name:
#include "isa/formats.def"
    return true;
    default:
      return false;
  }
}

WEFT_HD Scope scope_of(Format format) {
  switch (format) {
#define WEFT_FORMAT(name, group, scope, ...) \
  case Format::name:                         \
    return Scope::scope;
#include "isa/formats.def"
  }
  return Scope::others;
}

/// One row of operands.def.
struct OperandInfo {
  int most;
  std::string_view type, name, initial, field, text;
};

/// One row of formats.def.
struct FormatInfo {
  Group group;
  Scope scope;
  OperandKind d, a, b, imm;
  std::string_view syntax;
};

inline constexpr OperandInfo kOperandInfo[] = {
#define WEFT_OPERAND(kind, most, type, name, initial, field, text) \
  {most, type, name, initial, field, text},
#include "isa/operands.def"
};

inline constexpr FormatInfo kFormatInfo[] = {
#define WEFT_FORMAT(name, group, scope, d, a, b, imm, syntax)        \
  {Group::group,   Scope::scope,     OperandKind::d, OperandKind::a, \
   OperandKind::b, OperandKind::imm, syntax},
#include "isa/formats.def"
};

constexpr const OperandInfo& info(OperandKind kind) { return kOperandInfo[static_cast<int>(kind)]; }
constexpr const FormatInfo& info(Format format) { return kFormatInfo[static_cast<int>(format)]; }

/// A register that the instruction reads.
constexpr bool is_read(OperandKind kind) {
  return kind == OperandKind::reg || kind == OperandKind::scalar;
}

}  // namespace weft::isa
