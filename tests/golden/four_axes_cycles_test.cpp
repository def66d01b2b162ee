// The cycles of arrays of four axes: those of the page on transforms.
#include <gtest/gtest.h>

#include <string>

#include "weft/fft.hpp"

namespace weft::test::four_axes_cycles_test {
namespace {

struct Row {
  FftTranspose transpose;
  FftPencil pencil;
  std::uint64_t fp32, fp16;
};

TEST(FourAxesCycles, AreThoseOfThePage) {
  constexpr Shape3 kShape{16, 16, 16, 16};
  for (const auto& [transpose, pencil, fp32, fp16] :
       {Row{FftTranspose::published, FftPencil::radix2, 80770, 63426},
        Row{FftTranspose::ring, FftPencil::radix2, 78265, 61519},
        Row{FftTranspose::halves, FftPencil::radix2, 76600, 60296},
        Row{FftTranspose::halves, FftPencil::radix4, 22328, 14408}})
    for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16}) {
      const FftPlan plan(kShape, precision,
                         {.transpose = transpose, .pencil = pencil, .data = false});
      EXPECT_EQ(plan.forward({kShape, {}}).report.cycles,
                precision == FftPrecision::fp32 ? fp32 : fp16)
          << to_string(transpose) << ' ' << to_string(pencil) << ' ' << to_string(precision);
    }
}

}  // namespace
}  // namespace weft::test::four_axes_cycles_test
