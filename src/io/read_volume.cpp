#include <fmt/format.h>

#include <utility>

#include "io/input_file.hpp"
#include "io/nifti.hpp"
#include "io/npy.hpp"
#include "io/raw_array.hpp"
#include "io/shape_text.hpp"
#include "io/suffix.hpp"
#include "io/volume_file.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

/// What the reader must know of a file format; one row each below.
struct Format {
  std::string_view suffix;
  Compression compression;
  std::size_t header_bytes;
  ArrayHeader (*parse_header)(std::string_view start, const std::string& source);
  bool ends_with_data;  ///< bytes after the array are an error
};

constexpr Format kFormats[] = {
    {".npy", Compression::none, kNpyHeaderBytes, parse_npy_header, true},
    {".nii", Compression::none, kNiftiHeaderBytes, parse_nifti_header, false},
    {".nii.gz", Compression::gzip, kNiftiHeaderBytes, parse_nifti_header, false},
};

const Format& find_format(const std::string& path) {
  for (const Format& format : kFormats) {
    if (has_suffix(path, format.suffix)) return format;
  }
  throw Error(Category::input, fmt::format("cannot read '{}'", path),
              "its suffix is none of .npy, .nii and .nii.gz", "save it as one of these");
}

/// `available` is a bound until the file is read, and what it holds afterwards.
void check_size(const ArrayHeader& header, std::uint64_t available, const std::string& path) {
  if (available >= header.data_offset && available - header.data_offset >= header.data_bytes) {
    return;
  }
  throw Error(Category::input, fmt::format("'{}' is truncated", path),
              fmt::format("its header claims an array of {}, {} bytes from byte {} on, and the "
                          "file is shorter",
                          shape_text(header.shape), header.data_bytes, header.data_offset),
              "copy or save it again");
}

}  // namespace

Volume read_volume(const std::string& path, std::uint64_t* underflows) {
  const Format& format = find_format(path);
  InputFile file(path, format.compression);
  std::string bytes;
  file.read_until(bytes, format.header_bytes);
  const ArrayHeader header = format.parse_header(bytes, path);
  check_size(header, file.largest_content(), path);

  const std::uint64_t end = header.data_offset + header.data_bytes;
  if (format.ends_with_data && file.largest_content() > end) {
    throw Error(Category::input, fmt::format("'{}' is too long", path),
                fmt::format("{} bytes follow its array", file.largest_content() - end),
                "save the array again");
  }
  file.read_until(bytes, end);
  check_size(header, bytes.size(), path);
  file.check_end();
  Decoded decoded = decode(std::string_view(bytes).substr(header.data_offset, header.data_bytes),
                           header.shape, header.encoding, path);
  if (underflows != nullptr) *underflows = decoded.underflows;
  return std::move(decoded.volume);
}

}  // namespace weft::io
