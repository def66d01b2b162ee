#include "cli/launch/launch.hpp"

namespace weft::cli {

MakeSharedTransform fftw_of_processes() { return {}; }

}  // namespace weft::cli
