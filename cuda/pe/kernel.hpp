#pragma once

#include <limits>

#include "cuda/pe/fabric.hpp"

/// The kernel that steps a fabric, a PE for each thread.
namespace weft::pe_kernel {

inline constexpr int kMostThreads = 1024;  ///< of a block
inline constexpr int kMostBlocks = std::numeric_limits<int>::max();

/// Steps `blocks` blocks of cycles, or fewer if the run is over before. A block of the grid for
/// each tile, and of a mesh that is cut one more, the courier: kernels of hosted shapes have it.
/// There the launch ends when the host says so.
template <class S>
using StepKernel = void (*)(Fabric<S> fabric, LaunchState* launch, int blocks);
template <class S>
StepKernel<S> step_kernel();
/// Bytes of dynamic shared memory before the near parts.
template <class S>
std::size_t block_state_bytes();

}  // namespace weft::pe_kernel
