#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Fields of protobuf's wire format, appended to a message.
namespace weft::fabric::protobuf {

inline void varint(std::string& to, std::uint64_t value) {
  for (; value > 0x7f; value >>= 7U) to += static_cast<char>((value & 0x7fU) | 0x80U);
  to += static_cast<char>(value);
}

inline void number(std::string& to, std::uint32_t field, std::uint64_t value) {
  varint(to, field << 3U);
  varint(to, value);
}

inline void fixed64(std::string& to, std::uint32_t field, std::uint64_t value) {
  varint(to, field << 3U | 1U);
  for (unsigned byte = 0; byte < 8; ++byte) to += static_cast<char>(value >> 8 * byte & 0xffU);
}

/// A text, or a message in it.
inline void bytes(std::string& to, std::uint32_t field, std::string_view value) {
  varint(to, field << 3U | 2U);
  varint(to, value.size());
  to += value;
}

}  // namespace weft::fabric::protobuf
