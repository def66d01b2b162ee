#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "io/gunzip.hpp"

namespace weft::io {

/// A regular file read from front to back, inflated on the way if it begins as gzip, whatever its
/// name is.
class InputFile {
 public:
  /// Throws Error(input) if `path` is missing, not a regular file or not readable.
  explicit InputFile(const std::string& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// The most bytes that reading can give: exact for a plain file, a bound for a compressed one.
  std::uint64_t largest_content() const noexcept { return largest_content_; }

  /// Appends to `bytes` until it holds `total` or the file ends; a compressed file's checksum is
  /// right then. Memory grows with what the file really holds, not with `total`. Throws
  /// Error(input) if the file can't be read or inflated, or goes on behind its compressed data.
  void read_until(std::string& bytes, std::uint64_t total);

  /// Reads to the file's end; whether that was zero bytes, if any.
  bool only_zeros_follow();

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { static_cast<void>(std::fclose(file)); }
  };

  /// Less than `count` only at the end.
  std::size_t read_stored(char* to, std::size_t count);
  std::size_t read_some(char* to, std::size_t count);

  std::string path_;
  std::uint64_t largest_content_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
  std::unique_ptr<Gunzip> gunzip_;  ///< none for a plain file
};

}  // namespace weft::io
