// Stands in for the other files of this folder where Weft is built without the CUDA toolkit.
#include "reference/cufft.hpp"
#include "reference/definition.hpp"
#include "weft/error.hpp"

namespace weft::reference {

std::string why_no_cufft() { return "built without CUDA"; }

Transformed transform_with_cufft(const Volume& input, FftDirection, FftNorm, Arithmetic) {
  check_volume(input);
  throw Error(ErrorCategory::environment, "cannot transform with cuFFT", why_no_cufft(),
              "compare with FFTW");
}

}  // namespace weft::reference
