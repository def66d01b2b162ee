#include "cli/fft/parts_of_all.hpp"

#include <algorithm>

#include "base/first_error.hpp"
#include "fft/parts.hpp"
#include "io/allocate.hpp"
#include "io/sides.hpp"

namespace weft::cli {
namespace {

using Number = std::complex<float>;

/// Chosen: 16 MiB.
constexpr std::size_t kNumbersAtOnce = std::size_t{1} << 21U;

FftPart of_array(const FftPart& part, std::size_t array) {
  return {part.shape, part.axis, {part.ranges[array]}};
}

/// Puts `some` numbers of a part of an array, from its number `begin` on, where they stand in it.
void put(std::vector<Number>& whole, const FftPart& part, std::size_t begin,
         std::span<const Number> some) {
  fft::for_runs(part, [&](std::size_t first, std::size_t count, std::size_t at) {
    const std::size_t from = std::max(at, begin), to = std::min(at + count, begin + some.size());
    if (from < to)
      std::ranges::copy(some.subspan(from - begin, to - from),
                        whole.begin() + static_cast<std::ptrdiff_t>(first + from - at));
  });
}

}  // namespace

Volume Collection::next() {
  const int rank = processes_.rank();
  const std::size_t count = of_array(parts_[static_cast<std::size_t>(rank)], array_).size();
  const std::span<const Number> mine = rest_.first(count);
  rest_ = rest_.subspan(count);
  Volume whole{shape_, {}};
  base::in_all(&processes_, [&] {
    if (rank == 0) whole.data = io::allocate_numbers(io::sides_of(shape_), "a comparison");
  });
  for (int from = 0; from < processes_.size(); ++from) {
    if (rank != 0 && rank != from) continue;
    const FftPart part = of_array(parts_[static_cast<std::size_t>(from)], array_);
    const std::size_t size = part.size();
    for (std::size_t first = 0; first < size; first += kNumbersAtOnce)
      send_numbers(
          processes_, from, 0,
          [&] { return mine.subspan(first, std::min(kNumbersAtOnce, size - first)); },
          [&](std::span<const Number> some) { put(whole.data, part, first, some); });
  }
  ++array_;
  return whole;
}

}  // namespace weft::cli
