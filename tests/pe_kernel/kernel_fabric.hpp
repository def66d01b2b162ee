#pragma once

#include "cuda/pe/pe_engine.hpp"
#include "pe_step/pe_fabric.hpp"

namespace weft::test {

/// A fabric that the PE kernel steps, on the host's CUDA.
std::unique_ptr<PeFabric> make_kernel_fabric(const Case& c, const PeOptions& options,
                                             const pe_kernel::EngineOptions& engine);

}  // namespace weft::test
