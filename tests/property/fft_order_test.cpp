// The transposes that are right on every machine, whatever the order in which cores, links and
// ramps come to their turn: on the plain fabric, where they miss turns at random.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "fft/wsfft/butterflies.hpp"
#include "spec/fabric.hpp"
#include "support/mesh.hpp"
#include "support/transform_case.hpp"

namespace weft::test::fft_order_test {
namespace {

constexpr std::uint64_t kLimit = 400'000;
constexpr std::uint64_t kNoDelays = 0;  ///< in place of a seed

/// Each PE misses its turns as often as it likes, a few of them nearly always, and what that is
/// changes now and then.
class Delays {
 public:
  Delays(int n, std::uint64_t seed) : n_(n), random_(seed), rate_(index(n * n)) { draw(); }

  bool operator()(int x, int y) {
    if (++asked_ % 50'000 == 0) draw();
    return random_() % 100 < rate_[index(y * n_ + x)];
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  void draw() {
    for (std::uint64_t& rate : rate_) rate = random_() % 8 == 0 ? 95 : random_() % 60;
  }

  int n_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> rate_;
  std::uint64_t asked_ = 0;
};

struct Ended {
  bool all;  ///< every PE has come to the transform's end
  std::vector<std::uint32_t> words;
  FaultKind fault = FaultKind::none;
};

Ended run_with_delays(const TransformCase& c, wsfft::Form form, const Machine& machine,
                      std::uint64_t seed, std::uint64_t limit = kLimit) {
  wsfft::Transform t = transform_of(c, form);
  t.division.in_place = form == wsfft::Form::butterflies;
  const wsfft::TransformProgram program = wsfft::build_transform(t);
  spec::Fabric fabric(wsfft::lay_out(program.program, t), machine);
  const auto at = [&](int pe, std::uint32_t address) {
    return fabric.pe(pe % c.n, pe / c.n).core.memory.begin() + address / 4;
  };
  const auto last_stamp = program.stamps.address + 4 * (wsfft::kStamps - 1);
  const auto before = words_before(c);
  const auto each = static_cast<std::ptrdiff_t>(before.size()) / (c.n * c.n);
  wsfft::Division division = t.division;
  division.ring = form == wsfft::Form::ring;
  const auto pencil_of = [&](int pe) {  // of the cube
    return division.part_at(pe / c.n, wsfft::Axis::column) * c.n +
           division.part_at(pe % c.n, wsfft::Axis::row);
  };
  const int pes = c.n * c.n;
  for (int pe = 0; pe < pes; ++pe) {
    std::copy_n(before.begin() + pencil_of(pe) * each, each, at(pe, program.input.address));
    std::ranges::copy(wsfft::root_words(program.twiddles.front(), t),
                      at(pe, program.twiddles.front().span.address));
    for (const auto& [where, finish] : wsfft::finish_words(program.finish, form))
      std::ranges::copy(finish, at(pe, where.address));
    for (const auto& [axis, scale, where] : program.level_roots)
      std::ranges::copy(wsfft::butterfly_roots(t.numbers, c.n, t.direction, scale),
                        at(pe, where.address));
  }
  if (seed != kNoDelays) fabric.misses_turn = Delays(c.n, seed);
  int ended = 0;
  while (ended < pes && fabric.fault().kind == FaultKind::none && fabric.cycle() < limit) {
    fabric.step();
    while (ended < pes && *at(ended, last_stamp) != 0) ++ended;
  }
  Ended result{ended == pes, std::vector<std::uint32_t>(before.size()), fabric.fault().kind};
  for (int pe = 0; pe < pes; ++pe)
    std::copy_n(at(pe, program.output.address), each, result.words.begin() + pencil_of(pe) * each);
  return result;
}

using Parameters = std::tuple<int, FftPrecision, FftDirection>;

class AnyOrder : public testing::TestWithParam<Parameters> {
 protected:
  TransformCase transform() const {
    const auto [n, precision, direction] = GetParam();
    return {n, precision, direction};
  }
};

TEST_P(AnyOrder, IsRightForTheseForms) {
  const TransformCase c = transform();
  if (sanitized() && c.n > 4) GTEST_SKIP() << "too slow under a sanitizer";
  const std::uint64_t seeds =
      c.n == 4 ? by_effort<std::uint64_t>(2, 4, 12) : by_effort<std::uint64_t>(0, 1, 2);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    if (many_cases() && seed / 2 % 2 != static_cast<std::uint64_t>(drawn_of(2))) continue;
    SCOPED_TRACE(seed);
    const Machine machine = seed % 2 == 0 ? random_machine(seed) : Machine{};
    for (const wsfft::Form form :
         {wsfft::Form::interlocked, wsfft::Form::ring, wsfft::Form::halves}) {
      const Ended ended = run_with_delays(c, form, machine, seed);
      ASSERT_TRUE(ended.all);
      EXPECT_EQ(ended.words, words_after(c));
    }
  }
}

/// Butterflies compute other bits than pencils: they are compared with themselves.
TEST_P(AnyOrder, IsTheSameByButterflies) {
  const TransformCase c = transform();
  if (sanitized() && c.n > 4) GTEST_SKIP() << "too slow under a sanitizer";
  const Ended right = run_with_delays(c, wsfft::Form::butterflies, Machine{}, kNoDelays);
  ASSERT_TRUE(right.all);
  const std::uint64_t seeds =
      c.n == 4 ? by_effort<std::uint64_t>(2, 4, 12) : by_effort<std::uint64_t>(1, 1, 3);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Ended ended = run_with_delays(c, wsfft::Form::butterflies,
                                        seed % 2 == 0 ? random_machine(seed) : Machine{}, seed);
    ASSERT_TRUE(ended.all);
    EXPECT_EQ(ended.words, right.words);
  }
}

/// By halves, rows and columns share queues from 16 PEs a side on.
TEST(AnyOrderByHalves, IsRightOrEndsInAFaultWhereQueuesAreShared) {
  if (effort() != Effort::all) GTEST_SKIP() << too_long();
  const TransformCase c{16, FftPrecision::fp16, FftDirection::forward};
  const std::uint64_t seed = 1;  // a run takes ten seconds
  const Ended ended = run_with_delays(c, wsfft::Form::halves, Machine{}, seed);
  if (ended.all)
    EXPECT_EQ(ended.words, words_after(c));
  else
    EXPECT_EQ(ended.fault, FaultKind::queue_color_changed);
}

std::string name_of(const testing::TestParamInfo<Parameters>& info) {
  const auto [n, precision, direction] = info.param;
  return fmt::format("{}{}{}", to_string(precision),
                     direction == FftDirection::forward ? "forward" : "inverse", n);
}

INSTANTIATE_TEST_SUITE_P(
    All, AnyOrder,
    testing::Combine(testing::Values(4, 8), testing::Values(FftPrecision::fp16, FftPrecision::fp32),
                     testing::Values(FftDirection::forward, FftDirection::inverse)),
    name_of);

// Else the test above would not say much.
TEST(AnyOrder, IsTooMuchForThePublishedForm) {
  if (effort() != Effort::all) GTEST_SKIP() << too_long();
  constexpr std::uint64_t kLonger = 100'000;  // some times what the interlocked form takes
  const TransformCase c{8, FftPrecision::fp16, FftDirection::forward};
  int ended = 0;
  constexpr int kRuns = 3;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    EXPECT_TRUE(run_with_delays(c, wsfft::Form::interlocked, Machine{}, seed, kLonger).all);
    ended += run_with_delays(c, wsfft::Form::published, Machine{}, seed, kLonger).all ? 1 : 0;
  }
  EXPECT_LT(ended, kRuns);
}

}  // namespace
}  // namespace weft::test::fft_order_test
