// Without a mesh, a plan takes one that fits, if any does.
#include <gtest/gtest.h>

#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_default_mesh_test {
namespace {

struct Case {
  Shape3 shape;
  FftPrecision precision = FftPrecision::fp32;
  FftKind kind = FftKind::complex;
  FftPencil pencil = FftPencil::radix2;
  int batch = 1;
  int memory = Machine{}.pe_memory_bytes;
};

FftOptions options_of(const Case& c, FftMesh mesh) {
  FftOptions options{.mesh = mesh, .batch = c.batch, .kind = c.kind, .pencil = c.pencil};
  options.data = false;
  options.machine.pe_memory_bytes = c.memory;
  return options;
}

bool can_be_planned(const Case& c, FftMesh mesh) {
  try {
    const FftPlan plan(c.shape, c.precision, options_of(c, mesh));
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Whether any mesh of one array fits.
bool any_mesh_fits(const Case& c) {
  const int most = c.kind == FftKind::real ? 33 : 64;
  for (int x = 1; x <= most; x = c.kind == FftKind::real ? x + 1 : 2 * x)
    for (int y = 1; y <= 64; y *= 2)
      if (can_be_planned(c, {x, y})) return true;
  return false;
}

TEST(DefaultMesh, FitsIfAnyDoes) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  constexpr FftPrecision fp16 = FftPrecision::fp16, fp32 = FftPrecision::fp32;
  constexpr FftKind complex = FftKind::complex, real = FftKind::real;
  constexpr FftPencil radix2 = FftPencil::radix2, split = FftPencil::split_radix;
  int fitting = 0, others = 0;
  for (const Case& c : std::initializer_list<Case>{
           {{1, 1, 2048}},
           {{1, 1, 4096}},
           {{1, 1, 4096}, fp16},
           {{1, 1, 4096}, fp32, complex, FftPencil::radix4},
           {{1, 1, 2048}, fp32, complex, split},
           {{1, 1, 4096}, fp32, complex, radix2, 5},
           {{1, 1, 2048}, fp16, complex, split, 3},
           {{1, 1, 4096}, fp32, real},
           {{1, 1, 64}, fp32, complex, radix2, 1, 2048},
           {{1, 1, 256}, fp16, complex, radix2, 1, 4096},
           {{1, 1, 256}, fp32, complex, radix2, 4, 4096},
           {{1, 1, 1024}, fp32, complex, radix2, 1, 8192},
           {{4, 4, 4}, fp32, complex, radix2, 1, 2048},
           {{4, 4, 4}, fp32, complex, radix2, 1, 3072},
           {{4, 4, 4}, fp32, real, radix2, 1, 3072},
           {{4, 4, 4}, fp16, real, radix2, 1, 4096},
           {{8, 1, 8}, fp32, complex, radix2, 1, 2560},
           {{16, 1, 64}, fp32, complex, radix2, 2, 4096},
           {{1, 16, 64}, fp32, complex, radix2, 1, 4096},
           {{32, 8, 16}, fp32, real, radix2, 1, 6144},
           {{16, 16, 16}, fp32, real, radix2, 1, 5000},
       }) {
    SCOPED_TRACE(testing::Message() << c.shape.n0 << ',' << c.shape.n1 << ',' << c.shape.n2
                                    << " in " << c.memory << " bytes, batch " << c.batch);
    const bool any = any_mesh_fits(c);
    EXPECT_EQ(can_be_planned(c, {}), any);
    ++(any ? fitting : others);
  }
  EXPECT_GT(fitting, 10);
  EXPECT_GT(others, 2);
}

TEST(DefaultMesh, IsTheLargestWhereThatFits) {
  const auto mesh = [](Shape3 shape, int batch = 1) {
    FftOptions options{.batch = batch};
    options.data = false;
    return FftPlan(shape, FftPrecision::fp32, options).options().mesh;
  };
  EXPECT_EQ(mesh({64, 64, 64}), (FftMesh{64, 64}));
  EXPECT_EQ(mesh({1, 1, 2048}), (FftMesh{1, 1}));
  EXPECT_EQ(mesh({1, 1, 4096}), (FftMesh{16, 16}));
  EXPECT_EQ(mesh({256, 1, 256}), (FftMesh{256, 1}));
}

TEST(DefaultMesh, OneAxisThatFitsInNoPeIsRight) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const int batch : {1, 3}) {
    const FftPlan plan({1, 1, 4096}, FftPrecision::fp32, {.batch = batch});
    const Volume input = io::random_volume(plan.input_shape(), 1);
    const FftRun there = plan.forward(input);
    for (int n = 0; n < batch; ++n) {
      const auto part = [&](const Volume& all) {
        return Volume{{1, 1, 4096},
                      {all.data.begin() + n * 4096, all.data.begin() + (n + 1) * 4096}};
      };
      const auto exact = reference::fftw(part(input), FftDirection::forward);
      EXPECT_LT(reference::compare(part(there.output).data, exact).rel_l2,
                fft_error_bound({1, 1, 4096}, FftPrecision::fp32));
    }
    const FftRun back = plan.inverse(there.output);
    const std::vector<std::complex<double>> wide(input.data.begin(), input.data.end());
    EXPECT_LT(reference::compare(back.output.data, wide).rel_l2,
              2 * fft_error_bound({1, 1, 4096}, FftPrecision::fp32));
  }
}

