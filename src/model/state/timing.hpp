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
  std::uint32_t link_busy, link_rest, die_width, die_height;
  std::uint32_t far_link;   ///< cycles of a far link, beside those of a hop
  std::uint32_t late;       ///< most cycles that a wavelet waits beyond a link before it may leave
  std::uint32_t host_link;  ///< cycles of a wavelet on a link to the host
  std::uint64_t crowd;      ///< wavelets in a period of links
  std::uint32_t hop, ramp, scalar, scalar_f32, branch_taken, vector_start, task_start,
      microthread_start, router_write;
  std::uint32_t rate[isa::kCosts];  ///< of vector classes, elements a cycle
  std::uint32_t two_source_divisor, stride_4_rate;
  std::uint32_t router_depth, memory_bytes;
  std::uint32_t input_depth[kInputQueues], output_depth[kOutputQueues];

  /// Cycles after which links that rest do so again; 0: links never rest.
  WEFT_HD std::uint64_t link_period() const {
    return link_busy == 0 ? 0 : std::uint64_t{link_busy} + link_rest;
  }
  /// Whether links rest in this cycle, if they do in its period.
  WEFT_HD bool rest_in(std::uint64_t cycle) const { return cycle % link_period() < link_rest; }
  /// Far links are not only those between dies, but all.
  WEFT_HD bool without_dies() const { return die_width == 0 && die_height == 0; }
  /// Wavelets that a queue beyond a far link holds.
  WEFT_HD std::uint32_t far_depth() const { return router_depth + far_link; }
  /// Whether a die ends at this column or row, or before it: the next one is `next` further.
  WEFT_HD bool die_ends(int place, int next, bool along_row) const {
    const auto size = static_cast<int>(along_row ? die_width : die_height);
    return size != 0 && (place + next) % size == 0;
  }
  /// Whether a PE's link is far: it leads to another die. To the west and the north a die ends
  /// where the PE's column or row begins.
  WEFT_HD bool is_far(int x, int y, Port link) const {
    const bool along_row = link == Port::west || link == Port::east;
    const int next = link == Port::east || link == Port::south ? 1 : 0;
    return without_dies() || die_ends(along_row ? x : y, next, along_row);
  }
};

WEFT_HD void earlier(std::uint64_t& wake, std::uint64_t cycle) {
  if (cycle < wake) wake = cycle;
}

}  // namespace weft::model
