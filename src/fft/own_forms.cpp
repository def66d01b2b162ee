#include "fft/own_forms.hpp"

#include <algorithm>
#include <iterator>

#include "fft/ring_cycles.hpp"
#include "fft/wsfft/halves.hpp"

namespace weft::fft {

const OwnForm kOwnForm[kOwnForms] = {
    {FftTranspose::ring, wsfft::Form::ring, true, [](int) { return true; }, [](int) { return 0; },
     ring_cycles},
    {FftTranspose::halves, wsfft::Form::halves, false, wsfft::has_halves, wsfft::filters_of_halves,
     halves_cycles},
};

const OwnForm* own_form(FftTranspose transpose) {
  const auto* const found = std::ranges::find(kOwnForm, transpose, &OwnForm::transpose);
  return found == std::end(kOwnForm) ? nullptr : found;
}

}  // namespace weft::fft
