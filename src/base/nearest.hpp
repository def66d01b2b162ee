#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace weft::base {

/// The fewest insertions, deletions and replacements of a character that make `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that `word` was probably meant to be: the shortest one that begins with it, if it
/// has two characters or more; else the one with the smallest edit distance, if that is no more
/// than one, or a third of the word. Large and small letters are the same, and the first of equals
/// is taken.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);

}  // namespace weft::base
