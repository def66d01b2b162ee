#pragma once

#include <zlib.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace weft::io {

/// Inflates gzip data: one member or, as the format allows, several one after the other. As gzip it
/// passes over zero bytes behind them, the padding of tapes and archives, but over nothing else.
class Gunzip {
 public:
  /// `read` gets compressed bytes, as many as asked for or all that are left. `source` is how
  /// messages name them.
  Gunzip(std::function<std::size_t(char* to, std::size_t count)> read, std::string source);
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  /// Less than `count`, at most 2^32 - 1, only at the end of sound data. Throws Error(input) for
  /// data that is corrupt, breaks off, or has other bytes after it.
  std::size_t inflate(char* to, std::size_t count);

 private:
  bool refill();
  void pass_over_padding();
  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void refuse_other_bytes() const;

  std::function<std::size_t(char* to, std::size_t count)> read_;
  std::string source_;
  std::vector<char> compressed_;
  z_stream stream_{};
  bool in_member_ = true;
  bool is_first_ = true;  ///< member
};

}  // namespace weft::io
