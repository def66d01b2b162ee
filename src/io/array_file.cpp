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

std::size_t ArrayFile::size() const { return header_.data_bytes / element_bytes(header_.encoding); }

/// The file's bytes from `position` on. Of a compressed file: those that come next.
void ArrayFile::read_at(std::uint64_t position, std::span<char> to) {
  std::size_t got = 0;
  if (file_.is_plain()) {
    got = file_.read_at(position, to);
  } else {
    if (position < bytes_.size()) got = bytes_.copy(to.data(), to.size(), position);
    got += file_.read_next(to.subspan(got));
  }
  if (got < to.size()) check_size(header_, position + got, path_);
}

/// take(first, bytes) for elements in the file's order, in pieces.
template <class F>
void ArrayFile::for_elements(std::size_t first, std::size_t count, const F& take) {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 20U;
  const std::uint64_t each = element_bytes(header_.encoding);
  std::vector<char> bytes;
  for (std::size_t done = 0, now = 0; done < count; done += now) {
    now = std::min(kMostAtOnce, count - done);
    bytes.resize(now * each);
    read_at(header_.data_offset + (first + done) * each, bytes);
    take(first + done, std::string_view(bytes.data(), bytes.size()));
  }
}

std::vector<std::complex<float>> ArrayFile::read(Conversion* conversion) {
  const NumberRun all{0, size()};
  return read_part({&all, 1}, conversion);
}

std::vector<std::complex<float>> ArrayFile::read_part(std::span<const NumberRun> runs,
                                                      Conversion* conversion) {
  const auto& [sides, encoding, data_offset, data_bytes] = header_;
  std::size_t count = 0;
  for (const NumberRun& run : runs) count += run.count;
  const bool all = count == size();
  if (all && !file_.is_plain()) {  // it may hold far less than its header says: first its bytes
    file_.read_until(bytes_, data_offset + data_bytes);
    check_size(header_, bytes_.size(), path_);
  }
  std::vector<std::complex<float>> numbers = allocate_numbers(
      all ? sides : Sides{count}, fmt::format("{} of '{}'", all ? "the array" : "a part", path_));
  Changed changed, of_others;
  if (!file_.is_plain()) file_.read_until(bytes_, data_offset);
  if (!encoding.first_axis_fastest && (all || file_.is_plain())) {
    std::span<std::complex<float>> rest(numbers);
    for (const NumberRun& run : runs)
      for_elements(run.first, run.count, [&](std::size_t first, std::string_view bytes) {
        const std::size_t now = bytes.size() / element_bytes(encoding);
        decode_run(bytes, first, sides, encoding, path_, rest.first(now),
                   run.counted ? changed : of_others);
        rest = rest.subspan(now);
      });
  } else {
    for_elements(0, size(), [&](std::size_t first, std::string_view bytes) {
      decode_part(bytes, first, sides, encoding, path_, runs, numbers, changed);
    });
  }
  if (file_.is_plain()) file_.read_at(data_offset + data_bytes, {});
  check_nothing_follows();
  bytes_ = {};
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
