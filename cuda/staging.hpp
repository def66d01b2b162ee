#pragma once

#include <cstddef>
#include <cstdint>

#include "model/state.hpp"

/// The arrays of a View that a block keeps in shared memory while it runs.
namespace weft::cuda {

/// Arrays that may be staged, those first that gain most by it.
enum class Group : std::uint8_t { strips, colors, queues, filters, cores, memory, count };
inline constexpr int kGroups = static_cast<int>(Group::count);

/// Where a row's part of the arrays begins that are numbered strip by strip.
struct RowStart {
  std::int32_t color = 0, queue = 0, filter = 0;
};

/// A tile's part of an array. `starts`: by row, and one more.
WEFT_HD model::IndexRange part_of(Group group, int strips, const RowStart* starts, int first_row,
                                  int last_row) {
  switch (group) {
    case Group::colors:
      return {starts[first_row].color, starts[last_row].color - starts[first_row].color};
    case Group::queues:
      return {starts[first_row].queue, starts[last_row].queue - starts[first_row].queue};
    case Group::filters:
      return {starts[first_row].filter, starts[last_row].filter - starts[first_row].filter};
    default:
      return {first_row * strips, (last_row - first_row) * strips};
  }
}

/// `near_words`: of a PE's memory, if it is staged.
WEFT_HD std::size_t element_bytes(Group group, std::uint32_t near_words) {
  switch (group) {
    case Group::strips:
      return sizeof(model::StripState);
    case Group::colors:
      return sizeof(model::ColorState);
    case Group::queues:
      return sizeof(model::PortQueue);
    case Group::filters:
      return sizeof(model::FilterState);
    case Group::memory:
      return static_cast<std::size_t>(near_words) * sizeof(model::Vector);
    default:
      return sizeof(model::CoreState);
  }
}

/// Bytes of a tile's part in shared memory.
WEFT_HD std::size_t staged_bytes(Group group, int strips, const RowStart* starts,
                                 std::uint32_t near_words, int first_row, int last_row) {
  constexpr std::size_t kAlign = 128;
  const model::IndexRange part = part_of(group, strips, starts, first_row, last_row);
  const std::size_t bytes = static_cast<std::size_t>(part.count) * element_bytes(group, near_words);
  return (bytes + kAlign - 1) / kAlign * kAlign;
}

}  // namespace weft::cuda
