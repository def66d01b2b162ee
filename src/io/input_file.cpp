#include "io/input_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <znzlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>

#include "io/raw_array.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

constexpr std::uint64_t kChunk = 16u << 20;
/// What can follow the array in a compressed file and still be checked.
constexpr std::uint64_t kMostTrailing = 64u << 20;
/// deflate makes no file smaller than 1/1032 of its content (zlib's technical notes).
constexpr std::uint64_t kMostInflation = 1032;

[[noreturn]] void throw_unreadable(const std::string& path, const std::string& why,
                                   const std::string& remedy) {
  throw Error(Category::input, fmt::format("cannot read '{}'", path), why, remedy);
}

std::uint64_t check_regular(const std::string& path) {
  struct stat status {};
  if (path.find('\0') != std::string::npos) {
    throw_unreadable(path, "the name holds a zero byte", "check the name");
  }
  if (::stat(path.c_str(), &status) != 0) {
    throw_unreadable(path, std::strerror(errno), "check the name");
  }
  if (S_ISDIR(status.st_mode)) {
    throw_unreadable(path, "it is a folder", "name a file in it");
  }
  if (!S_ISREG(status.st_mode)) {
    throw_unreadable(path, "it is no regular file", "copy its content to a file and name that");
  }
  if (::access(path.c_str(), R_OK) != 0) {
    throw_unreadable(path, std::strerror(errno), "check its permissions");
  }
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

void InputFile::Close::operator()(znzptr* file) const noexcept { znzclose(file); }

InputFile::InputFile(const std::string& path, Compression compression)
    : path_(path), compression_(compression) {
  const std::uint64_t size = check_regular(path);
  largest_content_ =
      compression == Compression::gzip ? saturating_product(size, kMostInflation) : size;
  file_.reset(znzopen(path.c_str(), "rb", compression == Compression::gzip ? 1 : 0));
  if (!file_) throw_unreadable(path, std::strerror(errno), "check its permissions");
}

std::uint64_t InputFile::read_some(char* to, std::uint64_t count) {
  errno = 0;
  const std::uint64_t got = znzread(to, 1, count, file_.get());
  if (got > count) {  // znzread returns -1 as an unsigned number
    throw_unreadable(path_, "its gzip data is corrupt", "copy or download it again");
  }
  if (got < count && compression_ == Compression::none && errno != 0) {
    throw_unreadable(path_, std::strerror(errno), "check the disk");
  }
  return got;
}

void InputFile::read_until(std::string& bytes, std::uint64_t total) {
  try {
    bytes.reserve(std::min(total, largest_content_));
    while (bytes.size() < total) {
      const std::size_t before = bytes.size();
      const std::uint64_t count = std::min<std::uint64_t>(kChunk, total - before);
      bytes.resize(before + count);
      const std::uint64_t got = read_some(bytes.data() + before, count);
      bytes.resize(before + got);
      if (got < count) return;
    }
  } catch (const std::bad_alloc&) {
    throw Error(Category::environment, fmt::format("no memory for '{}'", path_),
                fmt::format("its array takes {:.1f} GiB",
                            static_cast<double>(total) / (1024.0 * 1024.0 * 1024.0)),
                "use a smaller array or a machine with more memory");
  }
}

void InputFile::check_end() {
  if (compression_ == Compression::none) return;
  std::array<char, 65536> rest;
  std::uint64_t trailing = 0;
  for (std::uint64_t got = rest.size(); got == rest.size() && trailing < kMostTrailing;) {
    got = read_some(rest.data(), rest.size());
    trailing += got;
  }
  if (trailing < kMostTrailing) {
    // Closing is where zlib says that the stream broke off before its checksum.
    znzptr* file = file_.release();
    if (znzclose(file) != 0) {
      throw_unreadable(path_, "its gzip data breaks off", "copy or download it again");
    }
  }
}

}  // namespace weft::io
