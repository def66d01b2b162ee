#include "io/nifti.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nifti1_io.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <span>

#include "weft/error.hpp"

namespace weft::io {

namespace {

static_assert(sizeof(nifti_1_header) == kNiftiHeaderBytes);

constexpr int kHeaderSize = 348;
constexpr int kNifti2HeaderSize = 540;
/// The header and its four extension bytes: no data can begin before.
constexpr float kLeastOffset = 352.0F;

[[noreturn]] void throw_bad(const std::string& source, const std::string& why,
                            const std::string& remedy) {
  throw Error(ErrorCategory::input, fmt::format("cannot read '{}'", source), why, remedy);
}

int swapped(int value) {
  nifti_swap_4bytes(1, &value);
  return value;
}

/// The header in this machine's byte order.
struct NativeHeader {
  nifti_1_header fields;
  bool was_swapped;
};

NativeHeader load_header(std::string_view start, const std::string& source) {
  NativeHeader header{};
  if (start.size() < kNiftiHeaderBytes) {
    throw_bad(source, "it ends within its header", "copy or download it again");
  }
  std::memcpy(&header.fields, start.data(), kNiftiHeaderBytes);
  const int size = header.fields.sizeof_hdr;
  if (size == kNifti2HeaderSize || swapped(size) == kNifti2HeaderSize) {
    throw_bad(source, "it is a NIfTI-2 file", "convert it to NIfTI-1 or .npy");
  }
  header.was_swapped = size != kHeaderSize;
  if (header.was_swapped && swapped(size) != kHeaderSize) {
    throw_bad(source, "it does not begin as a NIfTI file", "give it the suffix of its format");
  }
  if (header.was_swapped) swap_nifti_header(&header.fields, 1);
  if (std::memcmp(header.fields.magic, "n+1", 4) != 0) {
    throw_bad(source, "its header is not that of a single-file NIfTI-1 image",
              "convert it to a .nii or .npy file");
  }
  return header;
}

Sides parse_shape(const nifti_1_header& fields, const std::string& source) {
  const int axes = fields.dim[0];
  if (axes < 1 || axes > 7) {
    throw_bad(source, fmt::format("its header claims {} axes", axes), "copy or download it again");
  }
  const std::span sides(fields.dim + 1, static_cast<std::size_t>(axes));
  const std::string shape_found = fmt::format("its shape is ({})", fmt::join(sides, ", "));
  const auto last = sides.subspan(std::min<std::size_t>(sides.size(), 3));
  // Some programs leave 0 where an axis is not used.
  if (axes < 3 || std::any_of(last.begin(), last.end(), [](short side) { return side > 1; })) {
    throw Error(ErrorCategory::input, fmt::format("'{}' is not 3-D", source), shape_found,
                axes < 3 ? "save it as .npy" : "save one volume of it");
  }
  if (std::any_of(sides.begin(), sides.begin() + 3, [](short side) { return side < 1; })) {
    throw Error(ErrorCategory::input, fmt::format("'{}' is empty", source), shape_found,
                "use an image whose three sides are at least 1");
  }
  return {static_cast<std::size_t>(sides[0]), static_cast<std::size_t>(sides[1]),
          static_cast<std::size_t>(sides[2])};
}

struct ElementType {
  int datatype;
  Scalar scalar;
  bool is_complex = false;
};

constexpr ElementType kTypes[] = {
    {NIFTI_TYPE_INT8, Scalar::int8},
    {NIFTI_TYPE_INT16, Scalar::int16},
    {NIFTI_TYPE_INT32, Scalar::int32},
    {NIFTI_TYPE_INT64, Scalar::int64},
    {NIFTI_TYPE_UINT8, Scalar::uint8},
    {NIFTI_TYPE_UINT16, Scalar::uint16},
    {NIFTI_TYPE_UINT32, Scalar::uint32},
    {NIFTI_TYPE_UINT64, Scalar::uint64},
    {NIFTI_TYPE_FLOAT32, Scalar::float32},
    {NIFTI_TYPE_FLOAT64, Scalar::float64},
    {NIFTI_TYPE_COMPLEX64, Scalar::float32, true},
    {NIFTI_TYPE_COMPLEX128, Scalar::float64, true},
};

Encoding parse_encoding(const NativeHeader& header, const std::string& source) {
  const nifti_1_header& fields = header.fields;
  const auto* const type = std::ranges::find(kTypes, fields.datatype, &ElementType::datatype);
  if (type == std::end(kTypes)) {
    throw Error(ErrorCategory::input, fmt::format("cannot use the elements of '{}'", source),
                fmt::format("their type is {} ({})", nifti_datatype_string(fields.datatype),
                            fields.datatype),
                "convert the image to float32");
  }
  Encoding encoding{.scalar = type->scalar,
                    .is_complex = type->is_complex,
                    .big_endian = (std::endian::native == std::endian::big) != header.was_swapped,
                    .first_axis_fastest = true};
  // The format's rule: a slope of 0 says that the numbers are not scaled.
  if (std::isfinite(fields.scl_slope) && fields.scl_slope != 0) {
    encoding.slope = fields.scl_slope;
    encoding.intercept = std::isfinite(fields.scl_inter) ? fields.scl_inter : 0;
  }
  return encoding;
}

std::uint64_t parse_offset(const nifti_1_header& fields, const std::string& source) {
  constexpr float kMostOffset = 1.0e9F;  // exact integers end far below, at 2^24
  const float offset = fields.vox_offset;
  if (!(offset >= kLeastOffset && offset <= kMostOffset) || offset != std::floor(offset)) {
    throw_bad(source, fmt::format("its header says that the data begins at byte {}", offset),
              "write it again, e.g. with nibabel.save");
  }
  return static_cast<std::uint64_t>(offset);
}

}  // namespace

bool begins_as_nifti(std::string_view start) {
  int size = 0;
  if (start.size() < kNiftiHeaderBytes) return false;
  std::memcpy(&size, start.data(), sizeof size);
  return std::ranges::any_of(std::array{size, swapped(size)}, [](int bytes) {
    return bytes == kHeaderSize || bytes == kNifti2HeaderSize;
  });
}

ArrayHeader parse_nifti_header(std::string_view start, const std::string& source) {
  const NativeHeader native = load_header(start, source);
  ArrayHeader header;
  header.sides = parse_shape(native.fields, source);
  header.encoding = parse_encoding(native, source);
  header.data_offset = parse_offset(native.fields, source);
  // Sides are below 2^15, so this cannot overflow.
  header.data_bytes = shape_of(header.sides).size() * element_bytes(header.encoding);
  return header;
}

}  // namespace weft::io
