#include "io/gunzip.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "weft/error.hpp"

namespace weft::io {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
/// zlib's way to ask for gzip and nothing else, with the largest window.
constexpr int kGzipOnly = 15 + 16;
/// Every member begins with them.
constexpr uLong kMagicBytes = 2;

}  // namespace

Gunzip::Gunzip(std::function<std::size_t(char* to, std::size_t count)> read, std::string source)
    : read_(std::move(read)), source_(std::move(source)), compressed_(kChunk) {
  if (::inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() { ::inflateEnd(&stream_); }

bool Gunzip::refill() {
  if (stream_.avail_in > 0) return true;
  stream_.next_in = reinterpret_cast<Bytef*>(compressed_.data());
  stream_.avail_in = static_cast<uInt>(read_(compressed_.data(), compressed_.size()));
  return stream_.avail_in > 0;
}

void Gunzip::fail(const std::string& why) const {
  // Behind a member, what does not even begin as another one is something else.
  if (!is_first_ && stream_.total_in <= kMagicBytes) refuse_other_bytes();
  throw Error(ErrorCategory::input, fmt::format("cannot read '{}'", source_), why,
              "copy or download it again");
}

void Gunzip::refuse_other_bytes() const {
  throw Error(ErrorCategory::input, fmt::format("'{}' is too long", source_),
              "other bytes follow its gzip data", "copy or download it again");
}

void Gunzip::pass_over_padding() {
  for (; refill(); ++stream_.next_in, --stream_.avail_in)
    if (*stream_.next_in != 0) refuse_other_bytes();
}

std::size_t Gunzip::inflate(char* to, std::size_t count) {
  stream_.next_out = reinterpret_cast<Bytef*>(to);
  stream_.avail_out = static_cast<uInt>(count);
  while (stream_.avail_out > 0) {
    bool more = refill();
    if (!in_member_) {
      if (more && *stream_.next_in == 0) {
        pass_over_padding();
        more = false;
      }
      if (!more) break;
      ::inflateReset(&stream_);
      in_member_ = true;
      is_first_ = false;
    }
    if (!more) fail("its gzip data breaks off");
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END) fail("its gzip data is corrupt");
    in_member_ = status == Z_OK;
  }
  return count - stream_.avail_out;
}

}  // namespace weft::io
