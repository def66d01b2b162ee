#include "io/gzip.hpp"

#include <array>
#include <new>

namespace weft::io {

Gzip::Gzip(int level) {
  constexpr int kGzip = 15 + 16, kMemory = 9;
  if (::deflateInit2(&stream_, level, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

Gzip::~Gzip() { ::deflateEnd(&stream_); }

void Gzip::deflate(std::string_view bytes, bool is_last, std::string& to) {
  std::array<char, 1 << 16> part;
  // zlib does not write to its input.
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream_.avail_in = static_cast<uInt>(bytes.size());
  do {
    stream_.next_out = reinterpret_cast<Bytef*>(part.data());
    stream_.avail_out = static_cast<uInt>(part.size());
    static_cast<void>(::deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH));
    to.append(part.data(), part.size() - stream_.avail_out);
  } while (stream_.avail_out == 0);
}

}  // namespace weft::io
