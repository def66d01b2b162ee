#pragma once

#include <cstdint>
#include <memory>
#include <string>

struct znzptr;  // the NIfTI library's file, plain or compressed

namespace weft::io {

enum class Compression { none, gzip };

/// A regular file read from front to back, inflated on the way where it is compressed.
class InputFile {
 public:
  /// Throws Error(input) if `path` is missing, not a regular file or not readable.
  InputFile(const std::string& path, Compression compression);

  /// The most bytes that reading can give: exact for a plain file, a bound for a compressed one.
  std::uint64_t largest_content() const noexcept { return largest_content_; }

  /// Appends to `bytes` until it holds `total` or the file ends. Memory grows with what the file
  /// really holds, not with `total`. Throws Error(input) if the file can't be read or inflated.
  void read_until(std::string& bytes, std::uint64_t total);

  /// Reads a compressed file to its end, so that its checksum is verified.
  void check_end();

 private:
  struct Close {
    void operator()(znzptr* file) const noexcept;
  };

  std::uint64_t read_some(char* to, std::uint64_t count);

  std::string path_;
  Compression compression_;
  std::uint64_t largest_content_ = 0;
  std::unique_ptr<znzptr, Close> file_;
};

}  // namespace weft::io
