// Meshes that divide no side of an array: padding changes no number of a result.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fft/wsfft/halves.hpp"
#include "fft/wsfft/pencil_algorithms.hpp"
#include "io/volume_file.hpp"
#include "reference/half_spectrum.hpp"
#include "reference/reference.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/transform_case.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_uneven_meshes_test {
namespace {

/// How an array lies on its PEs.
enum class Kind { box, real, line, folded, digits, four_axes, back, batch };
constexpr Kind kKinds[] = {Kind::box,    Kind::real,      Kind::line, Kind::folded,
                           Kind::digits, Kind::four_axes, Kind::back, Kind::batch};
constexpr const char* kNames[] = {"box",    "real",      "line", "folded",
                                  "digits", "four_axes", "back", "batch"};
constexpr FftTranspose kForms[] = {FftTranspose::automatic, FftTranspose::interlocked,
                                   FftTranspose::ring, FftTranspose::halves};

struct Drawn {
  Shape3 shape;
  FftPrecision precision;
  FftDirection direction;
  FftOptions options;
};

Drawn draw(Kind kind, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const auto side = [&](std::size_t most, bool even = false) {
    while (true) {
      const std::size_t n = 4 + below(most - 3);
      if (wsfft::is_smooth(static_cast<int>(n)) && (!even || n % 2 == 0)) return n;
    }
  };
  Drawn drawn{};
  const auto shape = [&]() -> Shape3 {
    switch (kind) {
      case Kind::real:
        return {below(2) == 0 ? side(20) : 1, side(20), side(40, true)};
      case Kind::line:
        return below(2) == 0 ? Shape3{side(40), 1, side(40)} : Shape3{1, side(40), side(40)};
      case Kind::folded:
        return {side(40), 1, side(40)};
      case Kind::digits:
        return {1, 1, side(9) * side(9) * side(9)};  // three digits: it takes any of these meshes
      case Kind::four_axes:
        return {side(12), side(9), side(10), side(10)};
      case Kind::back: {
        const std::size_t n = side(40);
        return {n, 1, n};
      }
      default:
        return {side(25), side(20), side(25)};
    }
  };
  constexpr std::size_t kMostNumbers = 3000;
  do drawn.shape = shape();
  while (drawn.shape.size() > kMostNumbers || drawn.shape.size() < 100);
  auto& [n0, n1, n2, n3] = drawn.shape;
  if (kind == Kind::real && n0 == 1) std::swap(n0, n1);  // two axes of real numbers
  FftOptions& options = drawn.options;
  options.transpose = kForms[below(4)];
  const auto pes = [&](std::size_t most) {
    if (options.transpose == FftTranspose::halves)
      return 1 << below(static_cast<std::uint64_t>(wsfft::levels_of(static_cast<int>(most))) + 1);
    return 1 + static_cast<int>(below(most));
  };
  const std::size_t plane = kind == Kind::real ? n2 / 2 + 1 : n2 * n3;
  FftMesh& mesh = options.mesh;
  mesh = {pes(std::min(n0, plane)), n1 == 1 ? 1 : pes(std::min(n1, n0 == 1 ? n2 : n0))};
  if (kind == Kind::folded) {
    do mesh = {pes(n0), 1 + pes(n0 - 1)};
    while (static_cast<std::size_t>(mesh.x) * static_cast<std::size_t>(mesh.y) > std::min(n0, n2) ||
           mesh.y == 1);
    if (options.transpose == FftTranspose::halves) mesh = {2, 2};
  }
  if (kind == Kind::digits) mesh = {4, 1 << below(3)};
  if (kind == Kind::digits && options.transpose != FftTranspose::halves)
    mesh = {3 + static_cast<int>(below(2)), 1 + static_cast<int>(below(4))};
  if (kind == Kind::batch) options.batch = 2 + static_cast<int>(below(3)), mesh.y *= 2;
  if (kind == Kind::real) options.kind = FftKind::real;
  options.back = kind == Kind::back;
  options.pencil = below(2) == 0 ? FftPencil::radix4 : FftPencil::stockham;
  options.norm = FftNorm::ortho;  // FP16 values stay in range
  options.machine.pe_memory_bytes = 1 << 20;
  drawn.precision = below(2) == 0 ? FftPrecision::fp16 : FftPrecision::fp32;
  drawn.direction = below(2) == 0 ? FftDirection::forward : FftDirection::inverse;
  if (seed % 3 == 0) {
    options.machine = random_machine(seed);
    options.machine.pe_memory_bytes = 1 << 20;
  }
  return drawn;
}

std::string text(const Drawn& drawn) {
  const auto& [n0, n1, n2, n3] = drawn.shape;
  const FftOptions& options = drawn.options;
  return fmt::format("{},{},{},{} on {} x {} by {} and {}, {} {}", n0, n1, n2, n3, options.mesh.x,
                     options.mesh.y, to_string(options.transpose), to_string(options.pencil),
                     to_string(drawn.precision), to_string(drawn.direction));
}

std::vector<std::complex<double>> exact_of(const Volume& input, FftDirection direction) {
  return reference::fftw(input, direction, FftNorm::ortho);
}

Volume real_volume(const Shape3& shape) {
  Volume volume = io::random_volume(shape, 1);
  for (auto& number : volume.data) number = number.real();
  return volume;
}

std::vector<std::complex<double>> half_spectrum(const Drawn& drawn) {
  return reference::half_of(exact_of(real_volume(drawn.shape), FftDirection::forward), drawn.shape);
}

Volume input_of(const Drawn& drawn) {
  const FftPlan plan(drawn.shape, drawn.precision, drawn.options);
  const Shape3 shape = plan.input_shape(drawn.direction);
  if (drawn.options.kind != FftKind::real) return io::random_volume(shape, 1);
  if (drawn.direction == FftDirection::forward) return real_volume(shape);
  Volume half{shape, {}};
  for (const std::complex<double>& number : half_spectrum(drawn)) half.data.emplace_back(number);
  return half;
}

FftRun run(const Drawn& drawn, const Volume& input, FftOptions options) {
  const FftPlan plan(drawn.shape, drawn.precision, std::move(options));
  return plan.run(plan.options().data ? input : Volume{input.shape, {}}, drawn.direction);
}

/// The same arithmetic where nothing is divided: each pencil is transformed alone.
void expect_the_numbers_of_one_pe(const Drawn& drawn, const Volume& input, const FftRun& here) {
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

void expect_a_transform(const Drawn& drawn, const Volume& input, const FftRun& here) {
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

void expect_the_same_however_stepped(const Drawn& drawn, const Volume& input, const FftRun& here) {
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

class UnevenMeshes : public testing::TestWithParam<Kind> {};

TEST_P(UnevenMeshes, GiveTheNumbersOfOnePeHoweverTheyAreStepped) {
  const Kind kind = GetParam();
  const auto cases = by_effort<std::uint64_t>(1, 5, 40);
  for (std::uint64_t seed = seed_from(1); seed < seed_from(1) + cases; ++seed) {
    const Drawn drawn = draw(kind, seed);
    SCOPED_TRACE(fmt::format("seed {}, {}", seed, text(drawn)));
    const Volume input = input_of(drawn);
    const FftRun here = run(drawn, input, drawn.options);
    // Of one PE there are no digits, and real pencils stand in other pairs.
    if (kind != Kind::digits && kind != Kind::real)
      expect_the_numbers_of_one_pe(drawn, input, here);
    if (kind != Kind::back && kind != Kind::batch) expect_a_transform(drawn, input, here);
    expect_the_same_however_stepped(drawn, input, here);
    if (testing::Test::HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnevenMeshes, testing::ValuesIn(kKinds), [](const auto& kind) {
  return std::string(kNames[static_cast<std::size_t>(kind.param)]);
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

TEST(UnevenMeshesThatCannotBe, AreRefusedWithTheReason) {
  expect_error(
      ErrorCategory::usage,
      [] {
        FftPlan({12, 10, 15}, FftPrecision::fp32,
                {.mesh = {5, 4}, .transpose = FftTranspose::halves});
      },
      "no transposes by halves among 5 x 4 PEs", "a power of two of PEs, 64 at most", "take ");
  expect_error(
      ErrorCategory::usage,
      [] {
        FftPlan({16, 16, 16}, FftPrecision::fp32,
                {.mesh = {5, 4}, .transpose = FftTranspose::butterflies});
      },
      "no butterflies among 5 x 4 PEs", "as many PEs along axes 0 and 1 as numbers");
  expect_error(
      ErrorCategory::usage,
      [] {
        FftPlan({18, 1, 36}, FftPrecision::fp32, {.mesh = {5, 4}});
      },
      "invalid mesh: 4 PEs along y", "1 to 3");
}

}  // namespace
}  // namespace weft::test::fft_uneven_meshes_test
