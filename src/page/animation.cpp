#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.hpp"
#include "weft/heat_map.hpp"

/// Animated PNG: the chunks of the first picture, and the data of the others as frames of it.
namespace weft::inline v0 {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);

/// The most significant byte first.
void append(std::string& to, std::uint32_t value, std::size_t bytes) {
  while (bytes-- > 0) to += static_cast<char>(value >> (8 * bytes) & 0xffU);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t n = 0; n < 4; ++n)
    value = value << 8U | static_cast<unsigned char>(bytes[at + n]);
  return value;
}

/// Of a chunk's type and data, as the PNG specification has it.
std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t sum = ~0U;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1U ^ ((sum & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

struct Chunk {
  std::string_view type, data;
};

void append(std::string& to, std::string_view type, std::string_view data) {
  append(to, static_cast<std::uint32_t>(data.size()), 4);
  const std::string checked = std::string(type) + std::string(data);
  to += checked;
  append(to, checksum(checked), 4);
}

[[noreturn]] void fail(const char* why) {
  throw Error(ErrorCategory::usage, "cannot join pictures to an animation", why,
              "give whole PNG files of one size");
}

std::vector<Chunk> chunks_of(std::string_view picture) {
  constexpr std::size_t kAround = 12;  // length, type and checksum
  if (!picture.starts_with(kSignature)) fail("one is not a PNG");
  picture.remove_prefix(kSignature.size());
  std::vector<Chunk> all;
  while (!picture.empty()) {
    if (picture.size() < kAround || picture.size() - kAround < number_at(picture, 0))
      fail("one is truncated");
    const std::size_t length = number_at(picture, 0);
    all.push_back({picture.substr(4, 4), picture.substr(8, length)});
    picture.remove_prefix(kAround + length);
  }
  if (all.empty() || all.front().type != "IHDR" || all.back().type != "IEND")
    fail("one is truncated");
  return all;
}

/// How a frame is shown: all of the picture, in place of the one before.
std::string frame_control(std::uint32_t number, const Chunk& header, int milliseconds) {
  std::string data;
  append(data, number, 4);
  data += header.data.substr(0, 8);  // width and height
  append(data, 0, 4);
  append(data, 0, 4);
  append(data, static_cast<std::uint32_t>(milliseconds), 2);
  append(data, 1000, 2);
  return data + std::string(2, '\0');
}

}  // namespace

std::string animated_png(const std::vector<std::string>& pictures, int milliseconds_each) {
  if (pictures.empty()) fail("there is none");
  const std::vector<Chunk> first = chunks_of(pictures.front());
  std::string all(kSignature), count;
  append(count, static_cast<std::uint32_t>(pictures.size()), 4);
  append(count, 0, 4);  // for ever
  std::uint32_t number = 0;
  for (const std::string& picture : pictures) {
    const bool is_first = &picture == &pictures.front();
    bool begun = false;
    for (const Chunk& chunk : is_first ? first : chunks_of(picture)) {
      const bool is_data = chunk.type == "IDAT";
      if (chunk.type == "IHDR" && chunk.data != first.front().data)
        fail("they differ in size or in their kind of pixels");
      if (is_data && !begun) {
        append(all, "fcTL", frame_control(number++, first.front(), milliseconds_each));
        begun = true;
      }
      if (is_data && !is_first) {
        std::string data;
        append(data, number++, 4);
        append(all, "fdAT", data + std::string(chunk.data));
      } else if (is_first && chunk.type != "IEND") {
        append(all, chunk.type, chunk.data);
        if (chunk.type == "IHDR") append(all, "acTL", count);
      }
    }
  }
  append(all, "IEND", {});
  return all;
}

}  // namespace weft::inline v0
