#include "io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "io/atomic_file.hpp"
#include "io/npy_dictionary.hpp"
#include "io/volume_file.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

[[noreturn]] void throw_no_npy(const std::string& source, const std::string& why) {
  throw Error(ErrorCategory::input, fmt::format("'{}' is no .npy file", source), why,
              "save the array with numpy.save");
}

/// Where the header's dictionary stands in the file.
struct Extent {
  std::size_t begin, size;
};

Extent find_dictionary(std::string_view start, const std::string& source) {
  if (start.substr(0, kMagic.size()) != kMagic) {
    throw_no_npy(source, "it does not begin as one");
  }
  if (start.size() < 12) throw_no_npy(source, "it ends within its header");
  const int major = static_cast<unsigned char>(start[6]);
  const int minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0) {
    throw Error(ErrorCategory::input, fmt::format("cannot read '{}'", source),
                fmt::format("its .npy format is {}.{}, not 1.0, 2.0 or 3.0", major, minor),
                "save the array again with numpy.save");
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const Extent extent{8 + length_bytes, little_endian(start.substr(8, length_bytes))};
  if (extent.size > kNpyHeaderBytes - 12) {
    throw_no_npy(source, fmt::format("its header claims {} bytes", extent.size));
  }
  if (start.size() - extent.begin < extent.size) {
    throw_no_npy(source, "it ends within its header");
  }
  return extent;
}

/// An element type as the header names it, behind its byte order.
struct NpyType {
  std::string_view kind;
  Scalar scalar;
  bool is_complex = false;
};

constexpr NpyType kNpyTypes[] = {
    {"b1", Scalar::boolean}, {"?", Scalar::boolean},        {"i1", Scalar::int8},
    {"i2", Scalar::int16},   {"i4", Scalar::int32},         {"i8", Scalar::int64},
    {"u1", Scalar::uint8},   {"u2", Scalar::uint16},        {"u4", Scalar::uint32},
    {"u8", Scalar::uint64},  {"f2", Scalar::float16},       {"f4", Scalar::float32},
    {"f8", Scalar::float64}, {"c8", Scalar::float32, true}, {"c16", Scalar::float64, true},
};

Encoding parse_type(std::string_view type, const std::string& source) {
  if (type.empty()) throw_no_npy(source, "its header names no element type");
  const char order = type[0];
  const bool has_order = order == '<' || order == '>' || order == '=' || order == '|';
  const std::string_view kind = type.substr(has_order ? 1 : 0);
  const auto* const known = std::ranges::find(kNpyTypes, kind, &NpyType::kind);
  if (known == std::end(kNpyTypes)) {
    throw Error(
        ErrorCategory::input, fmt::format("cannot use the elements of '{}'", source),
        fmt::format("their type is '{}'; bool, integers of 8 to 64 bits, float16, float32, "
                    "float64, complex64 and complex128 can be read",
                    type),
        fmt::format("save array.astype(\"{}\")", kind.starts_with('c') ? "complex64" : "float32"));
  }
  Encoding encoding;
  encoding.scalar = known->scalar;
  encoding.is_complex = known->is_complex;
  // Without a byte order of its own ('=', '|' or none) a number is in this machine's.
  encoding.big_endian = order == '>' || (order != '<' && std::endian::native == std::endian::big);
  return encoding;
}

Sides parse_shape(const std::vector<std::uint64_t>& shape, const std::string& source) {
  if (shape.empty()) {
    throw Error(ErrorCategory::input, fmt::format("'{}' has no axes", source), "its shape is ()",
                "save an array of one to four axes");
  }
  Sides sides(shape.begin(), shape.end());
  if (std::ranges::find(sides, 0U) != sides.end()) {
    throw Error(ErrorCategory::input, fmt::format("'{}' is empty", source),
                fmt::format("its shape is {}", tuple_text(sides)),
                "save an array whose sides are at least 1");
  }
  return sides;
}

}  // namespace

bool begins_as_npy(std::string_view start) { return start.starts_with(kMagic); }

ArrayHeader parse_npy_header(std::string_view start, const std::string& source) {
  const Extent extent = find_dictionary(start, source);
  const NpyDictionary dictionary =
      parse_npy_dictionary(start.substr(extent.begin, extent.size), source);
  ArrayHeader header;
  header.encoding = parse_type(dictionary.descr, source);
  header.encoding.first_axis_fastest = dictionary.fortran_order;
  header.sides = parse_shape(dictionary.shape, source);
  header.data_offset = extent.begin + extent.size;
  header.data_bytes = element_bytes(header.encoding);
  for (const std::size_t side : header.sides)
    header.data_bytes = saturating_product(header.data_bytes, side);
  return header;
}

void write_npy(const std::string& path, const Volume& volume) {
  write_npy(path, sides_of(volume.shape), volume.data);
}

std::string npy_header(const Sides& sides) {
  constexpr char kOrder = std::endian::native == std::endian::little ? '<' : '>';
  std::string dictionary = fmt::format("{{'descr': '{}c8', 'fortran_order': False, 'shape': {}, }}",
                                       kOrder, tuple_text(sides));
  const std::size_t unpadded = kMagic.size() + 4 + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dictionary += '\n';

  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(dictionary.size() & 0xff);
  bytes += static_cast<char>(dictionary.size() >> 8);
  return bytes + dictionary;
}

void write_npy(const std::string& path, const Sides& sides,
               std::span<const std::complex<float>> numbers) {
  NewFile file(path);
  file.write(npy_header(sides));
  file.write({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  file.finish();
}

}  // namespace weft::io
