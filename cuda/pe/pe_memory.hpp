#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/zeroed_array.hpp"
#include "cuda/pe/tiles.hpp"
#include "pe/build/places.hpp"
#include "weft/layout.hpp"

/// The memory of a fabric's PEs on the host, in the device's order. Pages take memory once they are
/// written, or read from the device.
namespace weft::pe_kernel {

/// Words of memory of each PE of some patches that follow each other.
struct MemoryPart {
  std::size_t patch, patches;  ///< the first, and how many
  std::size_t first, end;      ///< words
};

class PeMemory {
 public:
  /// Zeros, which both the host and the device have. `words`: of a PE.
  PeMemory(const pe::Places& places, std::size_t words);

  std::uint32_t* data() const { return memory_.data(); }

  /// Words from `first` to `end` of the PEs of a rectangle, in the order of Fabric::write.
  void write(const Rect& where, std::size_t first, std::size_t end,
             std::span<const std::uint32_t> words);
  void read(const Rect& where, std::size_t first, std::size_t end,
            std::span<std::uint32_t> words) const;

  /// The parts that only the device has, among those that hold the words from `first` to `end` of a
  /// rectangle. From now on the host has them.
  std::vector<MemoryPart> take_missing(const Rect& where, std::size_t first, std::size_t end);
  /// These words, which the host has, are being written.
  void mark_written(const Rect& where, std::size_t first, std::size_t end);
  /// Parts that the device does not have.
  std::vector<MemoryPart> written() const;
  /// The device has changed the memory of all PEs.
  void forget();

 private:
  /// From the first one to the one before `end`.
  struct Words {
    std::size_t first, end;
  };
  /// Of a patch, in order; far from each other.
  using Ranges = std::vector<Words>;

  template <class F>
  static void add(Ranges& ranges, Words more, F missing);
  std::size_t patch_of(const Rect& part) const;

  const pe::Places& places_;
  std::size_t words_;
  base::ZeroedArray<std::uint32_t> memory_;
  std::vector<Ranges> known_, written_;  ///< by patch
};

}  // namespace weft::pe_kernel
