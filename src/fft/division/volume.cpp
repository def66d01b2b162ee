#include "fft/division/lines.hpp"
#include "fft/division/way.hpp"

namespace weft::fft {

const Way kVolume{[](const Shape3&, const FftOptions&, PeBytes&) { return true; },
                  [](const Shape3& shape, const FftOptions& options) {
                    return on_lines(in_a_pe(shape), options);
                  },
                  pencils_text};

}  // namespace weft::fft
