#pragma once

#include "differential/case.hpp"

namespace weft::test {

/// A random case in which routers are busy: up to 24 colors, on lines that begin and end anywhere;
/// cores that send and receive all the time, and change switches, filters and routes.
Case traffic_case(std::uint64_t seed);

}  // namespace weft::test
