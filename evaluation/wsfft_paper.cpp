#include "evaluation/wsfft_paper.hpp"

#include <cmath>

namespace weft::evaluation::wsfft_paper {

double pencil_cycles(double n, FftPrecision precision) {
  const double levels = std::log2(n);
  return precision == FftPrecision::fp16 ? 3 * n * levels + 34 * n + 34 * levels
                                         : 6.5 * n * levels + 35 * n + 36 * levels;
}

double exchange_cycles(double n, double m, double r) {
  return n * n / 2 * m * r - n / 2 * m * m * r + 30 * (n / m - 1);
}

std::optional<double> measured_cycles(int n, FftPrecision precision) {
  for (const Table1& row : kTable1)
    if (row.n == n) return precision == FftPrecision::fp16 ? row.fp16 : row.fp32;
  return {};
}

std::optional<Published> published_rate(int n, int p, FftPrecision precision) {
  if (const auto cycles = measured_cycles(n, precision); cycles && p == n)
    return Published{tflops(n, *cycles, kClockHz), Mark::measured};
  for (const Estimate& one : kEstimates1024)
    if (n == 1024 && p == one.mesh)
      return Published{precision == FftPrecision::fp16 ? one.fp16 : one.fp32, Mark::estimated};
  if (n == 256 && precision == FftPrecision::fp32 && (p == 64 || p == 128)) {
    const double at_128 = published_rate(n, n, precision)->value / kTo256;
    return Published{p == 128 ? at_128 : at_128 / kTo128, Mark::estimated};
  }
  return {};
}

double tflops(double n, double cycles, double clock_hz) {
  const double numbers = n * n * n;
  return 5 * numbers * std::log2(numbers) * clock_hz / cycles * 1e-12;
}

}  // namespace weft::evaluation::wsfft_paper
