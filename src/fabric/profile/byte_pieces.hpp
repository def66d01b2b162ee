#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::fabric {

/// Writes the bytes of a file, little-endian, in pieces: only one is in memory at a time.
class BytePieces {
 public:
  using Take = std::function<void(std::string_view)>;

  /// `take` gets one piece after the other, the last one by hand_on().
  explicit BytePieces(Take take) : take_(std::move(take)), piece_(kPiece) {}

  void text(std::string_view bytes) {
    hand_on();
    take_(bytes);
  }

  /// The kBytes least bytes of a number.
  template <std::size_t kBytes>
  void number(std::uint64_t value) {
    if (piece_.size() - used_ < kBytes) hand_on();
    put<kBytes>(piece_.data() + used_, value);
    used_ += kBytes;
  }

  /// Numbers of kBytes bytes each: none is larger.
  template <std::size_t kBytes>
  void numbers(std::span<const std::uint32_t> all) {
    while (!all.empty()) {
      if (piece_.size() - used_ < kBytes) hand_on();
      const std::size_t n = std::min((piece_.size() - used_) / kBytes, all.size());
      char* const at = piece_.data() + used_;
      for (std::size_t i = 0; i < n; ++i) put<kBytes>(at + kBytes * i, all[i]);
      used_ += kBytes * n;
      all = all.subspan(n);
    }
  }

  void hand_on() {
    if (used_ > 0) take_({piece_.data(), used_});
    used_ = 0;
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;  // chosen: it stays in a core's cache

  template <std::size_t kBytes>
  static void put(char* at, std::uint64_t value) {
    for (std::size_t n = 0; n < kBytes; ++n) at[n] = static_cast<char>(value >> (8 * n) & 0xffU);
  }

  Take take_;
  std::vector<char> piece_;
  std::size_t used_ = 0;
};

}  // namespace weft::fabric
