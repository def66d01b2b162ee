#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "isa/host_device.hpp"
#include "weft/types.hpp"

/// Sets of colors, and of (port, color): all colors of a router are decided at once. Colors are
/// numbered densely over the mesh.
namespace weft::pe {

/// A bit for each color.
using Colors = std::uint32_t;

inline constexpr int kRamp = static_cast<int>(Port::ramp);

/// Of the link, or the side, across the PE.
WEFT_HD constexpr int opposite(int link) { return link ^ 1; }
WEFT_HD Colors color_bit(int color) { return Colors{1} << color; }
#if defined(__CUDACC__)
WEFT_HD int lowest(std::uint32_t bits) { return __ffs(static_cast<int>(bits)) - 1; }
WEFT_HD int highest(std::uint32_t bits) { return 31 - __clz(static_cast<int>(bits)); }
WEFT_HD int count(std::uint32_t bits) { return __popc(bits); }
#else
WEFT_HD int lowest(std::uint32_t bits) { return __builtin_ctz(bits); }
WEFT_HD int highest(std::uint32_t bits) { return 31 - __builtin_clz(bits); }
WEFT_HD int count(std::uint32_t bits) { return __builtin_popcount(bits); }
#endif

/// Four bytes, the first one lowest. They are aligned as a word is.
WEFT_HD std::uint32_t word_at(const std::uint8_t* bytes) {
#if defined(__CUDACC__)
  return *reinterpret_cast<const std::uint32_t*>(bytes);  // nvcc makes four loads of memcpy
#else
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
#endif
}
/// That of the west lowest.
WEFT_HD std::uint32_t word_of(const std::uint8_t (&of_links)[kLinks]) { return word_at(of_links); }

/// A bit for each (port, color), up to 4 or 8 colors: a byte for each link. With 4 colors the
/// ramp's bits are the upper half of the first byte.
template <int colors>
struct PackedPorts {
  using Word = std::conditional_t<colors == 4, std::uint32_t, std::uint64_t>;
  static constexpr auto kOnes =
      static_cast<Word>(colors == 4 ? 0x01010111U : std::uint64_t{0x0101010101U});
  static constexpr Word kLinkBits = colors == 4 ? Word{0x0f0f0f0fU} : Word{0xffffffffU};
  static constexpr Word kAll = kOnes * ((1U << colors) - 1U);
  static constexpr unsigned kRampAt = colors == 4 ? 4 : 32;

  Word word;

  WEFT_HD static unsigned at(int port) {
    return port == kRamp ? kRampAt : 8U * static_cast<unsigned>(port);
  }
  WEFT_HD static PackedPorts one(int port, Colors of) { return {Word{of} << at(port)}; }
  /// Colors at each link.
  WEFT_HD static PackedPorts of_links(const std::uint8_t (&of)[kLinks]) { return {word_of(of)}; }
  /// The colors, at every port.
  WEFT_HD static PackedPorts every(Colors of) { return {kOnes * of}; }
  WEFT_HD Colors colors_at(int port) const {
    return static_cast<Colors>(word >> at(port)) & ((1U << colors) - 1U);
  }
  /// How many come before that of `one`, which has one.
  WEFT_HD unsigned before(PackedPorts one) const {
    const auto lower = static_cast<Word>(word & (one.word - 1U));
    auto n = static_cast<unsigned>(count(static_cast<std::uint32_t>(lower)));
    if constexpr (colors == 8)
      n += static_cast<unsigned>(count(static_cast<std::uint32_t>(lower >> 32U)));
    return n;
  }
  /// Colors that have some port.
  WEFT_HD Colors fold() const {
    auto low = static_cast<std::uint32_t>(word);
    if constexpr (colors == 8) low |= static_cast<std::uint32_t>(word >> 32U);
    low |= low >> 16U;
    low |= low >> 8U;
    if constexpr (colors == 4) low |= low >> 4U;
    return low & ((1U << colors) - 1U);
  }
  WEFT_HD bool any() const { return word != 0; }
  /// Some port has two colors. (The top bit of a port's colors is set first, so the subtraction
  /// does not borrow from the next port.)
  WEFT_HD bool contended() const { return (word & ((word | kOnes << (colors - 1)) - kOnes)) != 0; }
  WEFT_HD PackedPorts links() const { return {static_cast<Word>(word & kLinkBits)}; }
  /// Colors that differ in bit 0 change places.
  WEFT_HD PackedPorts partners() const {
    constexpr Word kEven = kAll & static_cast<Word>(0x5555555555555555U);
    return {static_cast<Word>((word & kEven) << 1U | (word >> 1U & kEven))};
  }

