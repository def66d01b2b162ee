#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
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

  /// The next bytes; fewer only where the file ends. Throws as read_until.
  std::size_t read_next(std::span<char> to);

  /// Whether bytes can be read anywhere: of a plain file.
  bool is_plain() const noexcept { return gunzip_ == nullptr; }
  /// Of a plain file, the bytes from `offset` on; fewer only where the file ends. What is read from
  /// front to back goes on behind them.
  std::uint64_t read_at(std::uint64_t offset, std::span<char> to);

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
