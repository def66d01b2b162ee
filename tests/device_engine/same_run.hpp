#pragma once

#include <gtest/gtest.h>

#include "weft/fft.hpp"

namespace weft::test {

/// Both engines took the same cycles to the same bits, with the same traffic.
inline void expect_same(const FftRun& host, const FftRun& cuda) {
  EXPECT_EQ(host.report.engine, Engine::host);
  EXPECT_EQ(cuda.report.engine, Engine::cuda);
  EXPECT_EQ(host.output.data, cuda.output.data);
  EXPECT_EQ(host.report.cycles, cuda.report.cycles);
  EXPECT_EQ(host.report.counters.wavelets, cuda.report.counters.wavelets);
  EXPECT_EQ(host.report.counters.hops, cuda.report.counters.hops);
}

}  // namespace weft::test
