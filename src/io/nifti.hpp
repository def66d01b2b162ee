#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/raw_array.hpp"

namespace weft::io {

/// The size of a NIfTI-1 header.
constexpr std::size_t kNiftiHeaderBytes = 348;

bool begins_as_nifti(std::string_view start);

/// Reads the header of a NIfTI-1 file that holds header and data (.nii). `start` is the beginning
/// of the file, kNiftiHeaderBytes or less if it is shorter. Axes come in file order, x first.
/// Throws Error(input) for one that is no 3-D array of numbers.
ArrayHeader parse_nifti_header(std::string_view start, const std::string& source);

}  // namespace weft::io
