#include "io/array_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "io/allocate.hpp"
#include "io/nifti.hpp"
#include "io/npy.hpp"
#include "io/other_content.hpp"
#include "io/sides.hpp"
#include "io/suffix.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

/// The reader's facts of a file format; one row each below.
struct Format {
  bool (*begins)(std::string_view start);
  std::size_t header_bytes;
  ArrayHeader (*parse_header)(std::string_view start, const std::string& source);
};

constexpr Format kNpy{begins_as_npy, kNpyHeaderBytes, parse_npy_header};
constexpr Format kNifti{begins_as_nifti, kNiftiHeaderBytes, parse_nifti_header};

struct Suffix {
  std::string_view text;
  const Format& format;
};

constexpr Suffix kSuffixes[] = {{".npy", kNpy}, {".nii", kNifti}, {".nii.gz", kNifti}};

/// Null if there is none.
const Suffix* find_suffix(std::string_view path) {
  const auto* const found = std::ranges::find_if(
      kSuffixes, [&](const Suffix& suffix) { return has_suffix(path, suffix.text); });
  return found == std::end(kSuffixes) ? nullptr : found;
}

const Format& format_of(std::string_view start, const std::string& path) {
  for (const Format* format : {&kNpy, &kNifti})
    if (format->begins(start)) return *format;
  refuse_other_content(start, path);
  if (const Suffix* const suffix = find_suffix(path)) return suffix->format;
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
                          shape_text(header.sides), header.data_bytes, header.data_offset),
              "copy or save it again");
}

}  // namespace

bool names_volume(std::string_view path) { return find_suffix(path) != nullptr; }

ArrayFile::ArrayFile(const std::string& path) : path_(path), file_(path) {
  file_.read_until(bytes_, kRecognizedBytes);
  const Format& format = format_of(bytes_, path);
  file_.read_until(bytes_, format.header_bytes);
  header_ = format.parse_header(bytes_, path);
  check_size(header_, file_.largest_content(), path);
}

/// Throws unless zero bytes follow the array, if any; `bytes_` may have some of them.
void ArrayFile::check_nothing_follows() {
  const std::uint64_t end = header_.data_offset + header_.data_bytes;
  const bool zeros =
      bytes_.size() <= end || std::all_of(bytes_.begin() + static_cast<std::ptrdiff_t>(end),
                                          bytes_.end(), [](char byte) { return byte == 0; });
  if (zeros && file_.only_zeros_follow()) return;
  throw Error(ErrorCategory::input, fmt::format("'{}' is too long", path_),
              fmt::format("its array ends at byte {}, and more bytes follow", end),
              "save it again as one array");
}

Conversion ArrayFile::conversion(const Changed& changed) const {
  const Encoding& encoding = header_.encoding;
  return {std::string(type_name(encoding)),
          encoding.is_complex,
          encoding.slope,
          encoding.intercept,
          changed.rounded,
          changed.underflows};
}

std::vector<std::complex<float>> ArrayFile::read(Conversion* conversion) {
  file_.read_until(bytes_, header_.data_offset + header_.data_bytes);
  check_size(header_, bytes_.size(), path_);
  check_nothing_follows();
  Changed changed;
  std::vector<std::complex<float>> numbers =
      decode(std::string_view(bytes_).substr(header_.data_offset, header_.data_bytes),
             header_.sides, header_.encoding, path_, changed);
  bytes_ = {};
  if (conversion != nullptr) *conversion = this->conversion(changed);
  return numbers;
}

std::vector<std::complex<float>> ArrayFile::read_part(std::span<const NumberRun> runs,
                                                      Conversion* conversion) {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 20U;  // numbers
  std::size_t size = 0;
  for (const NumberRun& run : runs) size += run.count;
  std::vector<std::complex<float>> numbers =
      allocate_numbers({size}, fmt::format("a part of the array of '{}'", path_));
  const std::uint64_t each = element_bytes(header_.encoding);
  Changed changed;
  std::vector<char> bytes;
  std::span<std::complex<float>> rest(numbers);
  for (const auto& [first, count] : runs)
    for (std::size_t done = 0; done < count;) {
      const std::size_t now = std::min(kMostAtOnce, count - done);
      bytes.resize(now * each);
      const std::uint64_t at = header_.data_offset + (first + done) * each;
      check_size(header_, file_.read_at(at, bytes) == bytes.size() ? file_.largest_content() : at,
                 path_);
      decode_run({bytes.data(), bytes.size()}, first + done, header_.sides, header_.encoding, path_,
                 rest.first(now), changed);
      rest = rest.subspan(now);
      done += now;
    }
  file_.read_at(header_.data_offset + header_.data_bytes, {});
  check_nothing_follows();
  if (conversion != nullptr) *conversion = this->conversion(changed);
  return numbers;
}

Volume read_volume(const std::string& path, Conversion* conversion) {
  ArrayFile file(path);
  const Sides& sides = file.sides();
  if (const Sides fewer = squeezed(sides);
      sides.size() > 4 || (sides.size() == 4 && fewer != sides)) {
    throw Error(ErrorCategory::input, fmt::format("'{}' has too many axes", path),
                fmt::format("its shape is {}", tuple_text(sides)),
                fewer.size() <= 4 ? fmt::format("reshape it to {}", tuple_text(fewer))
                                  : "save one part of it with four axes, e.g. array[0]");
  }
  const Shape3 shape = shape_of(sides);
  return {shape, file.read(conversion)};
}

}  // namespace weft::io
