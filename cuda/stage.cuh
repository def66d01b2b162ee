#pragma once

#include "cuda/facilities.cuh"
#include "cuda/staging.hpp"

namespace weft::cuda {

/// Copies words between device and shared memory, by the whole block.
WEFT_DEVICE void copy_words(void* to, const void* from, std::size_t bytes) {
  auto* const d = static_cast<std::uint32_t*>(to);
  const auto* const a = static_cast<const std::uint32_t*>(from);
  for (std::size_t i = threadIdx.x; i < bytes / 4; i += blockDim.x) d[i] = a[i];
}

/// A block's shared memory, and which rows it is for.
struct Stage {
  int strips, first_row, last_row;
  const RowStart* starts;
  std::uint32_t near_words;  ///< of a PE's memory, if it is staged
  std::uint32_t groups;      ///< a bit each: staged
  std::byte* shared;

  /// f(array, group) for each array of the view that is staged, and where it is.
  template <class F>
  WEFT_DEVICE void for_each(model::View& v, F f) const {
    std::byte* place = shared;
    const auto give = [&](auto*& array, Group group) {
      if (!has(group)) return;
      f(array, group, place);
      place += bytes(group);
    };
    give(v.strip, Group::strips);
    give(v.colors, Group::colors);
    give(v.port_queues, Group::queues);
    give(v.filters, Group::filters);
    give(v.core, Group::cores);
  }

  /// f(near, far, words) for the memory of each of the tile's strips, if that is staged.
  template <class F>
  WEFT_DEVICE void for_memory(const model::View& v, F f) const {
    if (!has(Group::memory)) return;
    const std::uint32_t words = near_words * model::kLanes;
    auto* near = reinterpret_cast<std::uint32_t*>(memory_place(v));
    for (int strip = first_row * strips; strip < last_row * strips; ++strip, near += words)
      f(near, v.memory + static_cast<std::uint64_t>(strip) * v.memory_words * model::kLanes, words);
  }

  /// Where it is: after all other groups.
  WEFT_DEVICE std::byte* memory_place(model::View v) const {
    std::byte* end = shared;
    for_each(v, [&](auto*, Group group, std::byte* place) { end = place + bytes(group); });
    return end;
  }

  WEFT_DEVICE bool has(Group group) const { return (groups >> static_cast<int>(group) & 1U) != 0; }
  WEFT_DEVICE std::size_t bytes(Group group) const {
    return staged_bytes(group, strips, starts, near_words, first_row, last_row);
  }

  WEFT_DEVICE model::IndexRange part(Group group) const {
    return part_of(group, strips, starts, first_row, last_row);
  }

  /// Copies in what is staged, by the whole block.
  WEFT_DEVICE void fetch(model::View v) const {
    for_each(v, [&](auto* array, Group group, std::byte* place) {
      const model::IndexRange own = part(group);
      copy_words(place, array + own.first, static_cast<std::size_t>(own.count) * sizeof *array);
    });
    for_memory(v, [](std::uint32_t* near, const std::uint32_t* far, std::uint32_t words) {
      copy_words(near, far, words * sizeof *near);
    });
  }

  /// Copies it back.
  WEFT_DEVICE void put_back(model::View v) const {
    for_each(v, [&](auto* array, Group group, std::byte* place) {
      const model::IndexRange own = part(group);
      copy_words(array + own.first, place, static_cast<std::size_t>(own.count) * sizeof *array);
    });
    for_memory(v, [](const std::uint32_t* near, std::uint32_t* far, std::uint32_t words) {
      copy_words(far, near, words * sizeof *near);
    });
  }

  /// The view with what is staged: each array begins where its element 0 would be, so that indices
  /// stay as they are.
  WEFT_DEVICE model::View near(model::View v) const {
    v.far_strip = v.strip;
    v.far_colors = v.colors;
    v.near_strips = part(Group::strips);
    v.near_colors = part(Group::colors);
    if (has(Group::memory)) {
      const std::size_t before = static_cast<std::size_t>(first_row) *
                                 static_cast<std::size_t>(strips) * near_words *
                                 sizeof(model::Vector);
      v.memory = reinterpret_cast<std::uint32_t*>(
          reinterpret_cast<std::uintptr_t>(memory_place(v)) - before);
      v.near_words = near_words;
    }
    for_each(v, [&](auto*& array, Group group, std::byte* place) {
      using T = std::remove_reference_t<decltype(*array)>;
      const auto before = static_cast<std::uintptr_t>(part(group).first) * sizeof(T);
      array = reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(place) - before);
    });
    return v;
  }
};

}  // namespace weft::cuda
