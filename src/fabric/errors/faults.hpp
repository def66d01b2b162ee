#pragma once

#include <span>

#include "fabric/errors/names.hpp"
#include "weft/error.hpp"
#include "weft/fault.hpp"

/// Faults as exceptions: what happened, where, and what to do.
namespace weft::fabric {

/// One kind of fault, as messages and docs/model.md describe it.
struct FaultRow {
  FaultKind kind;
  const char* name;
  const char* whose;    ///< whose fault it is, or may be
  const char* problem;  ///< may use {color}, {cycle} and {detail}
  const char* remedy;
};

/// All kinds but FaultKind::none, in their order.
std::span<const FaultRow> fault_rows() noexcept;

/// Whole, but for the reason: of faults that a core or router finds, that is the place.
ErrorText fault_text(const Fault& fault, const Names& names = {});

/// A check of the program that failed is a fault of its own.
FaultError fault_error(const Fault& fault, const Names& names = {});

}  // namespace weft::fabric
