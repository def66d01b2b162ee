#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fabric/access.hpp"
#include "fft/wsfft/division.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"

/// The parts of arrays that processes have which share a fabric.
namespace weft::fft {

/// Whether the arrays of a division can be given in parts, as is asked for: rows of PEs have ranges
/// along an axis.
bool lies_in_parts(const wsfft::Division& division, const FftOptions& options);
/// ... and several processes share them.
bool has_parts(const wsfft::Division& division, const FftOptions& options);

/// The part of a process before a transform, or after it; without parts, all. No rank: this one.
FftPart part_of(const FftPlan& plan, const wsfft::Division& division, FftDirection direction,
                bool at_start, std::optional<int> rank);

/// The PEs of a process, of those of a plan; without parts, all.
Rect own_pes(const wsfft::Division& division, const FftOptions& options,
             std::optional<int> rank = {});

/// The numbers of an array, in C order: `outer` times the indices of the axis that is divided, of
/// which each has `inner` numbers.
struct AroundAxis {
  std::size_t outer, indices, inner;
  std::size_t plane() const { return indices * inner; }
};
AroundAxis around_axis(const FftPart& part) noexcept;

/// f(first number among all arrays, count, first number of the part) for the numbers of a part that
/// lie one after the other in all arrays, in C order.
template <class F>
void for_runs(const FftPart& part, F f) {
  const AroundAxis around = around_axis(part);
  std::size_t mine = 0, plane = 0;
  for (const std::vector<FftPart::Range>& ranges : part.ranges)
    for (std::size_t o = 0; o < around.outer; ++o, plane += around.plane())
      for (const auto& [first, last] : ranges) {
        const std::size_t count = (last - first) * around.inner;
        f(plane + first * around.inner, count, mine);
        mine += count;
      }
}

/// Where a number of all arrays stands in a part.
class PlacesInPart {
 public:
  explicit PlacesInPart(const FftPart& part);
  /// Of a number that the part has.
  std::size_t operator()(std::size_t number) const {
    const std::size_t array = number / size_, in_array = number % size_;
    const std::size_t outer = in_array / around_.plane(), in_plane = in_array % around_.plane();
    const std::size_t inner = around_.inner;
    const std::size_t row = rows_[array * around_.indices + in_plane / inner];
    return starts_[array] + (outer * counts_[array] + row) * inner + in_plane % inner;
  }

 private:
  std::size_t size_;  ///< of an array
  AroundAxis around_;
  std::vector<std::size_t> starts_, counts_;  ///< of each array
  std::vector<std::size_t> rows_;             ///< number in the part of each index of the axis
};

/// The arrays of a round as the host copies them into a fabric or out, by their number in C order.
/// Of a part, only its numbers are there, and only for these PEs.
template <class Number>
class ArraysOfRound {
 public:
  /// `size`: of the arrays of the round, which follow `first` numbers of others. `places`: null,
  /// all are there.
  ArraysOfRound(std::span<Number> numbers, const PlacesInPart* places, std::size_t first,
                std::size_t size, const Rect& pes)
      : numbers_(numbers), places_(places), first_(first), size_(size), pes_(pes) {}
  /// All of them.
  ArraysOfRound(std::span<Number> all, const Rect& pes)
      : ArraysOfRound(all, nullptr, 0, all.size(), pes) {}

  std::size_t size() const { return size_; }
  Number& operator[](std::size_t number) const {
    return numbers_[places_ == nullptr ? first_ + number : (*places_)(first_ + number)];
  }
  const Rect& pes() const { return pes_; }  ///< whose numbers are copied
  /// Words of some of these PEs; where all processes get all numbers, all call it alike.
  void read(const Fabric& fabric, const Rect& where, std::uint32_t address,
            std::span<std::uint32_t> words) const {
    if (places_ == nullptr)
      fabric.read(where, address, words);
    else
      FabricAccess::read_own(fabric, where, address, words);
  }

 private:
  std::span<Number> numbers_;
  const PlacesInPart* places_;
  std::size_t first_, size_;
  Rect pes_;
};

using GivenArrays = ArraysOfRound<const std::complex<float>>;
using TakenArrays = ArraysOfRound<std::complex<float>>;

}  // namespace weft::fft
