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

/// What the process `from` has of an array, in the first one, in another place of its own.
std::vector<Number> sent(std::span<const Number> mine, std::size_t size, int from,
                         Processes& processes) {
  std::vector<Number> numbers;
  for (std::size_t first = 0; first < size; first += kNumbersAtOnce)
    send_numbers(
        processes, from, 0,
        [&] { return mine.subspan(first, std::min(kNumbersAtOnce, size - first)); },
        [&](std::span<const Number> some) {
          numbers.insert(numbers.end(), some.begin(), some.end());
        });
  return numbers;
}

}  // namespace

FftPart PartsOfAll::part_of(int rank, std::size_t array) const {
  const FftPart& all = parts[static_cast<std::size_t>(rank)];
  return {all.shape, all.axis, {all.ranges[array]}};
}

Volume collected(const PartsOfAll& all, std::size_t array, const Shape3& shape,
                 Processes& processes) {
  const int rank = processes.rank();
  std::size_t before = 0;
  for (std::size_t other = 0; other < array; ++other) before += all.part_of(rank, other).size();
  const auto mine = all.mine.subspan(before, all.part_of(rank, array).size());
  Volume whole{shape, {}};
  base::in_all(&processes, [&] {
    if (rank == 0) whole.data = io::allocate_numbers(io::sides_of(shape), "a comparison");
  });
  for (int from = 0; from < processes.size(); ++from) {
    if (rank != 0 && rank != from) continue;
    const FftPart part = all.part_of(from, array);
    const std::vector<Number> others =
        from == 0 ? std::vector<Number>() : sent(mine, part.size(), from, processes);
    if (rank != 0) continue;
    const std::span<const Number> numbers = from == 0 ? mine : others;
    fft::for_runs(part, [&](std::size_t first, std::size_t count, std::size_t at) {
      std::ranges::copy(numbers.subspan(at, count),
                        whole.data.begin() + static_cast<std::ptrdiff_t>(first));
    });
  }
  return whole;
}

}  // namespace weft::cli
