// Meshes that divide no side of an array: padding changes no number of a result.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/volume_file.hpp"
#include "reference/half_spectrum.hpp"
#include "reference/reference.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/random_transform.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_uneven_meshes_test {
namespace {

std::vector<std::complex<double>> exact_of(const Volume& input, FftDirection direction) {
  return reference::fftw(input, direction, FftNorm::ortho);
}

Volume real_volume(const Shape3& shape) {
  Volume volume = io::random_volume(shape, 1);
  for (auto& number : volume.data) number = number.real();
  return volume;
}

std::vector<std::complex<double>> half_spectrum(const RandomTransform& drawn) {
  return reference::half_of(exact_of(real_volume(drawn.shape), FftDirection::forward), drawn.shape);
}

Volume input_of(const RandomTransform& drawn) {
  const FftPlan plan(drawn.shape, drawn.precision, drawn.options);
  const Shape3 shape = plan.input_shape(drawn.direction);
  if (drawn.options.kind != FftKind::real) return io::random_volume(shape, 1);
  if (drawn.direction == FftDirection::forward) return real_volume(shape);
  Volume half{shape, {}};
  for (const std::complex<double>& number : half_spectrum(drawn)) half.data.emplace_back(number);
  return half;
}

FftRun run(const RandomTransform& drawn, const Volume& input, FftOptions options) {
  const FftPlan plan(drawn.shape, drawn.precision, std::move(options));
  return plan.run(plan.options().data ? input : Volume{input.shape, {}}, drawn.direction);
}

/// The same arithmetic where nothing is divided: each pencil is transformed alone.
void expect_the_numbers_of_one_pe(const RandomTransform& drawn, const Volume& input,
                                  const FftRun& here) {
  FftOptions options;
  options.kind = drawn.options.kind;
  options.batch = drawn.options.batch;
  options.norm = drawn.options.norm;
  options.pencil = drawn.options.pencil;
  options.back = drawn.options.back;
  options.mesh = {1, 1};
  options.machine.pe_memory_bytes = 1 << 20;
  EXPECT_EQ(here.output.data, run(drawn, input, options).output.data);
}

void expect_a_transform(const RandomTransform& drawn, const Volume& input, const FftRun& here) {
  std::vector<std::complex<double>> exact;
  if (drawn.options.kind != FftKind::real) {
    exact = exact_of(input, drawn.direction);
  } else if (drawn.direction == FftDirection::forward) {
    exact = half_spectrum(drawn);
  } else {
    const Volume real = real_volume(drawn.shape);
    exact.assign(real.data.begin(), real.data.end());
  }
  EXPECT_LT(reference::compare(here.output.data, exact).rel_l2,
            fft_error_bound(drawn.shape, drawn.precision));
}

void expect_the_same_however_stepped(const RandomTransform& drawn, const Volume& input,
                                     const FftRun& here) {
  FftOptions plain = drawn.options, threads = drawn.options, no_data = drawn.options;
  plain.accelerate.by_line = false;
  threads.threads = 2;
  no_data.data = false;
  for (const FftOptions& options : {plain, threads}) {
    const FftRun other = run(drawn, input, options);
    EXPECT_EQ(other.report.cycles, here.report.cycles);
    EXPECT_EQ(other.output.data, here.output.data);
  }
  EXPECT_EQ(run(drawn, input, no_data).report.cycles, here.report.cycles);
  if (drawn.shape.size() > 600 || looks_for_races()) return;
  plain.engine = Engine::reference;
  const FftRun other = run(drawn, input, plain);
  EXPECT_EQ(other.report.cycles, here.report.cycles);
  EXPECT_EQ(other.output.data, here.output.data);
}

class UnevenMeshes : public testing::TestWithParam<ArrayKind> {};

TEST_P(UnevenMeshes, GiveTheNumbersOfOnePeHoweverTheyAreStepped) {
  const ArrayKind kind = GetParam();
  const auto cases = by_effort<std::uint64_t>(1, 5, 16);
  for (std::uint64_t seed = seed_from(1); seed < seed_from(1) + cases; ++seed) {
    const RandomTransform drawn = random_transform(kind, seed);
    SCOPED_TRACE(fmt::format("seed {}, {}", seed, text(drawn)));
    const Volume input = input_of(drawn);
    const FftRun here = run(drawn, input, drawn.options);
    // Of one PE there are no digits, and real pencils stand in other pairs.
    if (kind != ArrayKind::digits && kind != ArrayKind::real)
      expect_the_numbers_of_one_pe(drawn, input, here);
    if (kind != ArrayKind::back && kind != ArrayKind::batch) expect_a_transform(drawn, input, here);
    expect_the_same_however_stepped(drawn, input, here);
    if (testing::Test::HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnevenMeshes, testing::ValuesIn(kArrayKinds), [](const auto& kind) {
  return std::string(kArrayKindNames[static_cast<std::size_t>(kind.param)]);
});

TEST(RoundTripsOnUnevenMeshes, GiveTheNumbersOfOnePe) {
  const Shape3 shape{12, 12, 12};
  const Volume input = io::random_volume(shape, 1), symbol = io::random_volume(shape, 2);
  const auto trips = [&](FftMesh mesh, FftTranspose form, int threads) {
    FftOptions options{.mesh = mesh, .transpose = form};
    options.machine.pe_memory_bytes = 1 << 20;
    options.threads = threads;
    return FftPlan(shape, FftPrecision::fp32, options).round_trips(input, 2, symbol);
  };
  const FftTrips one_pe = trips({1, 1}, FftTranspose::automatic, 1);
  for (const FftTranspose form : {FftTranspose::automatic, FftTranspose::ring})
    for (const FftMesh mesh : {FftMesh{5, 7}, {11, 1}, {1, 8}}) {
      SCOPED_TRACE(fmt::format("{} x {} {}", mesh.x, mesh.y, to_string(form)));
      const FftTrips here = trips(mesh, form, 1);
      EXPECT_EQ(here.output.data, one_pe.output.data);
      EXPECT_EQ(here.cycles, trips(mesh, form, 2).cycles);
    }
}

/// The cycles of an array of random sides on each mesh, without data.
TEST(DefaultMeshOfUnevenSides, IsAboutTheQuickest) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const auto& [shape, kind] : {std::pair{Shape3{6, 5, 9}, FftKind::complex},
                                    {{9, 1, 15}, FftKind::complex},
                                    {{5, 6, 10}, FftKind::real},
                                    {{1, 10, 12}, FftKind::complex}})
    for (const FftTranspose form : {FftTranspose::automatic, FftTranspose::ring}) {
      SCOPED_TRACE(fmt::format("{},{},{} {}", shape.n0, shape.n1, shape.n2, to_string(form)));
      const auto cycles_on = [&, kind = kind, shape = shape](FftMesh mesh) {
        FftOptions options{.mesh = mesh, .kind = kind, .transpose = form};
        options.data = false;
        return FftPlan(shape, FftPrecision::fp32, options).forward({shape, {}}).report.cycles;
      };
      std::uint64_t least = ~std::uint64_t{0};
      const auto n0 = static_cast<int>(shape.n0), n1 = static_cast<int>(shape.n1);
      const auto n2 = static_cast<int>(kind == FftKind::real ? shape.n2 / 2 + 1 : shape.n2);
      for (int x = 1; x <= std::min(n0, n2); ++x)
        for (int y = 1; y <= (n1 == 1 ? 1 : std::min(n1, n0 == 1 ? n2 : n0)); ++y)
          least = std::min(least, cycles_on({x, y}));
      EXPECT_LT(static_cast<double>(cycles_on({})), 1.1 * static_cast<double>(least));
    }
}

/// Of a batch, without data; `mesh`: that is asked for.
FftPlan plan_of_batch(const Shape3& shape, int batch, FftMesh mesh, FftKind kind) {
  FftOptions options{.mesh = mesh, .batch = batch, .kind = kind, .data = false};
  return FftPlan(shape, FftPrecision::fp32, options);
}

std::optional<FftPlan> if_there_is_one(const Shape3& shape, int batch, FftMesh mesh, FftKind kind) {
  try {
    return plan_of_batch(shape, batch, mesh, kind);
  } catch (const Error& error) {  // it would leave places empty
    EXPECT_EQ(error.category(), ErrorCategory::usage) << error.what();
    return {};
  }
}

std::uint64_t cycles_of(const FftPlan& plan) {
  return plan.forward({plan.input_shape(), {}}).report.cycles;
}

TEST(DefaultMeshOfUnevenBatches, IsAboutTheQuickest) {
  if (sanitized()) GTEST_SKIP() << too_long();
  for (const auto& [shape, kind] : {std::pair{Shape3{6, 5, 9}, FftKind::complex},
                                    {{5, 6, 10}, FftKind::real},
                                    {{6, 1, 9}, FftKind::complex}}) {
    constexpr int kBatch = 4;
    SCOPED_TRACE(fmt::format("{},{},{}", shape.n0, shape.n1, shape.n2));
    std::uint64_t least = ~std::uint64_t{0};
    for (int x = 1; x <= 12; ++x)
      for (int y = 1; y <= (shape.n1 == 1 ? 4 : 12); ++y)
        if (const auto plan = if_there_is_one(shape, kBatch, {x, y}, kind))
          least = std::min(least, cycles_of(*plan));
    const FftPlan plan = plan_of_batch(shape, kBatch, {}, kind);
    EXPECT_LT(static_cast<double>(cycles_of(plan)), 1.1 * static_cast<double>(least));
    const FftPlan again(shape, FftPrecision::fp32, plan.options());
    EXPECT_EQ(again.estimate().division, plan.estimate().division);
  }
}

TEST(UnevenBatches, ShareAMeshAsIsQuickest) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  // 144 arrays: on 12 x 12 PEs each a PE of its own takes fewer cycles than all PEs in turn.
  const Shape3 shape{6, 6, 6};
  const FftPlan one = plan_of_batch(shape, 1, {6, 6}, FftKind::complex),
                many = plan_of_batch(shape, 144, {12, 12}, FftKind::complex);
  EXPECT_LT(2 * cycles_of(many), 36 * cycles_of(one));
  EXPECT_NE(many.estimate().division.find("12 x 12 arrays side by side, 1 x 1 PEs each"),
            std::string::npos)
      << many.estimate().division;
}

