#include "engine/wire.hpp"

#include <cstring>

#include "engine/given_up.hpp"

namespace weft::engine {
namespace {

/// The last message: others are whole words.
constexpr std::size_t kLastBytes = 1;

}  // namespace

void Wire::send(std::span<const std::uint32_t> words) {
  processes_.send(other_, std::as_bytes(words));
}

void Wire::take() {
  processes_.receive(other_, bytes_);
  other_gave_up_ = bytes_.size() == kLastBytes;
}

std::span<const std::uint32_t> Wire::receive() {
  take();
  if (other_gave_up_) throw GivenUp();
  words_.resize(bytes_.size() / sizeof(std::uint32_t));
  if (!words_.empty()) std::memcpy(words_.data(), bytes_.data(), bytes_.size());
  return words_;
}

bool Wire::give_up() noexcept {
  if (given_up_) return other_knows_;
  given_up_ = true;
  try {
    const std::byte last[kLastBytes]{};
    processes_.send(other_, last);
    other_knows_ = true;
  } catch (...) {  // the caller throws what came first
  }
  return other_knows_;
}

void Wire::drain() {
  while (!other_gave_up_) take();
}

}  // namespace weft::engine
