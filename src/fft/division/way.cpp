#include "fft/division/way.hpp"

namespace weft::fft {

const Way& way_of(const Shape3& shape, const FftOptions& options, PeBytes& bytes) {
  for (const Way* way : {&kReal, &kFolded, &kDigits})
    if (way->takes(shape, options, bytes)) return *way;
  return kVolume;
}

}  // namespace weft::fft
