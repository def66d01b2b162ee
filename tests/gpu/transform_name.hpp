#pragma once

#include <fmt/format.h>

#include <string>

#include "weft/fft.hpp"

namespace weft::test {

/// "n16_fp32_forward": what of tests' names the folder gpu-check goes by.
inline std::string transform_name(int n, FftPrecision precision, FftDirection direction) {
  return fmt::format("n{}_{}_{}", n, to_string(precision),
                     direction == FftDirection::forward ? "forward" : "inverse");
}

}  // namespace weft::test
