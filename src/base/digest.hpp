#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace weft::base {

template <class T>
concept Digestible = std::has_unique_object_representations_v<T> && !std::is_pointer_v<T>;

/// A number that is another one where things differ, but for bad luck (FNV-1a). It finds mistakes,
/// no malice.
class Digest {
 public:
  std::uint64_t number() const { return number_; }

  template <Digestible T>
  void add(const T& value) {
    add_bytes(std::as_bytes(std::span(&value, 1)));
  }
  void add(std::string_view text) {
    add(text.size());
    add_bytes(std::as_bytes(std::span(text)));
  }
  template <Digestible T>
  void add(const std::vector<T>& values) {
    add(values.size());
    add_bytes(std::as_bytes(std::span(values)));
  }

 private:
  void add_bytes(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes)
      number_ = (number_ ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3U;
  }

  std::uint64_t number_ = 0xcbf29ce484222325U;
};

}  // namespace weft::base
