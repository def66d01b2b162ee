#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "weft/types.hpp"

namespace weft::inline v0 {

/// A count of a PE: a row of counts.def each.
enum class Count : std::uint8_t {
#define WEFT_COUNT(name, windowed, unit, meaning) name,
#include "weft/counts.def"
#undef WEFT_COUNT
};

/// One row of counts.def.
struct CountInfo {
  Count count;
  std::string_view name;
  bool windowed;
  std::string_view unit, meaning;
};

/// All counts, in the order of counts.def.
std::span<const CountInfo> count_infos() noexcept;

/// Their number: the rows of counts.def.
inline constexpr std::size_t kCounts = 26;
static_assert(kCounts == static_cast<std::size_t>(Count::link_north) + 1, "a row more or fewer");

/// The count of the wavelets that left by a link.
constexpr Count count_of(Port link) noexcept {
  return static_cast<Count>(static_cast<int>(Count::link_west) + static_cast<int>(link));
}

/// Core states, tasks and streams, links, held wavelets and both ways of the ramp are also counted
/// by phase.
constexpr bool is_by_phase(const CountInfo& count) noexcept {
  return count.windowed || count.count == Count::idle || count.count == Count::tasks ||
         count.count == Count::streams || count.count == Count::sent ||
         count.count == Count::delivered;
}

}  // namespace weft::inline v0
