#pragma once

#include "cuda_on_host/cuda.hpp"
#include "pe_kernel/kernel_fabric.hpp"
#include "pe_step/run_pes.hpp"

namespace weft::test {

/// How the kernel runs a case.
struct Manner {
  PeOptions pes{};
  KernelOptions kernel{};
  cuda_on_host::Order order = cuda_on_host::Order::random;
  int multiprocessors = 132;
};

/// Steps a case by the kernel, on a fresh device, and by the specification, comparing on the way.
inline PeOutcome run_kernel(const Case& c, const Manner& m) {
  cuda_on_host::reset();
  cuda_on_host::control().order = m.order;
  cuda_on_host::control().seed = m.pes.seed;
  cuda_on_host::control().multiprocessors = m.multiprocessors;
  return run_pes(c, m.pes, *make_kernel_fabric(c, m.pes, m.kernel));
}

}  // namespace weft::test
