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
#include <optional>
#include <type_traits>
#include <vector>

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

/// Elements that follow each other in a file, from element `first` on.
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

/// The index of an element of a file.
Sides index_of(std::size_t element, const Sides& sides, bool first_axis_fastest) {
  const std::size_t axes = sides.size();
  Sides index(axes);
  for (std::size_t k = 0; k < axes; ++k) {
    const std::size_t axis = first_axis_fastest ? k : axes - 1 - k;
    index[axis] = element % sides[axis];
    element /= sides[axis];
  }
  return index;
}

/// The numbers that a file's elements have in C order, one after the other.
class NumbersInC {
 public:
  NumbersInC(const Sides& sides, bool first_axis_fastest, std::size_t first)
      : sides_(sides),
        is_c_(!first_axis_fastest),
        strides_(sides.size(), 1),
        index_(index_of(first, sides, first_axis_fastest)) {
    for (std::size_t axis = sides.size() - 1; axis-- > 0;)
      strides_[axis] = strides_[axis + 1] * sides[axis + 1];
    for (std::size_t axis = 0; axis < sides.size(); ++axis)
      number_ += strides_[axis] * index_[axis];
  }
  std::size_t number() const { return number_; }
  void next() {
    if (is_c_) {
      ++number_;
      return;
    }
    for (std::size_t axis = 0; axis < sides_.size(); ++axis) {
      number_ += strides_[axis];
      if (++index_[axis] < sides_[axis]) return;
      number_ -= strides_[axis] * sides_[axis];
      index_[axis] = 0;
    }
  }

 private:
  const Sides& sides_;
  bool is_c_;
  Sides strides_, index_;
  std::size_t number_ = 0;
};

/// Where numbers stand among those of ascending runs.
class PlacesInRuns {
 public:
  explicit PlacesInRuns(std::span<const NumberRun> runs) : runs_(runs), starts_(runs.size()) {
    for (std::size_t k = 1; k < runs.size(); ++k) starts_[k] = starts_[k - 1] + runs[k - 1].count;
  }
  /// None: no run has the number.
  std::optional<std::size_t> find(std::size_t number) {
    if (!follows(at_, number)) go_to(number);
    if (!follows(at_, number)) return {};
    const std::size_t further = number - runs_[at_].first;
    if (further >= runs_[at_].count) return {};
    return starts_[at_] + further;
  }
  /// The run that was found last is.
  bool counted() const { return runs_[at_].counted; }

 private:
  /// The number is in run k, or behind it and before the next one.
  bool follows(std::size_t k, std::size_t number) const {
    return k < runs_.size() && runs_[k].first <= number &&
           (k + 1 == runs_.size() || number < runs_[k + 1].first);
  }
  /// In Fortran order, elements that follow each other are often in runs of a constant distance.
  void go_to(std::size_t number) {
    const std::size_t before = at_;
    at_ += step_;
    if (follows(at_, number)) return;
    const auto behind = std::ranges::upper_bound(runs_, number, {}, &NumberRun::first);
    const auto k = static_cast<std::size_t>(behind - runs_.begin());
    at_ = k == 0 ? 0 : k - 1;
    step_ = at_ - before;
  }

  std::span<const NumberRun> runs_;
  std::vector<std::size_t> starts_;
  std::size_t at_ = 0, step_ = 1;
};

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

  /// `element`: its place in the file.
  float read(std::size_t element, const EncodedRun& run) {
    const T stored = load<T>(next, swap);
    next += sizeof(T);
    const double scaled = static_cast<double>(stored) * slope + intercept;
    const float value = is_scaled ? static_cast<float>(scaled) : static_cast<float>(stored);
    if (!std::isfinite(value)) {
      const Sides index = index_of(element, run.sides, run.encoding.first_axis_fastest);
      throw_not_finite(fmt::format("({})", fmt::join(index, ", ")), static_cast<double>(stored),
                       scaled, run.source);
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

/// Decodes elements in the file's order.
template <typename T>
void decode_as(const EncodedRun& run, std::span<std::complex<float>> numbers, Changed& changed) {
  constexpr bool kHostIsBig = std::endian::native == std::endian::big;
  const Encoding& encoding = run.encoding;
  Reader<T> reader{run.bytes.data(), encoding.big_endian != kHostIsBig, encoding.slope,
                   encoding.intercept};
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const float re = reader.read(run.first + k, run);
    const float im = encoding.is_complex ? reader.read(run.first + k, run) : 0.0F;
    numbers[k] = {re, im};
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

void decode_run(std::string_view bytes, std::size_t first, const Sides& sides,
                const Encoding& encoding, const std::string& source,
                std::span<std::complex<float>> numbers, Changed& changed) {
  if (bytes.size() != saturating_product(element_bytes(encoding), numbers.size())) {
    throw Error(ErrorCategory::emulator, fmt::format("reading '{}' went wrong", source),
                "header and data were not checked against each other", "please report it");
  }
  row_of(encoding).decode({bytes, first, sides, encoding, source}, numbers, changed);
}

void decode_part(std::string_view bytes, std::size_t first, const Sides& sides,
                 const Encoding& encoding, const std::string& source,
                 std::span<const NumberRun> runs, std::span<std::complex<float>> numbers,
                 Changed& changed) {
  const std::uint64_t each = element_bytes(encoding);
  NumbersInC in_c(sides, encoding.first_axis_fastest, first);
  PlacesInRuns in_part(runs);
  std::size_t begin = 0;  // of elements that are all in the part, and all counted or none
  bool counted = true;
  Changed of_others;
  std::vector<std::size_t> places;
  std::vector<std::complex<float>> decoded;
  const auto decode_those = [&] {
    decoded.resize(places.size());
    decode_run(bytes.substr(begin * each, places.size() * each), first + begin, sides, encoding,
               source, decoded, counted ? changed : of_others);
    for (std::size_t k = 0; k < places.size(); ++k) numbers[places[k]] = decoded[k];
    places.clear();
  };
  for (std::size_t k = 0; k < bytes.size() / each; ++k, in_c.next()) {
    if (const auto place = in_part.find(in_c.number())) {
      if (!places.empty() && in_part.counted() != counted) decode_those();
      if (places.empty()) begin = k;
      counted = in_part.counted();
      places.push_back(*place);
    } else if (!places.empty()) {
      decode_those();
    }
  }
  decode_those();
}

}  // namespace weft::io
