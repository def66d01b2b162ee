#include "fft/wsfft/real_placement.hpp"

#include <vector>

#include "fft/tiles.hpp"

namespace weft::wsfft {
namespace {

/// Where a number of the array stands in a PE.
struct NumberPlace {
  std::size_t index;   ///< in the arrays
  std::size_t number;  ///< of the PE
  std::size_t part;    ///< 0: the real part, 1: the imaginary one; kWhole: both
};

constexpr std::size_t kWhole = 2;

/// The numbers of PEs that lie as in space, two real pencils in one, or as a half spectrum.
class RealPlaces {
 public:
  RealPlaces(const Division& d, const Arrangement& arrangement, bool in_space)
      : division_(d), in_space_(in_space) {
    const std::size_t last = static_cast<std::size_t>(in_space ? d.sides[2] : d.spectrum());
    const std::size_t sides[] = {static_cast<std::size_t>(d.sides[0]),
                                 static_cast<std::size_t>(d.sides[1]), last};
    const std::size_t strides[] = {sides[1] * last, last, 1};
    array_ = sides[0] * strides[0];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<std::size_t>(arrangement.axes[k]);
      sides_[k] = sides[axis];
      strides_[k] = strides[axis];
    }
    extents_ = {static_cast<std::size_t>(d.block(arrangement.axes[0], Axis::row)),
                static_cast<std::size_t>(d.block(arrangement.axes[1], Axis::column))};
    pitch_ = in_space ? sides_[2] : static_cast<std::size_t>(arrangement.pitch(d));
  }

  /// f(NumberPlace) for each number of PE (x, y) that is one of an array's.
  template <class F>
  void for_numbers(int x, int y, F f) const {
    const int number = y / division_.py * division_.across + x / division_.px;
    const auto array = static_cast<std::size_t>(number);
    const auto first_part = static_cast<std::size_t>(division_.part_at(x, Axis::row));
    const auto second_part = static_cast<std::size_t>(division_.part_at(y, Axis::column));
    for (std::size_t i = 0; i < extents_[0]; ++i) {
      const std::size_t first = first_part * extents_[0] + i;
      if (first >= sides_[0]) return;
      for (std::size_t j = 0; j < extents_[1]; ++j) {
        const std::size_t second = second_part * extents_[1] + j;
        if (second >= sides_[1]) break;
        const std::size_t pencil = i * extents_[1] + j;
        const std::size_t start = array * array_ + first * strides_[0] + second * strides_[1];
        for (std::size_t k = 0; k < sides_[2]; ++k)
          f(NumberPlace{start + k * strides_[2], (in_space_ ? pencil / 2 : pencil) * pitch_ + k,
                        in_space_ ? pencil % 2 : kWhole});
      }
    }
  }

 private:
  Division division_;
  bool in_space_;
  std::size_t array_ = 0;                  ///< from an array to the next
  std::size_t sides_[3]{}, strides_[3]{};  ///< of the array, by the arrangement's axes
  std::array<std::size_t, 2> extents_{};   ///< pencils of a PE
  std::size_t pitch_ = 0;                  ///< from a pencil to the next in memory
};

/// f(PEs, their numbers) for tiles of PEs.
template <class F>
void for_pes(const Division& division, const Rect& all, int threads, F f) {
  fft::for_tiles(all, threads, [&](const Rect& where) {
    const auto pes = static_cast<std::size_t>(where.width) * static_cast<std::size_t>(where.height);
    std::vector<std::complex<float>> values(pes * static_cast<std::size_t>(division.numbers()));
    f(where, values);
  });
}

/// f(NumberPlace, the number) for all PEs of a tile.
template <class Values, class F>
void for_values(const RealPlaces& places, const Division& division, const Rect& where,
                Values& values, F f) {
  std::size_t first = 0;
  for (int y = where.y; y < where.y + where.height; ++y)
    for (int x = where.x; x < where.x + where.width; ++x) {
      places.for_numbers(x, y, [&](const NumberPlace& at) { f(at, values[first + at.number]); });
      first += static_cast<std::size_t>(division.numbers());
    }
}

/// Of a transform at its start, or at its end.
RealPlaces places_of(const Division& division, FftDirection direction, bool at_start) {
  const auto arrangements = arrangements_of(division, direction);
  return {division, at_start ? arrangements.front() : arrangements.back(),
          (direction == FftDirection::forward) == at_start};
}

}  // namespace

void scatter_real(Fabric& fabric, const fft::GivenArrays& arrays, const Division& division,
                  Numbers numbers, FftDirection direction, std::uint32_t address) {
  const auto words = static_cast<std::size_t>(numbers.words());
  const RealPlaces places = places_of(division, direction, true);
  for_pes(division, arrays.pes(), arrays.threads(),
          [&](const Rect& where, std::vector<std::complex<float>>& values) {
            for_values(places, division, where, values,
                       [&](const NumberPlace& at, std::complex<float>& value) {
                         if (at.index >= arrays.size()) return;
                         const std::complex<float> number = arrays.get(at.index);
                         if (at.part == kWhole)
                           value = number;
                         else
                           (at.part == 0) ? value.real(number.real()) : value.imag(number.real());
                       });
            std::vector<std::uint32_t> all(words * values.size());
            for (std::size_t k = 0; k < values.size(); ++k)
              encode(numbers, values[k], &all[words * k]);
            arrays.write(fabric, where, address, all);
          });
}

void gather_real(const Fabric& fabric, const fft::TakenArrays& arrays, const Division& division,
                 Numbers numbers, FftDirection direction, std::uint32_t address) {
  const auto words = static_cast<std::size_t>(numbers.words());
  const RealPlaces places = places_of(division, direction, false);
  for_pes(division, arrays.pes(), arrays.threads(),
          [&](const Rect& where, std::vector<std::complex<float>>& values) {
            std::vector<std::uint32_t> all(words * values.size());
            arrays.read(fabric, where, address, all);
            for (std::size_t k = 0; k < values.size(); ++k)
              values[k] = decode(numbers, &all[words * k]);
            for_values(places, division, where, values,
                       [&](const NumberPlace& at, std::complex<float>& value) {
                         if (at.index >= arrays.size()) return;
                         arrays.put(at.index, at.part == kWhole ? value
                                              : at.part == 0    ? std::complex<float>(value.real())
                                                             : std::complex<float>(value.imag()));
                       });
          });
}

}  // namespace weft::wsfft
