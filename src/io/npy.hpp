#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/raw_array.hpp"

namespace weft::io {

/// As many bytes of the file as parse_npy_header needs to see.
constexpr std::size_t kNpyHeaderBytes = 12 + 65536;

bool begins_as_npy(std::string_view start);

/// Reads the header of an .npy file (format 1.0, 2.0 or 3.0) from the first kNpyHeaderBytes of the
/// file, or all of it if it is shorter. Throws Error(input) for one that is no array of
/// numbers, or an empty one.
ArrayHeader parse_npy_header(std::string_view start, const std::string& source);

}  // namespace weft::io
