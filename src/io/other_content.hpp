#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft::io {

/// As many bytes of a file as refuse_other_content needs to see.
constexpr std::size_t kRecognizedBytes = 348;

/// Throws Error(input) for a file that is plainly not what its name says: empty, a pointer of
/// git-lfs, a web page, an archive. `start`: its first kRecognizedBytes, or all of it.
void refuse_other_content(std::string_view start, const std::string& source);

}  // namespace weft::io
