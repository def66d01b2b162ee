#include "weft/version.hpp"

namespace weft::inline v0 {

const char* version() noexcept { return WEFT_VERSION; }

}  // namespace weft::inline v0
