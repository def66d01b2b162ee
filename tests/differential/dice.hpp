#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace weft::test {

/// Any 64 bits from any 64 bits (the finaliser of SplitMix64).
inline std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27U) * 0x94d049bb133111ebU;
  return z ^ z >> 31U;
}

/// Random numbers that are the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() { return mixed(state_++); }
  /// from .. to, both included.
  int roll(int from, int to) {
    return from + static_cast<int>(bits() % static_cast<std::uint64_t>(to - from + 1));
  }
  bool chance(int percent) { return roll(0, 99) < percent; }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[roll(0, static_cast<int>(values.size()) - 1)];
  }
  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(roll(0, static_cast<int>(values.size()) - 1))];
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (int i = static_cast<int>(values.size()) - 1; i > 0; --i)
      std::swap(values[static_cast<std::size_t>(i)], values[static_cast<std::size_t>(roll(0, i))]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace weft::test
