#include <cmath>

#include "evaluation/algorithms.hpp"
#include "evaluation/wsfft_paper.hpp"
#include "evaluation/wsfft_runs.hpp"
#include "fft/ring_cycles.hpp"

namespace weft::evaluation {
namespace {

/// Passes over n numbers: of radix 4, and one of radix 2 where those leave it. Twice the numbers in
/// a cycle in FP16, as products read their destination.
double radix4_pencil(double n, FftPrecision precision) {
  constexpr double kRadix4 = 6.3, kRadix2 = 3.5;  // cycles a number, FP32
  const auto levels = std::lround(std::log2(n));
  const double cycles =
      n * (kRadix4 * static_cast<double>(levels / 2) + kRadix2 * static_cast<double>(levels % 2));
  return precision == FftPrecision::fp16 ? cycles / 2 : cycles;
}

struct PredictedThere {
  std::string_view constant;
  int value;
  FftTranspose form;
  double of_32, of_64;
};

/// FP32, radix 2, one pencil in a PE; put together from parts of runs, before there was a ring.
constexpr PredictedThere kThere[] = {
    {"task_start_cycles", 256, FftTranspose::ring, 26'300, 51'800},
    {"ramp_cycles", 7, FftTranspose::ring, 9'900, 22'400},
    {"f32_multiply_rate", 8, FftTranspose::ring, 9'000, 20'300},
};

}  // namespace

double predicted_exchange(const Transformed& t) {
  const double p = static_cast<double>(t.n) / t.m;
  const double message = wavelets_of(t.precision) * t.m * t.m * t.m;
  switch (t.form) {
    case FftTranspose::ring:
      return fft::ring_formula(p, message);
    case FftTranspose::halves:  // streams of all levels on the busiest link, and starts of levels
      return message * (p * p - 1) / 3 + p + 50 * std::log2(p);
    case FftTranspose::interlocked:  // a turn takes as much longer as writes of the switch
      return message * p * (p - 1) / 2 + 80 * p;
    default:
      return message * p * (p - 1) / 2 + 72 * p;
  }
}

double predicted_pencil(const Transformed& t) {
  return t.pencil == FftPencil::radix4 ? radix4_pencil(t.n, t.precision)
                                       : wsfft_paper::pencil_cycles(t.n, t.precision);
}

double predicted_cycles(const Transformed& t) {
  return 2 * predicted_exchange(t) + 3.0 * t.m * t.m * predicted_pencil(t);
}

std::optional<double> predicted_there(const Transformed& t, const OtherMachine& machine) {
  if (t.precision != FftPrecision::fp32 || t.pencil != FftPencil::radix2 || t.m != 1) return {};
  for (const PredictedThere& there : kThere)
    if (there.constant == machine.constant && there.value == machine.value && there.form == t.form)
      if (t.n == 32 || t.n == 64) return t.n == 32 ? there.of_32 : there.of_64;
  return {};
}

}  // namespace weft::evaluation
