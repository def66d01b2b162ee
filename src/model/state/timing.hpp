#pragma once

#include <cstdint>

#include "isa/table.hpp"
#include "weft/types.hpp"

/// Sizes that the machine fixes, and its constants in the form the step wants them.
namespace weft::model {

inline constexpr int kMaxRouterDepth = 4;
inline constexpr int kMaxRampDepth = 6;
inline constexpr int kMaxPositions = 4;
inline constexpr int kMicrothreads = 8;
inline constexpr int kDelaySlots = 8;  ///< one more than the longest ramp
inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// Machine constants in the form the step wants them.
struct Timing {
  std::uint32_t link_busy, die_width, die_height;
  std::uint32_t host_link;  ///< cycles of a wavelet on a link to the host
  std::uint64_t crowd;      ///< wavelets in a period of links
  std::uint32_t hop, ramp, scalar, scalar_f32, branch_taken, vector_start, task_start,
      microthread_start, router_write;
  std::uint32_t rate[isa::kCosts];  ///< of vector classes, elements a cycle
  std::uint32_t two_source_divisor, stride_4_rate;
  std::uint32_t router_depth, memory_bytes;
  std::uint32_t input_depth[kInputQueues], output_depth[kOutputQueues];

  /// Cycles in which each link that rests does so once, in the first one; 0: links never rest.
  WEFT_HD std::uint64_t link_period() const { return link_busy == 0 ? 0 : link_busy + 1U; }
  /// Not only links between dies rest, if any do.
  WEFT_HD bool without_dies() const { return die_width == 0 && die_height == 0; }
};

WEFT_HD void earlier(std::uint64_t& wake, std::uint64_t cycle) {
  if (cycle < wake) wake = cycle;
}

}  // namespace weft::model
