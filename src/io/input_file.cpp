#include "io/input_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <vector>

#include "io/raw_array.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

constexpr std::uint64_t kMostAtOnce = 16u << 20;
/// deflate makes no file smaller than 1/1032 of its content (zlib's technical notes).
constexpr std::uint64_t kMostInflation = 1032;

[[noreturn]] void throw_unreadable(const std::string& path, const std::string& why,
                                   const std::string& remedy) {
  throw Error(ErrorCategory::input, fmt::format("cannot read '{}'", path), why, remedy);
}

/// Whether it is a link into the store of git-annex, whose content need not be here.
bool is_annex_link(const std::string& path) {
  std::error_code none;
  return std::filesystem::read_symlink(path, none).string().find("annex/objects/") !=
         std::string::npos;
}

std::uint64_t check_regular(const std::string& path) {
  struct stat status {};
  if (path.find('\0') != std::string::npos) {
    throw_unreadable(path, "the name holds a zero byte", "check the name");
  }
  if (::stat(path.c_str(), &status) != 0) {
    const std::string why = std::strerror(errno);
    if (is_annex_link(path))
      throw_unreadable(path, "it is a git-annex link, and the file itself is not here",
                       "run git annex get");
    throw_unreadable(path, why, "check the name");
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

InputFile::InputFile(const std::string& path)
    : path_(path), largest_content_(check_regular(path)), file_(std::fopen(path.c_str(), "rbe")) {
  if (!file_) throw_unreadable(path, std::strerror(errno), "check its permissions");
  constexpr std::array kGzipMagic = {'\x1f', '\x8b'};
  std::array<char, kGzipMagic.size()> start{};
  read_stored(start.data(), start.size());
  std::rewind(file_.get());
  if (start != kGzipMagic) return;
  largest_content_ = saturating_product(largest_content_, kMostInflation);
  gunzip_ = std::make_unique<Gunzip>(
      [this](char* to, std::size_t count) { return read_stored(to, count); }, path);
}

std::size_t InputFile::read_stored(char* to, std::size_t count) {
  errno = 0;
  const std::size_t got = std::fread(to, 1, count, file_.get());
  if (std::ferror(file_.get()) != 0)
    throw_unreadable(path_, std::strerror(errno), "check the disk");
  return got;
}

std::size_t InputFile::read_some(char* to, std::size_t count) {
  return gunzip_ ? gunzip_->inflate(to, count) : read_stored(to, count);
}

void InputFile::read_until(std::string& bytes, std::uint64_t total) {
  try {
    bytes.reserve(std::min(total, largest_content_));
    while (bytes.size() < total) {
      const std::size_t before = bytes.size();
      const std::uint64_t count = std::min<std::uint64_t>(kMostAtOnce, total - before);
      bytes.resize(before + count);
      const std::uint64_t got = read_some(bytes.data() + before, count);
      bytes.resize(before + got);
      if (got < count) return;
    }
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCategory::environment, fmt::format("no memory for '{}'", path_),
                fmt::format("its array takes {:.1f} GiB",
                            static_cast<double>(total) / (1024.0 * 1024.0 * 1024.0)),
                "use a smaller array or a machine with more memory");
  }
}

std::size_t InputFile::read_next(std::span<char> to) { return read_some(to.data(), to.size()); }

std::uint64_t InputFile::read_at(std::uint64_t offset, std::span<char> to) {
  if (::fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) != 0)
    throw_unreadable(path_, std::strerror(errno), "check the disk");
  return read_stored(to.data(), to.size());
}

bool InputFile::only_zeros_follow() {
  std::vector<char> part(kMostAtOnce / 16);
  std::size_t got = part.size();
  bool zeros = true;
  while (zeros && got == part.size()) {
    got = read_some(part.data(), part.size());
    zeros = std::all_of(part.data(), part.data() + got, [](char byte) { return byte == 0; });
  }
  return zeros;
}

}  // namespace weft::io
