#pragma once

#include <complex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/fft.hpp"
#include "weft/volume.hpp"

namespace weft::reference {

/// The numbers that a reference computes with. Results are compared with its fp64.
enum class Arithmetic { fp16, fp32, fp64 };

/// The arithmetic of the emulated PEs.
Arithmetic arithmetic_of(FftPrecision precision) noexcept;

/// A transform by a library.
struct Transformed {
  std::vector<std::complex<double>> values;  ///< C order, divided as the norm says
  double wall_seconds = 0;                   ///< of the transform: without plan, copies, division
};

/// A library that transforms the same input.
struct Reference {
  std::string_view name;   ///< in options and JSON
  std::string_view title;  ///< in sentences
  std::vector<Arithmetic> arithmetics;
  std::string (*why_absent)();  ///< empty where it can run, otherwise the reason in a few words
  /// Throws Error(environment) where it cannot run, Error(usage) for arithmetic it does not have.
  Transformed (*transform)(const Volume& input, FftDirection direction, FftNorm norm,
                           Arithmetic arithmetic);
  std::string_view meaning = {};  ///< for --help

  bool has(Arithmetic arithmetic) const noexcept;
};

/// All that Weft knows, present or not; the first is always present and is the default.
std::span<const Reference> references();

/// The transform of `input` by FFTW in double precision, C order, divided as the norm says.
std::vector<std::complex<double>> fftw(const Volume& input, FftDirection direction,
                                       FftNorm norm = FftNorm::backward);

struct Difference {
  double rel_l2 = 0;   ///< ||result - reference|| / ||reference||, 2-norms; 0 if both are zero
  double max_abs = 0;  ///< largest |result - reference|
};

/// Sums over numbers that are compared part by part.
struct ErrorSums {
  double error_squares = 0, reference_squares = 0, largest = 0;
  bool finite = true;  ///< all errors are

  void add(const ErrorSums& others);
  Difference difference() const;
};

/// Both of the same size.
ErrorSums error_sums(std::span<const std::complex<float>> result,
                     std::span<const std::complex<double>> reference);

/// Both of the same size. NaN or infinity in the result gives infinite differences.
Difference compare(std::span<const std::complex<float>> result,
                   std::span<const std::complex<double>> reference);

/// The same for a reference's own result in less than double precision.
Difference compare(std::span<const std::complex<double>> result,
                   std::span<const std::complex<double>> reference);

}  // namespace weft::reference
