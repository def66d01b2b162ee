#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

namespace weft::io {

/// Deflates bytes as gzip does, piece by piece.
class Gzip {
 public:
  explicit Gzip(int level);
  ~Gzip();
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  /// Appends what is ready to `to`; with `is_last` all.
  void deflate(std::string_view bytes, bool is_last, std::string& to);

 private:
  z_stream stream_{};
};

}  // namespace weft::io
