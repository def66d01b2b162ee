#include "io/raw_array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

#include "io/allocate.hpp"
#include "isa/alu.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

/// NumPy's: a byte that is not 0 is true.
struct Boolean {
  std::uint8_t byte;
  explicit operator double() const { return byte != 0 ? 1 : 0; }
  explicit operator float() const { return byte != 0 ? 1 : 0; }
};

struct Half {
  std::uint16_t bits;
  explicit operator double() const { return static_cast<double>(isa::from_half(bits)); }
  explicit operator float() const { return isa::from_half(bits); }
};

/// Whether float32 holds every number of a type.
template <typename T>
constexpr bool kAllFit = sizeof(T) <= 2 || std::is_same_v<T, float>;

bool fits_float32(double number) {
  return static_cast<double>(static_cast<float>(number)) == number;
}

template <std::integral T>
bool fits_float32(T number) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto bits = static_cast<Unsigned>(number);
  const Unsigned magnitude = number < 0 ? static_cast<Unsigned>(0 - bits) : bits;
  return std::bit_width(magnitude) - std::countr_zero(magnitude) <= 24 || magnitude == 0;
}

/// Elements that follow each other in a file, from number `first` of an array on.
struct EncodedRun {
  std::string_view bytes;
  std::size_t first;
  const Sides& sides;
  const Encoding& encoding;
  const std::string& source;
};

template <typename T>
T load(const char* from, bool swap) noexcept {
  char bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  return std::bit_cast<T>(bytes);
}

/// "(1, 0, 3)" of a number in C order.
std::string index_text(std::size_t number, const Sides& sides) {
  Sides index(sides.size());
  for (std::size_t axis = sides.size(); axis-- > 0; number /= sides[axis])
    index[axis] = number % sides[axis];
  return fmt::format("({})", fmt::join(index, ", "));
}

[[noreturn]] void throw_not_finite(const std::string& index, double stored, double scaled,
                                   const std::string& source) {
  const bool overflowed = std::isfinite(scaled);
  throw Error(ErrorCategory::input, fmt::format("'{}' holds an invalid number", source),
              fmt::format("element {} is {}{}", index,
                          overflowed ? scaled : (std::isfinite(stored) ? scaled : stored),
                          overflowed ? ", too large for float32" : ""),
              overflowed ? "scale the array down"
                         : "replace such elements by finite ones, e.g. with numpy.nan_to_num");
}

/// Reads one real number after another, scaled.
template <typename T>
struct Reader {
  const char* next;
  bool swap;
  double slope, intercept;
  bool is_scaled = slope != 1 || intercept != 0;
  std::uint64_t rounded = 0, underflows = 0;

  /// `number`: of the array's, in C order.
  float read(std::size_t number, const Sides& sides, const std::string& source) {
    const T stored = load<T>(next, swap);
    next += sizeof(T);
    const double scaled = static_cast<double>(stored) * slope + intercept;
    const float value = is_scaled ? static_cast<float>(scaled) : static_cast<float>(stored);
    if (!std::isfinite(value)) {
      throw_not_finite(index_text(number, sides), static_cast<double>(stored), scaled, source);
    }
    if (value == 0 && scaled != 0) {
      ++underflows;
    } else if (is_scaled) {
      if (!fits_float32(scaled)) ++rounded;
    } else if constexpr (!kAllFit<T>) {
      if (!fits_float32(stored)) ++rounded;
    }
    return value;
  }
};

/// Elements of an array, all of it if the first axis is the fastest.
template <typename T>
void decode_as(const EncodedRun& run, std::span<std::complex<float>> numbers, Changed& changed) {
  const auto& [bytes, first, sides, encoding, source] = run;
  constexpr bool kHostIsBig = std::endian::native == std::endian::big;
  Reader<T> reader{bytes.data(), encoding.big_endian != kHostIsBig, encoding.slope,
                   encoding.intercept};
  const std::size_t axes = sides.size();
  std::vector<std::size_t> strides(axes, 1), at(axes);
  for (std::size_t axis = axes - 1; axis-- > 0;)
    strides[axis] = strides[axis + 1] * sides[axis + 1];
  std::size_t number = first;  // in C order; `at` is its index
  for (std::size_t count = numbers.size(); count > 0; --count) {
    const float re = reader.read(number, sides, source);
    const float im = encoding.is_complex ? reader.read(number, sides, source) : 0.0F;
    numbers[number - first] = {re, im};
    if (!encoding.first_axis_fastest) {
      ++number;
      continue;
    }
    for (std::size_t axis = 0; axis < axes; ++axis) {
      number += strides[axis];
      if (++at[axis] < sides[axis]) break;
      number -= strides[axis] * sides[axis];
      at[axis] = 0;
    }
  }
  changed.rounded += reader.rounded;
  changed.underflows += reader.underflows;
}

struct ScalarRow {
  std::string_view name, complex_name;
  std::uint64_t bytes;
  void (*decode)(const EncodedRun& run, std::span<std::complex<float>> numbers, Changed& changed);
};

/// In the order of Scalar.
constexpr ScalarRow kScalars[] = {
    {"bool", "", 1, decode_as<Boolean>},           {"int8", "", 1, decode_as<std::int8_t>},
    {"int16", "", 2, decode_as<std::int16_t>},     {"int32", "", 4, decode_as<std::int32_t>},
    {"int64", "", 8, decode_as<std::int64_t>},     {"uint8", "", 1, decode_as<std::uint8_t>},
    {"uint16", "", 2, decode_as<std::uint16_t>},   {"uint32", "", 4, decode_as<std::uint32_t>},
    {"uint64", "", 8, decode_as<std::uint64_t>},   {"float16", "", 2, decode_as<Half>},
    {"float32", "complex64", 4, decode_as<float>}, {"float64", "complex128", 8, decode_as<double>},
};
static_assert(std::size(kScalars) == static_cast<std::size_t>(Scalar::float64) + 1);

const ScalarRow& row_of(const Encoding& encoding) {
  return kScalars[static_cast<std::size_t>(encoding.scalar)];
}

}  // namespace

std::uint64_t element_bytes(const Encoding& encoding) noexcept {
  return row_of(encoding).bytes * (encoding.is_complex ? 2 : 1);
}

std::string_view type_name(const Encoding& encoding) noexcept {
  return encoding.is_complex ? row_of(encoding).complex_name : row_of(encoding).name;
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  return a != 0 && b > kMost / a ? kMost : a * b;
}

std::vector<std::complex<float>> decode(std::string_view bytes, const Sides& sides,
                                        const Encoding& encoding, const std::string& source,
                                        Changed& changed) {
  std::vector<std::complex<float>> numbers =
      allocate_numbers(sides, fmt::format("the array of '{}'", source));
  decode_run(bytes, 0, sides, encoding, source, numbers, changed);
  return numbers;
}

void decode_run(std::string_view bytes, std::size_t first, const Sides& sides,
                const Encoding& encoding, const std::string& source,
                std::span<std::complex<float>> numbers, Changed& changed) {
  if (bytes.size() != saturating_product(element_bytes(encoding), numbers.size())) {
    throw Error(ErrorCategory::emulator, fmt::format("reading '{}' went wrong", source),
                "header and data were not checked against each other", "please report it");
  }
  row_of(encoding).decode({bytes, first, sides, encoding, source}, numbers, changed);
}

}  // namespace weft::io
