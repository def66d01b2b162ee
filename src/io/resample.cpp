#include "io/resample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "io/allocate.hpp"
#include "io/ranges.hpp"

namespace weft::io {

namespace {

/// One element of the old grid and its part in one of the new grid.
struct Tap {
  std::size_t index;
  double weight;
};

/// The hat function max(0, 1 - |x|), integrated from minus infinity to x.
double hat_integral(double x) {
  if (x <= -1) return 0;
  if (x >= 1) return 1;
  return x < 0 ? 0.5 * (1 + x) * (1 + x) : 1 - 0.5 * (1 - x) * (1 - x);
}

/// The sources of element `target` of the new grid. Beyond the edge the field goes on constant.
std::vector<Tap> find_taps(std::size_t target, std::size_t from, std::size_t to) {
  const double ratio = static_cast<double>(from) / static_cast<double>(to);
  const double centre = (static_cast<double>(target) + 0.5) * ratio - 0.5;
  const double half_width = ratio > 1 ? 0.5 * ratio : 0;
  const auto first = static_cast<std::ptrdiff_t>(std::floor(centre - half_width));
  const auto last = static_cast<std::ptrdiff_t>(std::floor(centre + half_width)) + 1;
  const auto end = static_cast<std::ptrdiff_t>(from) - 1;
  std::vector<Tap> taps;
  for (std::ptrdiff_t i = first; i <= last; ++i) {
    const double distance = static_cast<double>(i) - centre;
    const double weight =
        ratio > 1
            ? (hat_integral(half_width - distance) - hat_integral(-half_width - distance)) / ratio
            : std::max(0.0, 1 - std::abs(distance));
    if (weight == 0) continue;
    taps.push_back({static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, end)), weight});
  }
  return taps;
}

/// An axis of a part that is resampled.
struct Axis {
  std::size_t from, to;  ///< sides of the whole array
  Ranges targets{};      ///< indices of the part

  bool stays() const { return from == to; }
  /// The old indices that the part needs.
  Ranges sources() const {
    if (stays()) return targets;
    Ranges all;
    for (const auto& [first, last] : targets) {
      const std::size_t begin = find_taps(first, from, to).front().index;
      const std::size_t end = find_taps(last - 1, from, to).back().index + 1;
      if (!all.empty() && begin <= all.back().last)
        all.back().last = std::max(all.back().last, end);
      else
        all.push_back({begin, end});
    }
    return all;
  }
  /// For each index of the part, in order; the old indices are numbered as sources() has them.
  std::vector<std::vector<Tap>> taps() const {
    std::vector<std::vector<Tap>> all;
    const Ranges held = sources();
    for (const auto& [first, last] : targets)
      for (std::size_t target = first; target < last; ++target) {
        all.push_back(find_taps(target, from, to));
        for (Tap& tap : all.back()) tap.index = count_before(held, tap.index);
      }
    return all;
  }
};

/// Resamples the middle axis of an array of outer x from x inner elements.
void resample_axis(const std::complex<float>* source, std::complex<float>* result,
                   std::size_t outer, std::size_t from, const std::vector<std::vector<Tap>>& taps,
                   std::size_t inner) {
  std::vector<std::complex<double>> sum(inner);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < taps.size(); ++i) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (const Tap& tap : taps[i]) {
        const std::complex<float>* row = source + (o * from + tap.index) * inner;
        for (std::size_t k = 0; k < inner; ++k) {
          sum[k] += tap.weight * std::complex<double>(row[k]);
        }
      }
      std::transform(sum.begin(), sum.end(), result + (o * taps.size() + i) * inner,
                     [](std::complex<double> value) { return std::complex<float>(value); });
    }
  }
}

std::array<Axis, 3> axes_of(Shape3 have, const FftPart& part) {
  RangesOfAxes ranges = ranges_of(part);
  const auto& [n0, n1, n2, n3] = part.shape;
  return {Axis{have.n0, n0, std::move(ranges[0])}, Axis{have.n1, n1, std::move(ranges[1])},
          Axis{have.n2, n2, std::move(ranges[2])}};
}

}  // namespace

std::vector<std::complex<float>> resample(const ReadRuns& read, Shape3 have, const FftPart& part,
                                          std::span<const FftPart> before,
                                          const std::string& purpose) {
  const std::array<Axis, 3> axes = axes_of(have, part);
  RangesOfAxes sources;
  std::array<std::size_t, 3> counts{};
  for (std::size_t k = 0; k < 3; ++k) {
    sources[k] = axes[k].sources();
    counts[k] = count_of(sources[k]);
  }
  std::vector<Ranges> of_others;
  for (const FftPart& other : before)
    of_others.push_back(axes_of(have, other)[static_cast<std::size_t>(part.axis)].sources());
  std::vector<std::complex<float>> numbers = read(runs_of(sources, have, part.axis, of_others));
  for (std::size_t k = 0; k < 3; ++k) {
    if (axes[k].stays()) continue;
    const std::size_t from = std::exchange(counts[k], count_of(axes[k].targets));
    const std::size_t outer = k == 0 ? 1 : k == 1 ? counts[0] : counts[0] * counts[1];
    const std::size_t inner = k == 0 ? counts[1] * counts[2] : k == 1 ? counts[2] : 1;
    std::vector<std::complex<float>> result =
        allocate_numbers({counts[0], counts[1], counts[2]}, purpose);
    resample_axis(numbers.data(), result.data(), outer, from, axes[k].taps(), inner);
    numbers = std::move(result);
  }
  return numbers;
}

}  // namespace weft::io
