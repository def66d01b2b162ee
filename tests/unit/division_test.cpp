// How plans divide arrays among PEs.
#include <gtest/gtest.h>

#include "fft/choice.hpp"
#include "weft/error.hpp"

namespace weft::test::division_test {
namespace {

using wsfft::Division;

bool same(const Division& a, const Division& b) {
  return a.sides == b.sides && a.inner == b.inner && a.px == b.px && a.py == b.py &&
         a.across == b.across && a.down == b.down && a.digits == b.digits && a.real == b.real;
}

TEST(Divisions, OnAChosenMeshAreThoseOnTheSameMeshAsked) {
  int cases = 0;
  for (const FftKind kind : {FftKind::complex, FftKind::real}) {
    fft::PeBytes bytes(FftPrecision::fp32, FftPencil::radix2);
    for (const Shape3& shape : {Shape3{1, 1, 4096},
                                {1, 1, 65536},
                                {64, 1, 64},
                                {8, 8, 8},
                                {8, 16, 8},
                                {16, 4, 64},
                                {128, 64, 32},
                                {8, 4, 4, 8}})
      for (const FftMesh asked : {FftMesh{}, {0, 1}, {1, 0}, {0, 4}, {4, 0}})
        for (const int batch : {1, 2, 3, 9, 64}) {
          FftOptions options{.mesh = asked, .batch = batch, .kind = kind};
          options.data = false;
          try {
            const Division chosen = fft::choose_division(shape, options, bytes);
            options.mesh = {chosen.width(), chosen.height()};
            EXPECT_TRUE(same(chosen, fft::choose_division(shape, options, bytes)))
                << shape.n0 << "," << shape.n1 << "," << shape.n2 << " of " << batch << " on "
                << options.mesh.x << " x " << options.mesh.y;
            ++cases;
          } catch (const Error&) {  // this mesh cannot be
          }
        }
  }
  EXPECT_GT(cases, 200);
}

}  // namespace
}  // namespace weft::test::division_test
