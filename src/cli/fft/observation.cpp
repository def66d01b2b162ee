#include "cli/fft/fft.hpp"

namespace weft::cli {

Observation observation_of(const FftArguments& arguments) {
  if (!arguments.profile && !arguments.path) return {};
  return {.counts = true,
          .windows = arguments.profile ? arguments.windows.value_or(128) : 0,
          .path = arguments.path};
}

}  // namespace weft::cli
