#pragma once

#include <string>

namespace weft::gpu_check {

/// The path of a program that is in PATH; empty if none is.
std::string in_path(const std::string& program);

/// The path of compute-sanitizer: in PATH, or where toolkits have it; or empty.
std::string compute_sanitizer();

/// Folders with a libcufft.so of any version, where toolkits and Python's packages have it, colons
/// between; what WEFT_CUFFT_FOLDERS names comes first.
std::string cufft_folders();

}  // namespace weft::gpu_check
