#include "weft/packed_counts.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace weft::inline v0 {
namespace {

/// f(of the type of numbers of so many bytes).
template <class F>
void with_width(std::size_t width, F f) {
  if (width == 1) f(std::uint8_t{});
  if (width == 2) f(std::uint16_t{});
  if (width == 4) f(std::uint32_t{});
}

std::size_t width_for(std::uint32_t most) {
  if (most == 0) return 0;
  return most <= 0xff ? 1 : most <= 0xffff ? 2 : 4;
}

}  // namespace

void PackedCounts::append(std::span<const std::uint32_t> counts) {
  while (!counts.empty()) {
    const std::size_t n = std::min(kBlock - rest_.size(), counts.size());
    const std::span<const std::uint32_t> some = counts.first(n);
    counts = counts.subspan(n);
    if (n == kBlock) {
      pack(some);
      continue;
    }
    rest_.insert(rest_.end(), some.begin(), some.end());
    greatest_ = std::max(greatest_, std::ranges::max(some));
    if (rest_.size() < kBlock) continue;
    pack(rest_);
    rest_.clear();
  }
}

void PackedCounts::pack(std::span<const std::uint32_t> block) {
  std::uint32_t differ = 0, all = 0;
  for (const std::uint32_t count : block) {
    differ |= count ^ block[0];
    all |= count;
  }
  if (differ == 0) {  // as most are
    greatest_ = std::max(greatest_, block[0]);
    blocks_.push_back({block[0], static_cast<std::uint32_t>(bytes_.size() / kBlock), 0});
    return;
  }
  // The oldest processors find the least of many numbers of 16 bits at once, not of 32.
  constexpr std::uint32_t kMostShort = 0x7fff;
  all <= kMostShort ? pack_as<std::int16_t>(block) : pack_as<std::uint32_t>(block);
}

/// All numbers fit into this type.
template <class Fits>
void PackedCounts::pack_as(std::span<const std::uint32_t> block) {
  std::array<Fits, kBlock> counts;
  for (std::size_t n = 0; n < kBlock; ++n) counts[n] = static_cast<Fits>(block[n]);
  Fits least = counts[0], most = counts[0];
  for (const Fits count : counts) {
    least = std::min(least, count);
    most = std::max(most, count);
  }
  greatest_ = std::max(greatest_, static_cast<std::uint32_t>(most));
  const std::size_t width = width_for(static_cast<std::uint32_t>(most - least)),
                    first = bytes_.size();
  blocks_.push_back({static_cast<std::uint32_t>(least), static_cast<std::uint32_t>(first / kBlock),
                     static_cast<std::uint8_t>(width)});
  bytes_.resize(first + width * kBlock);
  with_width(width, [&]<class Number>(Number) {
    std::array<Number, kBlock> more;
    for (std::size_t n = 0; n < kBlock; ++n)
      more[n] = static_cast<Number>(static_cast<Fits>(counts[n] - least));
    std::memcpy(bytes_.data() + first, more.data(), sizeof more);
  });
}

void PackedCounts::read(const Block& block, std::size_t first, std::span<std::uint32_t> to) const {
  std::ranges::fill(to, block.least);
  with_width(block.width, [&]<class Number>(Number) {
    std::array<Number, kBlock> more;
    const std::uint8_t* const from = bytes_.data() + std::size_t{block.first} * kBlock;
    std::memcpy(more.data(), from + first * sizeof(Number), to.size() * sizeof(Number));
    for (std::size_t n = 0; n < to.size(); ++n) to[n] += more[n];
  });
}

void PackedCounts::read(std::size_t first, std::span<std::uint32_t> to) const {
  while (!to.empty()) {
    const std::size_t block = first / kBlock, within = first % kBlock;
    const std::size_t n = std::min(kBlock - within, to.size());
    if (block < blocks_.size())
      read(blocks_[block], within, to.first(n));
    else
      std::copy_n(rest_.begin() + static_cast<std::ptrdiff_t>(within), n, to.begin());
    first += n;
    to = to.subspan(n);
  }
}

std::uint32_t PackedCounts::operator[](std::size_t number) const {
  std::uint32_t one = 0;
  read(number, {&one, 1});
  return one;
}

std::vector<std::uint32_t> PackedCounts::numbers() const {
  std::vector<std::uint32_t> all(size());
  read(0, all);
  return all;
}

std::size_t PackedCounts::bytes() const noexcept {
  return blocks_.size() * sizeof(Block) + bytes_.size() + rest_.size() * sizeof(std::uint32_t);
}

}  // namespace weft::inline v0
