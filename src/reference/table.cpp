#include <algorithm>

#include "reference/cufft.hpp"
#include "reference/fftw.hpp"
#include "reference/reference.hpp"

namespace weft::reference {

Arithmetic arithmetic_of(FftPrecision precision) noexcept {
  return precision == FftPrecision::fp16 ? Arithmetic::fp16 : Arithmetic::fp32;
}

bool Reference::has(Arithmetic arithmetic) const noexcept {
  return std::ranges::find(arithmetics, arithmetic) != arithmetics.end();
}

std::span<const Reference> references() {
  using enum Arithmetic;
  static const std::vector<Reference> table = {
      {"fftw", "FFTW", {fp32, fp64}, [] { return std::string(); }, transform_with_fftw, "on a CPU"},
      {"cufft",
       "cuFFT",
       {fp16, fp32, fp64},
       why_no_cufft,
       transform_with_cufft,
       "on an NVIDIA GPU"},
  };
  return table;
}

}  // namespace weft::reference
