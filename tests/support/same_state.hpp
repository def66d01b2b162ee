#pragma once

#include <string>

#include "fabric/build/state.hpp"

namespace weft::test {

/// The first array in which two states of the same layout differ, and where; empty if none does.
std::string difference(fabric::State& a, fabric::State& b);

}  // namespace weft::test
