// The transform's program, whole, on both engines.
#include <array>
#include <span>
#include <tuple>
#include <vector>

#include "fft/wsfft/program.hpp"
#include "fft/wsfft/transpose.hpp"
#include "gpu/device_test.hpp"
#include "gpu/transform_name.hpp"
#include "gpu/twins.hpp"
#include "support/mesh.hpp"

namespace weft::test::fft_test {
namespace {

using wsfft::Numbers;
using wsfft::Transform;
using wsfft::TransformProgram;

constexpr std::uint64_t kLimit = 1000000;

/// A pencil for PE (x, y): numbers from -1 to 1 that look random.
std::vector<std::uint32_t> pencil(const Transform& t, int x, int y) {
  const auto each = static_cast<std::size_t>(t.numbers.words());
  const auto n = static_cast<int>(t.division.numbers());
  std::vector<std::uint32_t> words(each * static_cast<std::size_t>(n));
  const auto number = [&](int i) { return static_cast<float>(i * 37 % 201) / 100 - 1; };
  for (int k = 0; k < n; ++k) {
    const int i = (x * t.division.py + y) * n + k;
    wsfft::encode(t.numbers, {number(i), number(i + 77)},
                  &words[each * static_cast<std::size_t>(k)]);
  }
  return words;
}

/// The transform's fabric.
Beginning beginning_of(const Transform& t) {
  const TransformProgram program = wsfft::build_transform(t);
  const auto write = [t, program](fabric::Stepper& fabric) {
    for (int y = 0; y < t.division.height(); ++y)
      for (int x = 0; x < t.division.width(); ++x) {
        const auto put = [&](std::uint32_t address, std::span<const std::uint32_t> words) {
          fabric.write({x, y, 1, 1}, address / 4, words);
        };
        put(program.input.address, pencil(t, x, y));
        for (const wsfft::Twiddles& table : program.twiddles)
          put(table.span.address, wsfft::root_words(table, t));
        for (const auto& [where, finish] : wsfft::finish_words(program.finish, t.form))
          put(where.address, finish);
      }
  };
  return {.layout = wsfft::lay_out(program.program, t), .write = write};
}

using Case = std::tuple<int, FftPrecision, FftDirection, wsfft::Form>;

class FftOnADevice : public DeviceTest, public testing::WithParamInterface<Case> {};

TEST_P(FftOnADevice, TakesTheSameCyclesToTheSameBits) {
  const auto [n, precision, direction, form] = GetParam();
  choose({.order = 1});
  const float scale = 1.0F / static_cast<float>(n);
  Twins twins(
      beginning_of({wsfft::cube(n), Numbers{precision}, direction, {scale, scale, scale}, form}));
  const engine::RunResult end = twins.run(kLimit);
  EXPECT_EQ(end.stop, engine::Stop::quiet);
  EXPECT_GT(end.skipped, 0U);
  EXPECT_GT(twins.on_device->totals().delivered, 0U);
}

std::string name_of(const testing::TestParamInfo<Case>& transform) {
  const auto [n, precision, direction, form] = transform.param;
  return transform_name(n, precision, direction) + (form == wsfft::Form::published ? ""
                                                    : form == wsfft::Form::interlocked
                                                        ? "_interlocked"
                                                    : form == wsfft::Form::halves ? "_halves"
                                                                                  : "_ring");
}

INSTANTIATE_TEST_SUITE_P(
    All, FftOnADevice,
    testing::Combine(testing::ValuesIn(sides()),
                     testing::Values(FftPrecision::fp16, FftPrecision::fp32),
                     testing::Values(FftDirection::forward, FftDirection::inverse),
                     testing::Values(wsfft::Form::published, wsfft::Form::interlocked,
                                     wsfft::Form::ring, wsfft::Form::halves)),
    name_of);

}  // namespace
}  // namespace weft::test::fft_test
