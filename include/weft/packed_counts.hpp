#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace weft::inline v0 {

/// Numbers that are mostly alike beside each other, as those of neighbouring PEs are, in as few
/// bytes as they differ by: blocks of 256, each as its least number and, in 0, 1, 2 or 4 bytes
/// each, what the others have beyond it.
class PackedCounts {
 public:
  static constexpr std::size_t kBlock = 256;

  PackedCounts() = default;
  PackedCounts(std::initializer_list<std::uint32_t> counts) { append(counts); }
  explicit PackedCounts(std::span<const std::uint32_t> counts) { append(counts); }

  std::size_t size() const noexcept { return blocks_.size() * kBlock + rest_.size(); }
  bool empty() const noexcept { return size() == 0; }
  /// One of them, which there is.
  std::uint32_t operator[](std::size_t number) const;
  /// Those from one on, as many as `to` holds and all there.
  void read(std::size_t first, std::span<std::uint32_t> to) const;
  std::vector<std::uint32_t> numbers() const;
  /// 0 where there are none.
  std::uint32_t greatest() const noexcept { return greatest_; }
  /// The bytes that they take.
  std::size_t bytes() const noexcept;

  void append(std::span<const std::uint32_t> counts);

  bool operator==(const PackedCounts&) const = default;

 private:
  struct Block {
    std::uint32_t least;
    std::uint32_t first;  ///< byte, in units of kBlock
    std::uint8_t width;   ///< bytes
    bool operator==(const Block&) const = default;
  };
  void pack(std::span<const std::uint32_t> block);
  template <class Fits>
  void pack_as(std::span<const std::uint32_t> block);
  void read(const Block& block, std::size_t first, std::span<std::uint32_t> to) const;

  std::vector<Block> blocks_{};
  std::vector<std::uint8_t> bytes_{};  ///< of all blocks
  std::vector<std::uint32_t> rest_{};  ///< of a block that is not full
  std::uint32_t greatest_ = 0;
};

}  // namespace weft::inline v0
