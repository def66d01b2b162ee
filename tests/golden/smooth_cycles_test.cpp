// The cycles and bytes of arrays whose sides are no powers of two: those of the page on transforms.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "support/effort.hpp"
#include "weft/fft.hpp"

namespace weft::test::smooth_cycles_test {
namespace {

/// In FP32 by radix 4.
struct Row {
  const char* name;
  Shape3 shape;
  FftKind kind;
  FftTranspose transpose;
  FftMesh mesh;
  std::uint64_t cycles;
  std::uint32_t bytes;  ///< of a PE; 0: the page has none
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class SmoothCycles : public testing::TestWithParam<Row> {};

TEST_P(SmoothCycles, AreThoseOfThePage) {
  const Row& row = GetParam();
  const FftPlan plan(row.shape, FftPrecision::fp32,
                     {.mesh = row.mesh,
                      .kind = row.kind,
                      .transpose = row.transpose,
                      .pencil = FftPencil::radix4,
                      .data = false});
  if (row.bytes != 0) {
    EXPECT_EQ(plan.estimate().pe_bytes, row.bytes);
  }
  if (effort() != Effort::all && row.mesh.x > 60) GTEST_SKIP() << too_long();
  EXPECT_EQ(plan.forward({row.shape, {}}).report.cycles, row.cycles);
}

constexpr FftTranspose kPublished = FftTranspose::published, kRing = FftTranspose::ring;
constexpr FftKind kComplex = FftKind::complex, kReal = FftKind::real;

INSTANTIATE_TEST_SUITE_P(
    All, SmoothCycles,
    testing::Values(Row{"Cube24", {24, 24, 24}, kComplex, kPublished, {24, 24}, 6248, 0},
                    Row{"Cube24Ring", {24, 24, 24}, kComplex, kRing, {24, 24}, 3364, 0},
                    Row{"Cube48", {48, 48, 48}, kComplex, kPublished, {48, 48}, 14390, 0},
                    Row{"Cube48Ring", {48, 48, 48}, kComplex, kRing, {48, 48}, 7499, 0},
                    Row{"Box", {60, 48, 80}, kComplex, kPublished, {40, 48}, 31781, 0},
                    Row{"BoxRing", {60, 48, 80}, kComplex, kRing, {60, 48}, 20244, 0},
                    Row{"Real90", {90, 90, 90}, kReal, kPublished, {46, 90}, 29546, 0},
                    Row{"Real90Ring", {90, 90, 90}, kReal, kRing, {46, 90}, 17117, 0},
                    Row{"Brain", {180, 216, 180}, kComplex, kPublished, {180, 108}, 163674, 13888},
                    Row{"BrainRing", {180, 216, 180}, kComplex, kRing, {180, 108}, 96842, 15616}),
    [](const testing::TestParamInfo<Row>& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace weft::test::smooth_cycles_test
