#pragma once

#include <cstdint>
#include <string>

namespace weft::cli {

/// The bytes that an option's value means: "64M"; K, M, G and T are powers of 1024. Throws
/// Error(usage) for what is none, or fewer than `least`.
std::uint64_t parse_size(const char* option, const std::string& text, std::uint64_t least = 1);

}  // namespace weft::cli
