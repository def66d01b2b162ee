#pragma once

#include <cstddef>

#include "model/state/view.hpp"

/// The memory of a strip's PEs.
namespace weft::model {

/// The memory of a strip's PEs: word by word, of all PEs side by side.
WEFT_INLINE std::uint32_t* memory_of(const View& v, Place at) {
  return v.memory + static_cast<std::uint64_t>(at.index) * v.memory_words * kLanes;
}

/// A word of memory of all PEs of a strip. `memory`: the strip's.
WEFT_INLINE std::uint32_t* memory_row(std::uint32_t* memory, std::uint32_t word) {
  return memory + static_cast<std::size_t>(word) * kLanes;
}

/// The PE's memory word at a byte address that was checked.
WEFT_INLINE std::uint32_t& memory_word(const View& v, Place at, int lane, std::uint32_t address) {
  return memory_row(memory_of(v, at), address / 4)[lane];
}

/// The fault of an access of `bytes` bytes, or none.
WEFT_INLINE FaultKind access_fault(const View& v, std::uint32_t address, std::uint32_t bytes) {
  if ((address & (bytes - 1)) != 0) return FaultKind::memory_misaligned;
  return address >= v.timing.memory_bytes ? FaultKind::memory_out_of_range : FaultKind::none;
}

/// Where an element of two or four bytes stands in its word.
struct WordPart {
  std::uint32_t shift, mask;

  WEFT_INLINE static WordPart at(std::uint32_t address, std::uint32_t bytes) {
    return bytes == 4 ? WordPart{0, ~0U} : WordPart{(address & 2U) * 8, 0xffffU};
  }
  /// `W`: a word, or a vector of words.
  template <class W>
  WEFT_INLINE W get(W word) const {
    return word >> shift & mask;
  }
  template <class W>
  WEFT_INLINE W put(W word, W value) const {
    return (word & ~(mask << shift)) | (value & mask) << shift;
  }
};

}  // namespace weft::model