TEST(DefaultMesh, WhereNoneFitsTheErrorSaysWhatWould) {
  const auto refused = [](Shape3 shape, FftOptions options, auto... parts) {
    for (const bool data : {false, true}) {
      options.data = data;
      test::expect_error(
          ErrorCategory::machine_profile,
          [&] { const FftPlan plan(shape, FftPrecision::fp32, options); }, "two buffers of",
          parts...);
    }
  };
  refused({4096, 1, 4096}, {}, "4096 numbers exceed a PE's 48 KB", "a shape up to 2048,2048",
          "raise the machine's pe_memory_bytes to");
  refused({1, 1, 4096}, {.kind = FftKind::real}, "a shape up to 2048,");
  refused({256, 256, 256}, {.mesh = {32, 32}}, "take at least 128 x 64 PEs");
  FftOptions small{.mesh = {32, 32}};
  small.machine.pe_memory_bytes = 9000;
  refused({256, 256, 256}, small, "16384 numbers exceed a PE's 8.789 KB");
  refused({256, 256, 256}, {.mesh = {2, 2}}, "exceed a program's limits",
          "a descriptor has at most", "at least 128 x 64 PEs");
  refused({1, 1, std::size_t{1} << 24}, {.mesh = {4, 4}}, "take at least 128 x 128 PEs");
  refused({1, 1, 4096}, {.mesh = {1, 1}, .batch = 2}, "take at least");
}

TEST(DefaultMesh, AnAxisOfOneNumberAtTheEndIsToBeReshaped) {
  const auto refused = [](Shape3 shape, const char* to) {
    test::expect_error(
        ErrorCategory::usage, [&] { const FftPlan plan(shape, FftPrecision::fp32); },
        "its last axis has one number", to);
  };
  refused({64, 1, 1}, "reshape the array to 1,1,64");
  refused({1, 64, 1}, "reshape the array to 1,1,64");
  refused({64, 32, 1}, "reshape the array to 64,1,32");
}

TEST(DefaultMesh, CountsOfThreadsAreCheckedAlike) {
  for (const int threads : {0, -3, 1025}) {
    const std::string text = "invalid count of threads: " + std::to_string(threads);
    test::expect_error(
        ErrorCategory::usage,
        [&] {
          const FftPlan plan({4, 4, 4}, FftPrecision::fp32, {.threads = threads});
        },
        text, "allowed: 1 to 1024");
  }
  EXPECT_EQ(FftPlan({4, 4, 4}, FftPrecision::fp32, {.threads = 1000})
                .forward(io::random_volume({4, 4, 4}, 1))
                .rounds,
            1);
}

}  // namespace
}  // namespace weft::test::fft_default_mesh_test
