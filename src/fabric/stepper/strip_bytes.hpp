#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fabric/build/state.hpp"

/// The state of rows of strips as bytes, for another State of the same layout: all but the PEs'
/// memory, and numbers that tell where a part of a State lies.
namespace weft::fabric {

std::vector<std::byte> bytes_of_strips(const State& s, engine::Rows rows);
void set_strips(State& s, engine::Rows rows, std::span<const std::byte> bytes);

}  // namespace weft::fabric
