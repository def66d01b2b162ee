#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// How often warps execute the basic blocks of a kernel. Between two meetings of a warp, a block is
/// executed as often as the lane that does most: lanes that part meet again as soon as they can.
namespace weft::gpu_count {

/// Of the kernel that is linked.
extern const std::size_t kBlocks;

/// By the lane that runs: before a basic block.
void count_block(std::size_t block);
/// By the lane that runs: its warp has met.
void next_stretch();

/// Executions by block since the last call, of all warps. No kernel may run.
std::vector<std::uint64_t> take_counts();

}  // namespace weft::gpu_count
