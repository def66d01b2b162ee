// Transforms of all shapes, kinds and pencils through the library's interface, and the ways to
// transpose a row, on both engines.
#include <fmt/format.h>

#include <ostream>
#include <string>
#include <vector>

#include "evaluation/transposes/transposes.hpp"
#include "gpu/device_test.hpp"
#include "io/volume_file.hpp"
#include "support/box.hpp"
#include "support/effort.hpp"
#include "support/transpose_costs.hpp"
#include "weft/fft.hpp"

namespace weft::test::shapes_test {
namespace {

/// They differ in what cores compute: races are looked for in one.
std::vector<FftPrecision> precisions() {
  if (looks_for_races()) return {FftPrecision::fp32};
  return {FftPrecision::fp32, FftPrecision::fp16};
}

struct Case {
  std::string name;
  Box box;
  FftKind kind = FftKind::complex;
  int batch = 1;
  FftPencil pencil = FftPencil::radix2;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class ShapesOnADevice : public DeviceTest, public testing::WithParamInterface<Case> {};

TEST_P(ShapesOnADevice, TakeTheSameCyclesToTheSameBits) {
  const Case& c = GetParam();
  if (looks_for_races() && c.pencil != FftPencil::radix2) GTEST_SKIP() << too_long();
  choose({.order = 1});
  for (const FftPrecision precision : precisions()) {
    SCOPED_TRACE(to_string(precision));
    FftOptions options{.mesh = c.box.mesh, .batch = c.batch, .kind = c.kind, .pencil = c.pencil};
    const auto run = [&](Engine engine, FftDirection direction, const Volume& input) {
      options.engine = engine;
      FftRun one = FftPlan(c.box.shape, precision, options).run(input, direction);
      EXPECT_EQ(one.report.engine, engine);
      return one;
    };
    const auto twins = [&](FftDirection direction, const Volume& input) {
      const FftRun host = run(Engine::host, direction, input),
                   device = run(Engine::cuda, direction, input);
      EXPECT_EQ(host.output.data, device.output.data);
      EXPECT_EQ(host.report.cycles, device.report.cycles);
      EXPECT_EQ(host.report.counters.hops, device.report.counters.hops);
      EXPECT_EQ(host.report.counters.filtered, device.report.counters.filtered);
      return host.output;
    };
    Volume input = io::random_volume(FftPlan(c.box.shape, precision, options).input_shape(), 2);
    if (c.kind == FftKind::real)
      for (std::complex<float>& number : input.data) number = number.real();
    twins(FftDirection::inverse, twins(FftDirection::forward, input));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ShapesOnADevice,
    testing::Values(
        Case{"box", {{8, 4, 4}, {2, 4}}}, Case{"slab", {{4, 4, 8}, {4, 1}}},
        Case{"row", {{8, 1, 8}, {4, 1}}}, Case{"square", {{8, 1, 8}, {2, 2}}},
        Case{"pencil", {{1, 1, 16}, {1, 1}}}, Case{"digits", {{1, 1, 64}, {4, 4}}},
        Case{"batch", {{4, 4, 4}, {8, 4}}, FftKind::complex, 3},
        Case{"real", {{8, 4, 8}, {3, 4}}, FftKind::real},
        Case{"reals", {{4, 4, 4}, {6, 4}}, FftKind::real, 3},
        Case{"radix4", {{4, 4, 16}, {4, 4}}, FftKind::complex, 1, FftPencil::radix4},
        Case{"split_radix", {{4, 4, 16}, {4, 4}}, FftKind::complex, 1, FftPencil::split_radix},
        Case{"stockham", {{4, 4, 16}, {4, 4}}, FftKind::complex, 1, FftPencil::stockham}),
    [](const testing::TestParamInfo<Case>& one) { return one.param.name; });

class TransposesOnADevice : public DeviceTest,
                            public testing::WithParamInterface<transposes::AlgorithmInfo> {};

// measure_transpose looks at each word.
TEST_P(TransposesOnADevice, TakeTheSameCycles) {
  choose({.order = 1});
  for (const FftPrecision precision : precisions()) {
    SCOPED_TRACE(to_string(precision));
    constexpr int kSide = 8, kRows = 5;
    const auto run = [&](Engine engine) {
      return transposes::measure_transpose(GetParam().algorithm, kSide, precision, {}, engine, 1,
                                           kRows);
    };
    expect_same(run(Engine::host), run(Engine::cuda));
  }
}

INSTANTIATE_TEST_SUITE_P(All, TransposesOnADevice,
                         testing::ValuesIn(transposes::transpose_algorithms()),
                         [](const testing::TestParamInfo<transposes::AlgorithmInfo>& one) {
                           return fmt::format("way{}", static_cast<int>(one.param.algorithm));
                         });

}  // namespace
}  // namespace weft::test::shapes_test
