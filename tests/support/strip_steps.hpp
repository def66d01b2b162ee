#pragma once

#include <cstdint>

#include "engine/clock.hpp"
#include "model/state.hpp"

/// The steps of a cycle for one strip, alone: nobody keeps wakes by row, and there are no
/// shortcuts. They are compiled once for all tests: a step takes minutes under sanitizers.
namespace weft::test {

/// The strips that are stepped: those whose wakes say so, or all.
enum class When : std::uint8_t { due, always };

/// Step 1. Each of them notes in bit 0 of `activity` what it did.
void route_strip(const model::View& v, int strip, When when, std::uint64_t now,
                 engine::Activity& activity);
void deliver_strip(const model::View& v, int strip, When when, std::uint64_t now,
                   engine::Activity& activity);
void core_strip(const model::View& v, int strip, When when, std::uint64_t now,
                engine::Activity& activity);

}  // namespace weft::test
