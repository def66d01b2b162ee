#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Values as bytes, for another process of the same build.
namespace weft::base {

/// Of a struct that is not plain: each(value, f) calls f(field) for all fields, in one order.
template <class T>
struct Fields;

template <class T>
inline constexpr bool kPlain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

/// Appends a value to bytes.
class Packer {
 public:
  Packer() = default;
  /// Room for so many bytes, before it needs more.
  explicit Packer(std::size_t room) { bytes_.reserve(room); }

  template <class T>
  void operator()(const T& value) {
    if constexpr (kPlain<T>) {
      const auto bytes = std::as_bytes(std::span(&value, 1));
      bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    } else {
      Fields<T>::each(value, *this);
    }
  }
  void operator()(const std::string& text) { each_of(text); }
  template <class T>
  void operator()(const std::vector<T>& values) {
    each_of(values);
  }
  template <class T>
  void operator()(const std::optional<T>& value) {
    (*this)(value.has_value());
    if (value) (*this)(*value);
  }
  template <class K, class V>
  void operator()(const std::map<K, V>& values) {
    (*this)(values.size());
    for (const auto& [key, value] : values) {
      (*this)(key);
      (*this)(value);
    }
  }

  /// Plain values, of which it is known how many there are.
  template <class T>
  void all(std::span<T> values) {
    static_assert(kPlain<T>);
    const auto bytes = std::as_bytes(values);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  std::vector<std::byte> bytes() && { return std::move(bytes_); }

 private:
  template <class Values>
  void each_of(const Values& values) {
    (*this)(values.size());
    for (const auto& value : values) (*this)(value);
  }

  std::vector<std::byte> bytes_{};
};

/// Takes values from the bytes that a Packer has made, in the same order.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (kPlain<T>) {
      all(std::span(&value, 1));
    } else {
      Fields<T>::each(value, *this);
    }
  }
  void operator()(std::string& text) { each_of(text); }
  template <class T>
  void operator()(std::vector<T>& values) {
    each_of(values);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    if (next<bool>()) (*this)(value.emplace());
  }
  template <class K, class V>
  void operator()(std::map<K, V>& values) {
    for (auto left = next<std::size_t>(); left > 0; --left) {
      const K key = next<K>();
      (*this)(values[key]);
    }
  }

  template <class T>
  void all(std::span<T> values) {
    static_assert(kPlain<T>);
    if (!values.empty()) std::memcpy(values.data(), rest_.data(), values.size_bytes());
    rest_ = rest_.subspan(values.size_bytes());
  }

  template <class T>
  T next() {
    T value{};
    (*this)(value);
    return value;
  }

 private:
  template <class Values>
  void each_of(Values& values) {
    values.resize(next<std::size_t>());
    for (auto& value : values) (*this)(value);
  }

  std::span<const std::byte> rest_;
};

template <class T>
std::vector<std::byte> packed(const T& value) {
  Packer pack;
  pack(value);
  return std::move(pack).bytes();
}

template <class T>
T unpacked(std::span<const std::byte> bytes) {
  T value{};
  Unpacker unpack(bytes);
  unpack(value);
  return value;
}

}  // namespace weft::base
