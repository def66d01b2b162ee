#pragma once

#include "differential/case.hpp"

namespace weft::test {

/// A random case with up to 24 colors in each router, in which streams meet at links and ramps.
Case many_colors_case(std::uint64_t seed);

}  // namespace weft::test
