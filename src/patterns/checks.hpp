#pragma once

#include <cstdint>
#include <string>

#include "weft/patterns.hpp"

/// The requirements of patterns on their users, in one place. Errors are Error(program), and name
/// the pattern; those of cycles' arguments are Error(usage).
namespace weft::patterns {

/// Of constructors, before they take colors: the design has these PEs; a shift goes to a neighbour.
PatternPlace place_in(const Design& design, const Rect& where, const std::string& name);
Port checked_side(Port to, const std::string& name);

/// Of uses in a program: only PEs of the rectangle, in this design, have the pattern's routes.
void check_place(PeProgram& pe, const PatternPlace& place, const char* pattern);

/// The elements of `out` become those of `in`, in the same PE or another one, both used at the same
/// time: one type, as many elements, no shared memory, and none of `in` twice.
void check_transfer(const PeProgram& pe, const char* pattern, const PeVector& out,
                    const PeVector& in);
/// The same without the number of elements.
void check_together(const PeProgram& pe, const char* pattern, const PeVector& out,
                    const PeVector& in);
/// One type alone; memory may be shared.
void check_types(const char* pattern, const PeVector& out, const PeVector& in);
/// A vector that the pattern writes to names no element twice.
void check_written(const char* pattern, const PeVector& v);
/// A copy in a PE: no shared memory, unless the two are the same elements.
void check_copy(const PeProgram& pe, const char* pattern, const PeVector& out, const PeVector& in);

/// Arguments of a pattern's cycles: elements, PEs of a line, links of a way.
void check_elements(std::uint64_t n);
void check_length(int length, int least = 1);
void check_links(int links);

}  // namespace weft::patterns
