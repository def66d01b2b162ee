#pragma once

#include <gtest/gtest.h>

#include "evaluation/transposes/transposes.hpp"

namespace weft::test {

/// Two engines took the same cycles, with the same traffic.
inline void expect_same(const transposes::TransposeCost& one,
                        const transposes::TransposeCost& other) {
  EXPECT_EQ(one.cycles, other.cycles);
  EXPECT_EQ(one.router_write_cycles, other.router_write_cycles);
  EXPECT_EQ(one.counters.cycle, other.counters.cycle);
  EXPECT_EQ(one.counters.hops, other.counters.hops);
  EXPECT_EQ(one.counters.wavelets, other.counters.wavelets);
  EXPECT_EQ(one.counters.delivered, other.counters.delivered);
  EXPECT_EQ(one.counters.filtered, other.counters.filtered);
}

}  // namespace weft::test
