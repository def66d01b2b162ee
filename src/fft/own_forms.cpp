#include "fft/own_forms.hpp"

#include <algorithm>
#include <iterator>

#include "fft/exchange_cycles.hpp"
#include "fft/wsfft/butterflies.hpp"
#include "fft/wsfft/halves.hpp"

namespace weft::fft {

const OwnForm kOwnForm[kOwnForms] = {
    {FftTranspose::ring, wsfft::Form::ring, true, false,
     [](const wsfft::Division&) { return true; }, "transposes around a ring", "",
     [](int) { return 0; }, [](double p, double wavelets) { return wavelets * (p * p - 1) / 4; },
     ring_formula, ring_cycles},
    {FftTranspose::halves, wsfft::Form::halves, false, false,
     [](const wsfft::Division& d) { return wsfft::has_halves(d.px) && wsfft::has_halves(d.py); },
     "transposes by halves", "rows and columns of an array have a power of two of PEs, 64 at most",
     wsfft::filters_of_halves, [](double p, double wavelets) { return wavelets * (p * p - 1) / 3; },
     halves_formula, halves_cycles},
    {FftTranspose::butterflies, wsfft::Form::butterflies, false, true, wsfft::has_butterflies,
     "butterflies",
     "a complex array of up to three axes has as many PEs along axes 0 and 1 as numbers, a power "
     "of two up to 64",
     [](int) { return 0; }, [](double p, double wavelets) { return wavelets * (p - 1); },
     butterflies_formula, butterflies_cycles},
};

const OwnForm* own_form(FftTranspose transpose) {
  const auto* const found = std::ranges::find(kOwnForm, transpose, &OwnForm::transpose);
  return found == std::end(kOwnForm) ? nullptr : found;
}

}  // namespace weft::fft
