#include "fft/division/way.hpp"

#include <algorithm>

namespace weft::fft {

const Way& way_of(const Shape3& shape, const FftOptions& options, const PeBytes& bytes) {
  constexpr const Way* kWays[] = {&kReal, &kFolded, &kDigits, &kVolume};  // the last takes all
  return **std::ranges::find_if(kWays,
                                [&](const Way* way) { return way->takes(shape, options, bytes); });
}

}  // namespace weft::fft
