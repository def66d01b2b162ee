#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weft/processes.hpp"

namespace weft::engine {

/// Messages between two processes whose rows are beside each other, while a run lasts. If it is
/// given up, whoever waits for a message takes the last one instead: so none of the run is left
/// over.
class Wire {
 public:
  Wire(Processes& processes, int other) : processes_(processes), other_(other) {}

  void send(std::span<const std::uint32_t> words);
  /// Waits for the next message; its words last until the next call. Throws GivenUp for the last
  /// one.
  std::span<const std::uint32_t> receive();

  /// Sends the last message, once. Returns whether the other process knows: false if
  /// Processes::send threw.
  bool give_up() noexcept;
  /// Takes all up to the other process's last message.
  void drain();

 private:
  void take();

  Processes& processes_;
  const int other_;
  bool given_up_ = false, other_knows_ = false, other_gave_up_ = false;
  std::vector<std::uint32_t> words_{};
  std::vector<std::byte> bytes_{};
};

/// The words of a message, in their order.
class Words {
 public:
  explicit Words(std::span<const std::uint32_t> words) : rest_(words) {}

  bool any() const { return !rest_.empty(); }
  std::uint32_t next() {
    const std::uint32_t word = rest_.front();
    rest_ = rest_.subspan(1);
    return word;
  }
  std::uint64_t next_two() {
    const std::uint64_t low = next();
    return low | std::uint64_t{next()} << 32U;
  }

 private:
  std::span<const std::uint32_t> rest_;
};

/// Appends both halves, as next_two takes them.
inline void put_two(std::vector<std::uint32_t>& words, std::uint64_t two) {
  words.push_back(static_cast<std::uint32_t>(two));
  words.push_back(static_cast<std::uint32_t>(two >> 32U));
}

}  // namespace weft::engine
