#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Arrays of whole numbers as the bytes of .npy files, little-endian, in C order.
namespace weft::fabric {

/// A field of a structured array, or, without a name, all there is in each element.
struct NpyField {
  std::string_view name;
  std::size_t bytes = 8;
  bool is_signed = false;
};

/// What stands before the numbers, of at least so many bytes.
std::string npy_header(const std::vector<NpyField>& fields, const std::vector<std::size_t>& shape,
                       std::size_t least = 0);
/// The numbers of a file of such an array, as NumPy writes it too; none if it is another one.
std::optional<std::string_view> npy_numbers(std::string_view file,
                                            const std::vector<NpyField>& fields,
                                            const std::vector<std::size_t>& shape);

/// The length of such an array of one dimension; none if it is another one.
std::optional<std::size_t> npy_length(std::string_view file, const std::vector<NpyField>& fields);

/// The least `bytes` bytes of a number.
inline void append(std::string& to, std::uint64_t value, std::size_t bytes) {
  std::array<char, 8> all;
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = static_cast<char>(value >> (8 * n) & 0xffU);
  to.append(all.data(), bytes);
}

/// Takes numbers off the front.
inline std::uint64_t take(std::string_view& from, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t n = 0; n < bytes; ++n)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[n])) << (8 * n);
  from.remove_prefix(bytes);
  return value;
}

}  // namespace weft::fabric
