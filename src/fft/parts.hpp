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
#include "weft/processes.hpp"

/// The parts of arrays that processes have which share a fabric.
namespace weft::fft {

/// How several processes have the arrays of a division.
enum class Sharing {
  none,       ///< all of them whole
  of_pes,     ///< each the numbers of its PEs, which are ranges along an axis
  exchanged,  ///< each a run of an array's numbers; PEs of other processes have some of these
};
Sharing sharing_of(const wsfft::Division& division, const FftOptions& options);

/// The part of a process before a transform, or after it; without parts, all. No rank: this one.
FftPart part_of(const FftPlan& plan, const wsfft::Division& division, FftDirection direction,
                bool at_start, std::optional<int> rank);

/// The threads that read whole arrays of a fabric: processes that share one read them alike, one
/// tile after the other.
int threads_for_whole(const FftOptions& options);

/// The PEs whose numbers a process copies, of those of a plan: its own, or all.
Rect copied_pes(const wsfft::Division& division, const FftOptions& options,
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

/// The numbers of a process, where these are the same run of each array.
class RunInPart {
 public:
  RunInPart(const FftPart& part, Processes& others);
  /// Nothing: another process has the number.
  std::optional<std::size_t> find(std::size_t number) const {
    const std::size_t array = number / size_, in_array = number % size_;
    if (in_array < first_ || in_array >= last_) return {};
    return array * (last_ - first_) + in_array - first_;
  }
  Processes& others() const { return others_; }

 private:
  std::size_t size_;  ///< of an array
  std::size_t first_ = 0, last_ = 0;
  Processes& others_;
};

/// Called by all alike, each with some of these words, and 0 for the others': all get all.
void merge_words(Processes& processes, std::span<std::uint32_t> words);

/// The arrays of a round as the host copies them into a fabric or out, by their number in C order.
/// Of a part, only its numbers are there.
template <class Number>
class ArraysOfRound {
 public:
  /// How they are there: all, those of some PEs, or those of a run.
  struct Held {
    const PlacesInPart* places = nullptr;
    const RunInPart* run = nullptr;
  };
  /// `size`: of the arrays of the round, which follow `first` numbers of others. So many `threads`
  /// may copy them.
  ArraysOfRound(std::span<Number> numbers, const Held& held, std::size_t first, std::size_t size,
                const Rect& pes, int threads)
      : numbers_(numbers), held_(held), first_(first), size_(size), pes_(pes), threads_(threads) {}
  /// All of them.
  ArraysOfRound(std::span<Number> all, const Rect& pes, int threads = 1)
      : ArraysOfRound(all, {}, 0, all.size(), pes, threads) {}

  std::size_t size() const { return size_; }
  const Rect& pes() const { return pes_; }  ///< whose numbers are copied
  int threads() const { return threads_; }

  /// 0 for a number that another process has.
  std::complex<float> get(std::size_t number) const {
    const std::optional<std::size_t> place = find(first_ + number);
    return place ? numbers_[*place] : std::complex<float>();
  }
  /// A number that another process has is left out.
  void put(std::size_t number, std::complex<float> value) const {
    if (const std::optional<std::size_t> place = find(first_ + number)) numbers_[*place] = value;
  }

  /// Words of some of the PEs, which begin as 0, with the numbers that are here. Where these are
  /// exchanged, all processes call it alike.
  void write(Fabric& fabric, const Rect& where, std::uint32_t address,
             std::span<std::uint32_t> words) const {
    if (held_.run != nullptr) merge_words(held_.run->others(), words);
    fabric.write(where, address, words);
  }
  /// Unless processes copy the numbers of their own PEs, all call it alike.
  void read(const Fabric& fabric, const Rect& where, std::uint32_t address,
            std::span<std::uint32_t> words) const {
    if (held_.places == nullptr)
      fabric.read(where, address, words);
    else
      FabricAccess::read_own(fabric, where, address, words);
  }

 private:
  std::optional<std::size_t> find(std::size_t number) const {
    if (held_.run != nullptr) return held_.run->find(number);
    return held_.places == nullptr ? number : (*held_.places)(number);
  }

  std::span<Number> numbers_;
  Held held_;
  std::size_t first_, size_;
  Rect pes_;
  int threads_;
};

using GivenArrays = ArraysOfRound<const std::complex<float>>;
using TakenArrays = ArraysOfRound<std::complex<float>>;

}  // namespace weft::fft
