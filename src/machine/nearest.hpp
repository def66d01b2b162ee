#pragma once

#include <span>
#include <string_view>

namespace weft {

/// The fewest insertions, deletions and replacements of a character that make `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate with the smallest edit distance to `word`; the first of them if several are.
/// `candidates` must not be empty.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace weft
