#pragma once

#include "weft/pe_vector.hpp"

/// Which memory of a PE views name.
namespace weft::inline v0 {

/// Whether two views name the same elements in the same order.
bool are_same_elements(const PeVector& a, const PeVector& b);

/// Whether two views may name the same byte of a PE's memory. Where a register moves one of them,
/// all views of its array may.
bool may_share_memory(const PeVector& a, const PeVector& b);

}  // namespace weft::inline v0
