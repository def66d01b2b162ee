#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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

/// The reader's facts of a file format; one row each below.
struct Format {
  std::string_view suffix;
  Compression compression;
  std::size_t header_bytes;
  ArrayHeader (*parse_header)(std::string_view start, const std::string& source);
};

constexpr Format kFormats[] = {
    {".npy", Compression::none, kNpyHeaderBytes, parse_npy_header},
    {".nii", Compression::none, kNiftiHeaderBytes, parse_nifti_header},
    {".nii.gz", Compression::gzip, kNiftiHeaderBytes, parse_nifti_header},
};

/// Null if there is none.
const Format* find_format(std::string_view path) {
  const auto* const found = std::ranges::find_if(
      kFormats, [&](const Format& format) { return has_suffix(path, format.suffix); });
  return found == std::end(kFormats) ? nullptr : found;
}

const Format& format_of(const std::string& path) {
  if (const Format* const format = find_format(path)) return *format;
  throw Error(ErrorCategory::input, fmt::format("cannot read '{}'", path),
              "its suffix is none of .npy, .nii and .nii.gz", "save it as one of these");
}

/// `available` is a bound until the file is read, and what it holds afterwards.
void check_size(const ArrayHeader& header, std::uint64_t available, const std::string& path) {
  if (available >= header.data_offset && available - header.data_offset >= header.data_bytes) {
    return;
  }
  throw Error(ErrorCategory::input, fmt::format("'{}' is truncated", path),
              fmt::format("its header claims an array of {}, {} bytes from byte {} on, and the "
                          "file is shorter",
                          shape_text(header.shape), header.data_bytes, header.data_offset),
              "copy or save it again");
}

}  // namespace

bool names_volume(std::string_view path) { return find_format(path) != nullptr; }

Volume read_volume(const std::string& path, Conversion* conversion) {
  const Format& format = format_of(path);
  InputFile file(path, format.compression);
  std::string bytes;
  file.read_until(bytes, format.header_bytes);
  const ArrayHeader header = format.parse_header(bytes, path);
  check_size(header, file.largest_content(), path);

  const std::uint64_t end = header.data_offset + header.data_bytes;
  file.read_until(bytes, end + 1);  // one more than there should be
  check_size(header, bytes.size(), path);
  if (bytes.size() > end) {
    throw Error(ErrorCategory::input, fmt::format("'{}' is too long", path),
                fmt::format("its array ends at byte {}, and more bytes follow", end),
                "save it again as one array");
  }
  Decoded decoded = decode(std::string_view(bytes).substr(header.data_offset, header.data_bytes),
                           header.shape, header.encoding, path);
  if (conversion != nullptr) {
    const Encoding& encoding = header.encoding;
    *conversion = {std::string(type_name(encoding)),
                   encoding.is_complex,
                   encoding.slope,
                   encoding.intercept,
                   decoded.rounded,
                   decoded.underflows};
  }
  return std::move(decoded.volume);
}

}  // namespace weft::io
