#pragma once

#include "cuda/pe/pe_engine.hpp"
#include "pe_step/pe_fabric.hpp"

namespace weft::test {

/// How the kernel runs a fabric.
struct KernelOptions {
  pe_kernel::EngineOptions engine{};
  int block = 0;      ///< as RunOptions::block
  int interrupt = 0;  ///< percent of launches after which the run is interrupted, and goes on
};

/// A fabric that the PE kernel steps, on the host's CUDA.
std::unique_ptr<PeFabric> make_kernel_fabric(const Case& c, const PeOptions& options,
                                             const KernelOptions& kernel);

}  // namespace weft::test
