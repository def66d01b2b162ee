#include "io/other_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "weft/error.hpp"

namespace weft::io {

namespace {

using namespace std::string_view_literals;

/// A kind of file that is met under the name of another one.
struct Other {
  std::size_t at;          ///< where these bytes stand
  std::string_view magic;  ///< in small letters
  const char* is;
  const char* remedy;
};

constexpr const char* kWebPage = "it is a web page, not the file itself";
constexpr const char* kPageRemedy =
    "download the file itself: the page may say why it did not come";
constexpr const char* kPicture = "it is a picture";
constexpr const char* kSaveArray = "save its numbers as an array, with numpy.save";

constexpr Other kOthers[] = {
    {0, "version https://git-lfs.github.com/spec/"sv,
     "it is a git-lfs pointer, not the file itself", "run git lfs pull"},
    {0, "<!doctype html"sv, kWebPage, kPageRemedy},
    {0, "<html"sv, kWebPage, kPageRemedy},
    {0, "<?xml"sv, "it is XML, not the file itself", "download the file itself"},
    {0, "pk\x03\x04"sv, "it is a zip archive, as numpy.savez writes it",
     "load it, and save one of its arrays with numpy.save"},
    {0,
     "\xfd"
     "7zxz\0"sv,
     "it is compressed by xz", "decompress it with xz -d"},
    {0, "bzh"sv, "it is compressed by bzip2", "decompress it with bzip2 -d"},
    {0, "\x28\xb5\x2f\xfd"sv, "it is compressed by Zstandard", "decompress it with zstd -d"},
    {0, "\x04\x22\x4d\x18"sv, "it is compressed by LZ4", "decompress it with lz4 -d"},
    {0, "\x1f\x9d"sv, "it is compressed by compress", "decompress it with gzip -d"},
    {0, "\x1f\x8b"sv, "it is compressed by gzip twice", "decompress it once with gzip -d"},
    {0, "7z\xbc\xaf"sv, "it is a 7-Zip archive", "unpack it with 7z x"},
    {257, "ustar"sv, "it is a tar archive", "unpack it with tar -x"},
    {0, "\x89hdf"sv, "it is an HDF5 file", kSaveArray},
    {0, "matlab 5.0"sv, "it is a MATLAB file", kSaveArray},
    {128, "dicm"sv, "it is a DICOM file", "convert it to NIfTI, e.g. with dcm2niix"},
    {0, "\x89png"sv, kPicture, kSaveArray},
    {0, "\xff\xd8\xff"sv, kPicture, kSaveArray},
    {0, "\x80\x04\x95"sv, "it is a pickle of Python", kSaveArray},
};

bool has(std::string_view start, const Other& other) {
  return start.size() > other.at &&
         std::ranges::equal(
             start.substr(other.at, other.magic.size()), other.magic,
             [](unsigned char a, char b) { return static_cast<char>(std::tolower(a)) == b; });
}

/// Behind the blanks and the mark of UTF-8 that a page may begin with.
std::string_view text_of(std::string_view start) {
  if (start.starts_with("\xef\xbb\xbf")) start.remove_prefix(3);
  return start.substr(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
}

}  // namespace

void refuse_other_content(std::string_view start, const std::string& source) {
  const auto refuse = [&](const char* why, const char* remedy) {
    throw Error(ErrorCategory::input, fmt::format("cannot read '{}'", source), why, remedy);
  };
  if (start.empty()) refuse("it is empty", "copy, download or save it again");
  if (start.substr(0, start.find('\n')).find("/annex/objects/") != std::string_view::npos)
    refuse("it is a git-annex pointer, and the file itself is not here", "run git annex get");
  for (const Other& other : kOthers)
    if (has(start, other) || has(text_of(start), other)) refuse(other.is, other.remedy);
}

}  // namespace weft::io
