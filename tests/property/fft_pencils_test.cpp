// The algorithms for the numbers of an axis in a PE: each is a Fourier transform, wherever one is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fft/pencil_run.hpp"
#include "fft/wsfft/pencil.hpp"
#include "io/volume_file.hpp"
#include "reference/half_spectrum.hpp"
#include "reference/reference.hpp"
#include "support/box.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "support/transform_case.hpp"

namespace weft::test::fft_pencils_test {
namespace {

struct Algorithm {
  FftPencil pencil;
  FftPrecision precision;
};

std::string text(const Algorithm& a) {
  std::string name = fmt::format("{}{}", to_string(a.pencil), to_string(a.precision));
  std::erase(name, '-');
  return name;
}

void PrintTo(const Algorithm& a, std::ostream* out) { *out << text(a); }

std::string name_of(const testing::TestParamInfo<Algorithm>& info) { return text(info.param); }

class PencilAlgorithms : public testing::TestWithParam<Algorithm> {
 protected:
  FftPencil pencil() const { return GetParam().pencil; }
  FftPrecision precision() const { return GetParam().precision; }
  std::size_t longest() const {
    const int most = wsfft::algorithm_of(pencil()).longest(precision());
    return static_cast<std::size_t>(sanitized() ? std::min(most, 256) : most);
  }
  FftPlan plan(const Shape3& shape, FftOptions options = {}) const {
    options.pencil = pencil();
    options.norm = FftNorm::ortho;  // FP16 values stay in range
    return {shape, precision(), std::move(options)};
  }
};

TEST_P(PencilAlgorithms, AgreeWithFftwAtEachLength) {
  const wsfft::PencilAlgorithm& algorithm = wsfft::algorithm_of(pencil());
  std::vector<std::size_t> lengths;
  for (std::size_t n = 2; n <= by_effort<std::size_t>(160, 1000, 1000); ++n)
    if (n <= longest() && algorithm.takes(static_cast<int>(n))) lengths.push_back(n);
  for (std::size_t n = 1024; n <= longest(); n *= 2) lengths.push_back(n);
  for (const std::size_t n : lengths)
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      SCOPED_TRACE(fmt::format("{} {}", n, to_string(direction)));
      const Volume input = io::random_volume({1, 1, n}, n);
      std::vector<std::complex<float>> numbers = input.data;
      run_fft_pencil(numbers, precision(), direction, {}, pencil());
      EXPECT_LT(reference::compare(numbers, reference::fftw(input, direction)).rel_l2,
                fft_error_bound({1, 1, n}, precision()));
    }
}

TEST_P(PencilAlgorithms, GiveTheSameBitsAndCyclesInTheSpecification) {
  for (const std::size_t n : {4, 8, 15, 16, 32, 45, 60, 64}) {
    if (!wsfft::algorithm_of(pencil()).takes(static_cast<int>(n))) continue;
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      SCOPED_TRACE(fmt::format("{} {}", n, to_string(direction)));
      const Volume input = io::random_volume({1, 1, n}, 2);
      const FftRun host = plan({1, 1, n}, {.engine = Engine::host}).run(input, direction);
      const FftRun plain = plan({1, 1, n}, {.engine = Engine::reference}).run(input, direction);
      EXPECT_EQ(host.output.data, plain.output.data);
      EXPECT_EQ(host.report.cycles, plain.report.cycles);
    }
  }
}

TEST_P(PencilAlgorithms, MeasureAsTheyRun) {
  std::vector<std::complex<float>> numbers(64);
  const fft::PencilMeasure measure = fft::measure_pencil(pencil(), precision(), 64);
  EXPECT_EQ(measure.cycles,
            run_fft_pencil(numbers, precision(), FftDirection::forward, {}, pencil()));
  EXPECT_GT(measure.error, 0);
  EXPECT_LT(measure.error, fft_error_bound({1, 1, 64}, precision()));
}

TEST_P(PencilAlgorithms, HaveTheirLongestPencilIn48KB) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  const fft::PencilMeasure measure =
      fft::measure_pencil(pencil(), precision(), static_cast<int>(longest()));
  EXPECT_LE(measure.pencil_bytes + measure.aux_bytes + measure.root_bytes + measure.program_bytes,
            48U * 1024);
}