  WEFT_HD friend PackedPorts operator&(PackedPorts a, PackedPorts b) {
    return {static_cast<Word>(a.word & b.word)};
  }
  WEFT_HD friend PackedPorts operator|(PackedPorts a, PackedPorts b) {
    return {static_cast<Word>(a.word | b.word)};
  }
  WEFT_HD friend PackedPorts operator^(PackedPorts a, PackedPorts b) {
    return {static_cast<Word>(a.word ^ b.word)};
  }
  WEFT_HD PackedPorts operator~() const { return {static_cast<Word>(~word & kAll)}; }
};

/// The same with all colors: a word for each port.
struct WidePorts {
  static constexpr Colors kAll = (1U << kColors) - 1U;

  Colors word[kPorts];

  template <class F>
  WEFT_HD static WidePorts each(F f) {
    return {{f(0), f(1), f(2), f(3), f(4)}};
  }
  WEFT_HD static WidePorts one(int port, Colors of) {
    return each([&](int p) { return p == port ? of : 0; });
  }
  WEFT_HD static WidePorts of_links(const std::uint32_t (&of)[kLinks]) {
    return {{of[0], of[1], of[2], of[3], 0}};
  }
  WEFT_HD static WidePorts every(Colors of) {
    return each([&](int) { return of; });
  }
  WEFT_HD Colors colors_at(int port) const { return word[port]; }
  WEFT_HD unsigned before(const WidePorts& one) const {
    unsigned n = 0;
    Colors lower = ~Colors{0};  // all of the ports before that of `one`, none of those after it
    for (int port = 0; port < kPorts; ++port) {
      const Colors here = one.word[port];
      n += static_cast<unsigned>(count(word[port] & (here != 0 ? here - 1U : lower)));
      if (here != 0) lower = 0;
    }
    return n;
  }
  WEFT_HD Colors fold() const { return word[0] | word[1] | word[2] | word[3] | word[4]; }
  WEFT_HD bool any() const { return fold() != 0; }
  WEFT_HD bool contended() const {
    return each([this](int p) { return word[p] & (word[p] - 1U); }).any();
  }
  WEFT_HD WidePorts links() const { return {{word[0], word[1], word[2], word[3], 0}}; }
  WEFT_HD WidePorts partners() const {
    constexpr Colors kEven = 0x555555U;
    return each([&](int p) { return (word[p] & kEven) << 1U | (word[p] >> 1U & kEven); });
  }

  WEFT_HD friend WidePorts operator&(const WidePorts& a, const WidePorts& b) {
    return each([&](int p) { return a.word[p] & b.word[p]; });
  }
  WEFT_HD friend WidePorts operator|(const WidePorts& a, const WidePorts& b) {
    return each([&](int p) { return a.word[p] | b.word[p]; });
  }
  WEFT_HD friend WidePorts operator^(const WidePorts& a, const WidePorts& b) {
    return each([&](int p) { return a.word[p] ^ b.word[p]; });
  }
  WEFT_HD WidePorts operator~() const {
    return each([&](int p) { return ~word[p] & kAll; });
  }
};

/// Sizes of a PE's state: most colors of the mesh (4, 8 or 24), slots of a router's queue (2 or 4).
/// `hosted`: a kernel for it has the host's part in, too, which others do not pay for.
template <int colors, int slots, bool hosted = false>
struct Shape {
  using Ports = std::conditional_t<colors == kColors, WidePorts, PackedPorts<colors>>;
  using StoredColors = std::conditional_t<colors == kColors, std::uint32_t, std::uint8_t>;
  static constexpr bool kHosted = hosted;
  static constexpr bool kCounting = false;
  static constexpr bool kCopiesRouter = colors < kColors;  ///< a step works on a copy
  static constexpr int kMost = colors;
  static constexpr int kSlots = slots;
  static constexpr int kSlotPlanes = slots == 2 ? 1 : 2;
  static constexpr int kCountPlanes = kSlotPlanes + 1;
};

/// The same, of PEs that count what they do.
template <class S>
struct CountingShape : S {
  static constexpr bool kCounting = true;
};

/// The ports at which a color is, a bit each.
template <class Ports>
WEFT_HD unsigned ports_with(const Ports& set, int color) {
  unsigned ports = 0;
  for (int port = 0; port < kPorts; ++port) ports |= (set.colors_at(port) >> color & 1U) << port;
  return ports;
}

/// A color at some ports, a bit each.
template <class Ports>
WEFT_HD Ports color_at(unsigned ports, int color) {
  Ports set{};
  for (int port = 0; port < kPorts; ++port)
    if ((ports >> port & 1U) != 0) set = set | Ports::one(port, color_bit(color));
  return set;
}

}  // namespace weft::pe
