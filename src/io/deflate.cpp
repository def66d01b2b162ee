#include "io/deflate.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace weft::io {

Deflater::Deflater(Form form, int level) {
  constexpr int kLargest = 15;  // window
  const int window = form == Form::raw ? -kLargest : kLargest + 16;
  const int memory = form == Form::raw ? 8 : 9;
  if (::deflateInit2(&stream_, level, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

Deflater::~Deflater() { ::deflateEnd(&stream_); }

void Deflater::deflate(std::string_view bytes, bool is_last, std::string& to) {
  std::array<char, 1 << 16> part;
  do {
    const std::size_t count = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    // zlib does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(count);
    bytes.remove_prefix(count);
    const bool ends = is_last && bytes.empty();
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(part.data());
      stream_.avail_out = static_cast<uInt>(part.size());
      static_cast<void>(::deflate(&stream_, ends ? Z_FINISH : Z_NO_FLUSH));
      to.append(part.data(), part.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  } while (!bytes.empty());
  if (is_last) ::deflateReset(&stream_);
}

}  // namespace weft::io
