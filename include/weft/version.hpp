#pragma once

namespace weft {

/// The library's version, "major.minor.patch". Set once, in CMakeLists.txt.
const char* version() noexcept;

}  // namespace weft
