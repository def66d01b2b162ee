#include "io/resample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "io/allocate.hpp"

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

/// Resamples the middle axis of an array of outer x from x inner elements.
void resample_axis(const std::complex<float>* source, std::complex<float>* result,
                   std::size_t outer, std::size_t from, std::size_t to, std::size_t inner) {
  std::vector<std::vector<Tap>> taps(to);
  for (std::size_t i = 0; i < to; ++i) taps[i] = find_taps(i, from, to);
  std::vector<std::complex<double>> sum(inner);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < to; ++i) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (const Tap& tap : taps[i]) {
        const std::complex<float>* row = source + (o * from + tap.index) * inner;
        for (std::size_t k = 0; k < inner; ++k) {
          sum[k] += tap.weight * std::complex<double>(row[k]);
        }
      }
      std::transform(sum.begin(), sum.end(), result + (o * to + i) * inner,
                     [](std::complex<double> value) { return std::complex<float>(value); });
    }
  }
}

}  // namespace

Volume resample(Volume volume, Shape3 shape, const std::string& purpose) {
  const auto step = [&](Shape3 next, std::size_t outer, std::size_t from, std::size_t to,
                        std::size_t inner) {
    if (from == to) return;
    Volume result = allocate_volume(next, purpose);
    resample_axis(volume.data.data(), result.data.data(), outer, from, to, inner);
    volume = std::move(result);
  };
  const Shape3 old = volume.shape;
  step({shape.n0, old.n1, old.n2}, 1, old.n0, shape.n0, old.n1 * old.n2);
  step({shape.n0, shape.n1, old.n2}, shape.n0, old.n1, shape.n1, old.n2);
  step(shape, shape.n0 * shape.n1, old.n2, shape.n2, 1);
  return volume;
}

}  // namespace weft::io
