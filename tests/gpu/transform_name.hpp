#pragma once

#include <fmt/format.h>

#include <string>

#include "weft/fft.hpp"

namespace weft::test {

/// "n16_fp32_forward": what of tests' names the folder gpu-check goes by.
inline std::string transform_name(int n, Precision precision, Direction direction) {
  return fmt::format("n{}_{}_{}", n, name(precision),
                     direction == Direction::forward ? "forward" : "inverse");
}

}  // namespace weft::test
