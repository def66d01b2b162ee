// Plans a 16 x 16 x 16 transform on an emulated mesh of 16 x 16 PEs, runs it forward and back, and
// prints how many cycles each phase took and how much of the input came back.
#include <cmath>
#include <cstdio>
#include <random>
#include <weft/error.hpp>
#include <weft/fft.hpp>

namespace {

/// Gaussian noise: real and imaginary parts of every number.
weft::Volume noise(weft::Shape3 shape) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  weft::Volume volume{shape, {}};
  for (std::size_t i = 0; i < shape.size(); ++i)
    volume.data.emplace_back(normal(generator), normal(generator));
  return volume;
}

/// |a - b| / |b|, over all numbers.
double relative_difference(const weft::Volume& a, const weft::Volume& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < b.data.size(); ++i) {
    difference += std::norm(a.data[i] - b.data[i]);
    size += std::norm(b.data[i]);
  }
  return std::sqrt(difference / size);
}

void print_phases(const char* title, const weft::RunReport& report) {
  std::printf("%s\n", title);
  for (const weft::RunPhase& phase : report.phases)
    std::printf("  %-20s %8llu cycles\n", phase.name.c_str(),
                static_cast<unsigned long long>(phase.cycles));
  std::printf("  %-20s %8llu cycles\n", "total", static_cast<unsigned long long>(report.cycles));
}

}  // namespace

int main() try {
  const weft::Shape3 shape{16, 16, 16};
  const weft::FftPlan plan(shape, weft::FftPrecision::fp32);

  const weft::Volume input = noise(shape);
  const weft::FftRun forward = plan.forward(input);
  const weft::FftRun back = plan.inverse(forward.output);

  print_phases("forward", forward.report);
  print_phases("inverse", back.report);

  // Two transforms, so twice the error that one may have.
  const double error = relative_difference(back.output, input);
  const double bound = 2 * weft::fft_error_bound(shape, weft::FftPrecision::fp32);
  std::printf("inverse(forward(x)) differs from x by %.1e (bound %.1e)\n", error, bound);
  return error <= bound ? 0 : 1;
} catch (const weft::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
