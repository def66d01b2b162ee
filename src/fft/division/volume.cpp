#include "fft/division/lines.hpp"
#include "fft/division/way.hpp"
#include "fft/own_forms.hpp"

namespace weft::fft {

const Way kVolume{[](const Shape3&, const FftOptions&, const PeBytes&) { return true; },
                  [](const Shape3& shape, const FftOptions& options) {
                    const OwnForm* own = own_form(options.transpose);
                    wsfft::Division whole = in_a_pe(shape);
                    whole.in_place = own != nullptr && own->in_place;
                    return on_lines(whole, options);
                  },
                  pencils_text};

}  // namespace weft::fft
