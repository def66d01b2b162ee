#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "differential/case.hpp"

namespace weft::test {

/// Steps the case for so many cycles, each with all rows. after(state, cycle) is called after each
/// but that of a fault, until it returns false.
void after_each_cycle(const Case& c, std::uint64_t cycles,
                      const std::function<bool(fabric::State&, std::uint64_t)>& after);

/// Checks the lane state after each of so many cycles. Returns the first invariant that is broken;
/// empty: none is.
std::string broken_invariant_of(const Case& c, std::uint64_t cycles);

/// Runs the reference to its end, and the lanes as long, but so that nothing sleeps: each strip is
/// visited in each phase of each cycle. Whatever a wake has to bring about comes about without it.
std::optional<Difference> run_always_awake(const Case& c);

}  // namespace weft::test
