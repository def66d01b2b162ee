#include "fft/wsfft/placement.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "fft/tiles.hpp"

namespace weft::wsfft {
namespace {

/// The numbers of a PE, and where they stand among those of all arrays.
class Places {
 public:
  /// `strides`: of the axes. `array`: from an array to the next.
  Places(const Division& division, const Arrangement& arrangement,
         const std::array<std::int64_t, 3>& strides, std::int64_t array)
      : division_(division),
        px_(static_cast<std::size_t>(division.px)),
        py_(static_cast<std::size_t>(division.py)),
        across_(static_cast<std::size_t>(division.across)),
        array_(static_cast<std::size_t>(array)),
        numbers_(static_cast<std::size_t>(division.numbers())),
        pitch_(static_cast<std::size_t>(arrangement.pitch(division))),
        after_(arrangement.after),
        folded_(arrangement.is_folded()) {
    const auto [e0, e1, e2] = arrangement.extents(division);
    extents_ = {static_cast<std::size_t>(e0), static_cast<std::size_t>(e1),
                static_cast<std::size_t>(e2)};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<std::size_t>(arrangement.axes[k]);
      strides_[k] = static_cast<std::size_t>(strides[axis]);
      sides_[k] = static_cast<std::size_t>(division.sides[axis]);
    }
    if (division.inner > 1 && arrangement.axes[0] == 2)
      lines_ = static_cast<std::size_t>(division.lines());
  }

  std::size_t numbers() const { return numbers_; }  ///< that a PE has room for
  std::size_t pencils() const { return extents_[0] * extents_[1]; }
  std::size_t pencil() const { return extents_[2]; }  ///< its numbers
  std::size_t pitch() const { return pitch_; }        ///< from a pencil to the next in a PE
  std::size_t step() const { return strides_[2]; }    ///< from a number of a pencil to the next
  /// The first number of a pencil of PE (x, y); nothing if the pencil is padding.
  std::optional<std::size_t> start(std::size_t x, std::size_t y, std::size_t pencil) const {
    const std::size_t part_x = part_at(x, Axis::row), part_y = part_at(y, Axis::column);
    const std::size_t first =
        (folded_ ? part_x * py_ + part_y : part_x) * extents_[0] + pencil / extents_[1];
    const std::size_t second = folded_ ? 0 : part_y * extents_[1] + pencil % extents_[1];
    if (first >= sides_[0] || second >= sides_[1]) return {};
    return (y / py_ * across_ + x / px_) * array_ + turned(first * strides_[0]) +
           second * strides_[1];
  }

 private:
  /// The place in a plane of the number that lies here when it is column by column.
  std::size_t turned(std::size_t place) const {
    if (lines_ == 0) return place;
    return place % lines_ * static_cast<std::size_t>(division_.inner) + place / lines_;
  }

  std::size_t part_at(std::size_t x, Axis axis) const {
    return static_cast<std::size_t>(division_.part_at(static_cast<int>(x), axis, after_));
  }

  Division division_;
  std::size_t px_, py_, across_, array_, numbers_, pitch_;
  std::array<std::size_t, 3> extents_{}, strides_{}, sides_{};
  bool after_, folded_;
  std::size_t lines_ = 0;  ///< of planes that are divided along x
};

Places places_of(const Division& division, const Arrangement& arrangement) {
  return {division, arrangement, strides_of(division, arrangement), division.size()};
}

/// f(place of the first number of the pencil, number in the pencil, number of the PEs) for all
/// numbers of the PEs of a rectangle that are no padding; they are numbered pencil by pencil, PE by
/// PE, row by row. In turns of a few of each pencil, which share cache lines with their neighbours
/// in an array.
template <class F>
void for_numbers(const Rect& where, const Places& places, F f) {
  constexpr std::size_t kTurn = 8;
  const auto width = static_cast<std::size_t>(where.width);
  const auto height = static_cast<std::size_t>(where.height);
  const std::size_t n = places.pencil();
  for (std::size_t first = 0; first < n; first += kTurn)
    for (std::size_t pe = 0; pe < width * height; ++pe) {
      const std::size_t x = static_cast<std::size_t>(where.x) + pe % width;
      const std::size_t y = static_cast<std::size_t>(where.y) + pe / width;
      for (std::size_t pencil = 0; pencil < places.pencils(); ++pencil) {
        const std::optional<std::size_t> start = places.start(x, y, pencil);
        if (!start) continue;
        const std::size_t number = pe * places.numbers() + pencil * places.pitch();
        for (std::size_t k = first; k < std::min(first + kTurn, n); ++k) f(*start, k, number + k);
      }
    }
}

std::vector<std::uint32_t> room_for(const Rect& where, const Division& division, Numbers numbers) {
  const auto pes = static_cast<std::size_t>(where.width) * static_cast<std::size_t>(where.height);
  return std::vector<std::uint32_t>(pes * static_cast<std::size_t>(division.numbers()) *
                                    static_cast<std::size_t>(numbers.words()));
}

}  // namespace

void scatter(Fabric& fabric, const fft::GivenArrays& arrays, const Division& division,
             Numbers numbers, const Arrangement& arrangement, std::uint32_t address) {
  const auto words = static_cast<std::size_t>(numbers.words());
  const Places places = places_of(division, arrangement);
  fft::for_tiles(arrays.pes(), arrays.threads(), [&](const Rect& where) {
    std::vector<std::uint32_t> pencils = room_for(where, division, numbers);
    for_numbers(where, places, [&](std::size_t start, std::size_t k, std::size_t number) {
      const std::size_t index = start + k * places.step();
      if (index < arrays.size()) encode(numbers, arrays.get(index), &pencils[words * number]);
    });
    arrays.write(fabric, where, address, pencils);
  });
}

void scatter_roots(Fabric& fabric, const Division& division, Numbers numbers,
                   FftDirection direction, int superstep, std::uint32_t address, int threads) {
  const auto words = static_cast<std::size_t>(numbers.words());
  const Roots roots = roots_of(division, direction, superstep);
  const Arrangement now = arrangements_of(division, direction)[static_cast<std::size_t>(superstep)];
  const Places places(division, now, roots.weights, 0);
  const double angle = (direction == FftDirection::forward ? -2 : 2) * std::numbers::pi /
                       static_cast<double>(roots.n);
  fft::for_tiles(division.width(), division.height(), threads, [&](const Rect& where) {
    std::vector<std::uint32_t> factors = room_for(where, division, numbers);
    for_numbers(where, places, [&](std::size_t weight, std::size_t k, std::size_t number) {
      const std::complex<double> root = std::polar(1.0, angle * static_cast<double>(weight * k));
      encode(numbers, std::complex<float>(root), &factors[words * number]);
    });
    fabric.write(where, address, factors);
  });
}

void gather(const Fabric& fabric, const fft::TakenArrays& arrays, const Division& division,
            Numbers numbers, const Arrangement& arrangement, std::uint32_t address) {
  const auto words = static_cast<std::size_t>(numbers.words());
  const Places places = places_of(division, arrangement);
  fft::for_tiles(arrays.pes(), arrays.threads(), [&](const Rect& where) {
    std::vector<std::uint32_t> pencils = room_for(where, division, numbers);
    arrays.read(fabric, where, address, pencils);
    for_numbers(where, places, [&](std::size_t start, std::size_t k, std::size_t number) {
      const std::size_t index = start + k * places.step();
      if (index < arrays.size()) arrays.put(index, decode(numbers, &pencils[words * number]));
    });
  });
}

}  // namespace weft::wsfft