TEST(UnevenBatches, TakeUpTo1024PesAlongXAndY) {
  for (const int batch : {2, 1000, 1'000'000'000}) {
    const FftMesh mesh = plan_of_batch({600, 4, 600}, batch, {}, FftKind::complex).options().mesh;
    EXPECT_LE(std::max(mesh.x, mesh.y), 1024) << batch;
  }
}

TEST(InvalidUnevenMeshes, AreRefusedWithTheReason) {
  expect_error(
      ErrorCategory::usage,
      [] {
        FftPlan({12, 10, 15}, FftPrecision::fp32,
                {.mesh = {5, 4}, .transpose = FftTranspose::halves});
      },
      "invalid mesh for transposes by halves: 5 x 4 PEs", "a power of two of PEs, 64 at most",
      "take ");
  expect_error(
      ErrorCategory::usage,
      [] {
        FftPlan({16, 16, 16}, FftPrecision::fp32,
                {.mesh = {5, 4}, .transpose = FftTranspose::butterflies});
      },
      "invalid mesh for butterflies: 5 x 4 PEs", "as many PEs along axes 0 and 1 as numbers");
  expect_error(
      ErrorCategory::usage,
      [] {
        FftPlan({18, 1, 36}, FftPrecision::fp32, {.mesh = {5, 4}});
      },
      "invalid mesh: 4 PEs along y", "1 to 3");
}

}  // namespace
}  // namespace weft::test::fft_uneven_meshes_test