TEST_P(PencilAlgorithms, AreRightInCubesAndBoxes) {
  for (const Box& box : {Box{{16, 16, 16}, {}}, Box{{16, 8, 32}, {4, 2}}, Box{{8, 1, 64}, {}},
                         Box{{1, 1, 1024}, {8, 1}}}) {
    if (sanitized() && box.shape.size() > 4000) continue;
    const Volume input = io::random_volume(box.shape, 1);
    const double root = std::sqrt(static_cast<double>(box.shape.size()));
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      SCOPED_TRACE(text(box));
      const FftRun run = plan(box.shape, {.mesh = box.mesh}).run(input, direction);
      std::vector<std::complex<double>> exact = reference::fftw(input, direction);
      for (auto& value : exact) value *= direction == FftDirection::forward ? 1 / root : root;
      EXPECT_LT(reference::compare(run.output.data, exact).rel_l2,
                fft_error_bound(box.shape, precision()));
    }
  }
}

TEST_P(PencilAlgorithms, AreRightForRealArrays) {
  const Shape3 shape{8, 8, 16};
  Volume input = io::random_volume(shape, 3);
  for (auto& value : input.data) value = value.real();
  const FftPlan real = plan(shape, {.kind = FftKind::real});
  const FftRun there = real.forward(input);
  std::vector<std::complex<double>> exact =
      reference::half_of(reference::fftw(input, FftDirection::forward), shape);
  for (auto& value : exact) value /= std::sqrt(static_cast<double>(shape.size()));
  const double bound = fft_error_bound(shape, precision());
  EXPECT_LT(reference::compare(there.output.data, exact).rel_l2, bound);
  const std::vector<std::complex<double>> wide(input.data.begin(), input.data.end());
  EXPECT_LT(reference::compare(real.inverse(there.output).output.data, wide).rel_l2, 2 * bound);
}

TEST_P(PencilAlgorithms, ComeBackFromRoundTripsAndBatches) {
  const Shape3 shape{8, 8, 8};
  const Volume input = io::random_volume(shape, 1);
  const std::vector<std::complex<double>> wide(input.data.begin(), input.data.end());
  const double bound = fft_error_bound(shape, precision());
  const FftTrips trips = plan(shape).round_trips(input, 2);
  EXPECT_LT(reference::compare(trips.output.data, wide).rel_l2, 4 * bound);
  const FftPlan three = plan(shape, {.mesh = {16, 8}, .batch = 3});
  const Volume inputs = io::random_volume(three.input_shape(), 1);
  const Volume there = three.forward(inputs).output;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto part = [&](const Volume& all) {
      const auto first = all.data.begin() + static_cast<std::ptrdiff_t>(k * shape.size());
      return Volume{shape, {first, first + static_cast<std::ptrdiff_t>(shape.size())}};
    };
    EXPECT_EQ(part(there).data, plan(shape).forward(part(inputs)).output.data) << k;
  }
}

TEST_P(PencilAlgorithms, TakeTheSameCyclesWithoutDataAndOnRandomMachinesGiveTheSameNumbers) {
  const Shape3 shape{8, 8, 8};
  const Volume input = io::random_volume(shape, 1);
  const FftRun right = plan(shape).forward(input);
  EXPECT_EQ(plan(shape, {.data = false}).forward({}).report.cycles, right.report.cycles);
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    EXPECT_EQ(plan(shape, {.machine = random_machine(seed)}).forward(input).output.data,
              right.output.data);
}

std::vector<Algorithm> all_algorithms() {
  std::vector<Algorithm> all;
  for (const wsfft::PencilAlgorithm& row : wsfft::pencil_algorithms())
    for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
      all.push_back({row.pencil, precision});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, PencilAlgorithms, testing::ValuesIn(all_algorithms()), name_of);

TEST(PencilTable, HasARowForEachName) {
  for (const wsfft::PencilAlgorithm& row : wsfft::pencil_algorithms())
    EXPECT_EQ(&wsfft::algorithm_of(row.pencil), &row) << to_string(row.pencil);
}

TEST(PencilTable, RefusesAPencilThatIsTooLongForItsProgram) {
  FftOptions options;
  options.pencil = FftPencil::split_radix;
  options.mesh = {1, 1};
  expect_error(
      ErrorCategory::usage,
      [&] {
        FftPlan({1, 1, 2048}, FftPrecision::fp16, options);
      },
      "2048", "split-radix", "1024");
}

}  // namespace
}  // namespace weft::test::fft_pencils_test
