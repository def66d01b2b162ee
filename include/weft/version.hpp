#pragma once

namespace weft::inline v0 {

/// The library's version, "major.minor.patch". Set once, in CMakeLists.txt.
const char* version() noexcept;

}  // namespace weft::inline v0
