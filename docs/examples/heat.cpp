// The heat equation in a periodic cube, by a spectral method that stays on the wafer: in each step
// the field is transformed, multiplied by exp(-k^2 dt), and transformed back, 100 times in one
// program. The result is held against the exact solution.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>
#include <weft/error.hpp>
#include <weft/fft.hpp>

namespace {

constexpr std::size_t kSide = 16;
constexpr int kSteps = 100;
constexpr double kStep = 0.001;
constexpr weft::Shape3 kShape{kSide, kSide, kSide};

/// Two waves, which decay by exp(-5 t) and exp(-10 t).
double exact(std::array<std::size_t, 3> place, double t) {
  const auto angle = [&](std::size_t axis) {
    return 2 * std::numbers::pi * static_cast<double>(place[axis]) / kSide;
  };
  return std::exp(-5 * t) * std::sin(angle(0)) * std::cos(2 * angle(1)) +
         0.5 * std::exp(-10 * t) * std::cos(3 * angle(0) + angle(2));
}

template <class F>
weft::Volume volume_of(F f) {
  weft::Volume volume{kShape, {}};
  for (std::size_t i = 0; i < kSide; ++i)
    for (std::size_t j = 0; j < kSide; ++j)
      for (std::size_t k = 0; k < kSide; ++k)
        volume.data.emplace_back(static_cast<float>(f(std::array{i, j, k})));
  return volume;
}

/// The factor by which a step changes the wave of these frequencies.
double symbol(std::array<std::size_t, 3> place) {
  double squares = 0;
  for (const std::size_t k : place) {
    const double frequency = static_cast<double>(std::min(k, kSide - k));
    squares += frequency * frequency;
  }
  return std::exp(-squares * kStep);
}

void draw(const weft::Volume& field) {
  for (std::size_t j = 0; j < kSide; ++j) {
    std::array<char, kSide> row{};
    for (std::size_t i = 0; i < kSide; ++i) {
      const float value = field.data[(i * kSide + j) * kSide].real();
      row[i] = " .:-=+*#%@"[static_cast<int>((value + 1.603F) * 3)];
    }
    std::printf("  %.*s\n", static_cast<int>(kSide), row.data());
  }
}

}  // namespace

int main() try {
  const weft::FftPlan plan(kShape, weft::FftPrecision::fp32);
  const weft::Volume start = volume_of([](auto place) { return exact(place, 0); });
  const weft::FftTrips run = plan.round_trips(start, kSteps, volume_of(symbol));

  const weft::Volume end = volume_of([](auto place) { return exact(place, kSteps * kStep); });
  float error = 0;
  for (std::size_t i = 0; i < end.data.size(); ++i)
    error = std::max(error, std::abs(run.output.data[i] - end.data[i]));
  std::printf("at the start, and after %d steps:\n", kSteps);
  draw(start);
  std::printf("\n");
  draw(run.output);
  const auto [least, most] = std::ranges::minmax(run.cycles);
  std::printf("a step takes %llu to %llu cycles\n", static_cast<unsigned long long>(least),
              static_cast<unsigned long long>(most));
  std::printf("%s\n", error < 1e-4F ? "as the exact solution" : "WRONG");
  return error < 1e-4F ? 0 : 1;
} catch (const weft::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
