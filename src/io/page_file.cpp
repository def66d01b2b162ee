#include <zlib.h>

#include <limits>

#include "io/atomic_file.hpp"
#include "weft/error.hpp"
#include "weft/page.hpp"

namespace weft::inline v0 {
namespace {

constexpr int kPageLevel = 4;  ///< 6 makes pages a twentieth shorter, and takes four times as long
constexpr int kRaw = -15;      ///< without a header, the largest window

/// Keeps its tables from plane to plane.
class Deflater {
 public:
  Deflater() {
    if (::deflateInit2(&stream_, kPageLevel, Z_DEFLATED, kRaw, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() { ::deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  std::string operator()(std::string_view bytes) {
    if (bytes.size() > std::numeric_limits<uInt>::max())
      throw Error(ErrorCategory::usage, "cannot write a page of this run",
                  "its mesh has too many PEs", "draw it by weft heatmap");
    ::deflateReset(&stream_);
    std::string deflated(::deflateBound(&stream_, static_cast<uLong>(bytes.size())), '\0');
    // zlib reads there and writes nothing, but its type does not say so.
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    stream_.next_out = reinterpret_cast<Bytef*>(deflated.data());
    stream_.avail_out = static_cast<uInt>(deflated.size());
    ::deflate(&stream_, Z_FINISH);
    deflated.resize(stream_.total_out);
    return deflated;
  }

 private:
  z_stream stream_{};
};

}  // namespace

void write_page(const std::string& path, const Profile& profile, const PageOptions& options) {
  io::check_writable(path);
  Deflater deflater;
  io::write_file(
      path, page_text(profile, options, [&](std::string_view bytes) { return deflater(bytes); }));
}

}  // namespace weft::inline v0
