#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::io {

/// Deflates bytes, piece by piece, by zlib.
class Deflater {
 public:
  enum class Form : std::uint8_t { raw, gzip };  ///< without a header, or as gzip does

  Deflater(Form form, int level);
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// Appends what is ready to `to`; with `is_last` all, and the next piece begins anew.
  void deflate(std::string_view bytes, bool is_last, std::string& to);

 private:
  z_stream stream_{};
};

}  // namespace weft::io
