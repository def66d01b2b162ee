#pragma once

#include <string>
#include <string_view>

namespace weft::io {

/// Writes `bytes` to `path` so that the file appears whole or not at all: beside it, flushed, then
/// renamed; an old file stays if anything fails. Throws Error(environment).
void write_file(const std::string& path, std::string_view bytes);

/// Throws Error(environment) now if `path` could not be written later (folder missing or not
/// writable, path is a folder), so that long work is not lost at its end.
void check_writable(const std::string& path);

}  // namespace weft::io
