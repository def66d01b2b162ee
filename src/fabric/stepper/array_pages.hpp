#pragma once

#include "fabric/build/state.hpp"

/// The host's pages under the arrays of programs.
namespace weft::fabric {

/// Asks for large pages under the memory of all PEs where arrays take at least a quarter of it, and
/// all of it takes at most half of the host's free memory. To be called before memory is touched.
void ask_for_pages_of_arrays(const State& state);

/// Takes the pages, so that no cycle of a run waits for them: `threads` do it, each for the rows
/// that it will step. Does nothing if they take more than half of the free memory.
void populate_arrays(const State& state, int threads);

}  // namespace weft::fabric
