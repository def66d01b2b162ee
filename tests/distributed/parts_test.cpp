// Transforms whose processes give and get parts of the arrays: the parts are all numbers, each
// once, and the results are those of one process.
#include "fft/parts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <complex>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "distributed/thread_processes.hpp"
#include "io/volume_file.hpp"
#include "support/effort.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"
#include "weft/processes.hpp"

namespace weft::test::parts_test {
namespace {

using Number = std::complex<float>;

struct Case {
  const char* name;
  Shape3 shape;
  FftOptions options{};
  FftPrecision precision = FftPrecision::fp32;
  int least = 2, most = 4;  ///< processes
};

Volume part_of(const Volume& whole, const FftPart& part) {
  Volume mine{whole.shape, std::vector<Number>(part.size())};
  fft::for_runs(part, [&](std::size_t first, std::size_t count, std::size_t at) {
    std::copy_n(whole.data.data() + first, count, mine.data.data() + at);
  });
  return mine;
}

/// Where a part goes among all numbers, and how often each number came.
struct Collected {
  std::vector<Number> numbers;
  std::vector<int> times;

  void take(const Volume& mine, const FftPart& part) {
    fft::for_runs(part, [&](std::size_t first, std::size_t count, std::size_t at) {
      std::copy_n(mine.data.data() + at, count, numbers.data() + first);
      for (std::size_t k = first; k < first + count; ++k) ++times[k];
    });
  }
};

Volume input_of(const FftPlan& plan, FftDirection direction) {
  Volume input = io::random_volume(plan.input_shape(direction), seed_from(5));
  if (plan.options().kind == FftKind::real && direction == FftDirection::forward)
    for (Number& z : input.data) z.imag(0);
  return input;
}

void expect_parts(const Case& c, FftDirection direction) {
  FftOptions options = c.options;
  options.engine = Engine::host;
  options.parts = true;
  const FftPlan alone(c.shape, c.precision, options);
  EXPECT_FALSE(alone.options().parts) << "one process has all";
  const Volume input = input_of(alone, direction);
  const Volume expected = alone.run(input, direction).output;
  const std::size_t size = expected.data.size();
  const int teams = c.most - c.least + 1;
  for (int team_number = first_of(teams); team_number < teams; team_number += one_of(teams)) {
    const int processes = c.least + team_number;
    SCOPED_TRACE(fmt::format("{}, {}, {} processes", c.name, to_string(direction), processes));
    std::vector<Collected> all(static_cast<std::size_t>(processes),
                               {std::vector<Number>(size), std::vector<int>(size)});
    std::vector<std::size_t> given(all.size());
    Team team{.size = processes, .delays = processes == 3 ? 9U : 0U};
    for (const std::string& text : team.run([&](const std::shared_ptr<Processes>& shared) {
           FftOptions own = options;
           own.processes = shared;
           const FftPlan plan(c.shape, c.precision, own);
           EXPECT_TRUE(plan.options().parts);
           const auto rank = static_cast<std::size_t>(shared->rank());
           const FftPart from = plan.input_part(direction), to = plan.output_part(direction);
           given[rank] = from.size();
           const FftRun run = plan.run(part_of(input, from), direction);
           EXPECT_EQ(run.output.data.size(), to.size());
           all[rank].take(run.output, to);
           return std::string();
         }))
      EXPECT_EQ(text, "");
    Collected sum = all.front();
    for (std::size_t rank = 1; rank < all.size(); ++rank)
      for (std::size_t k = 0; k < size; ++k) {
        if (all[rank].times[k] > 0) sum.numbers[k] = all[rank].numbers[k];
        sum.times[k] += all[rank].times[k];
      }
    EXPECT_TRUE(std::ranges::all_of(sum.times, [](int times) { return times == 1; }));
    std::size_t all_given = 0;
    for (const std::size_t one : given) all_given += one;
    EXPECT_EQ(all_given, input.data.size());
    EXPECT_EQ(std::memcmp(sum.numbers.data(), expected.data.data(), size * sizeof(Number)), 0);
  }
}

Accelerations without_lines() {
  Accelerations accelerate;
  accelerate.by_line = false;
  return accelerate;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"cube", {16, 16, 16}, {.mesh = {16, 16}}},
      {"cube by line", {32, 32, 32}, {.mesh = {32, 32}}},
      {"FP16", {16, 16, 16}, {.mesh = {16, 16}, .threads = 2}, FftPrecision::fp16},
      {"plain step", {16, 16, 16}, {.mesh = {8, 16}, .accelerate = without_lines()}},
      {"padding", {20, 18, 12}, {.mesh = {8, 15}}},
      {"ring", {16, 16, 16}, {.mesh = {16, 16}, .transpose = FftTranspose::ring}},
      {"halves", {16, 16, 16}, {.mesh = {16, 16}, .transpose = FftTranspose::halves}},
      {"butterflies", {16, 16, 8}, {.mesh = {16, 16}, .transpose = FftTranspose::butterflies}},
      {"real", {16, 16, 16}, {.mesh = {8, 16}, .kind = FftKind::real}},
      {"real by line", {32, 32, 18}, {.mesh = {10, 32}, .kind = FftKind::real}},
      {"batch", {8, 8, 8}, {.mesh = {16, 16}, .batch = 3}},
      {"batch in rounds", {8, 8, 8}, {.mesh = {8, 16}, .batch = 5}},
      {"four axes", {16, 16, 4, 6}, {.mesh = {16, 16}}},
      {"planes side by side", {8, 1, 8}, {.mesh = {8, 16}, .batch = 13}},
      {"pencils", {1, 1, 16}, {.mesh = {4, 16}, .batch = 60}},
      {"folded", {64, 1, 64}, {.mesh = {4, 16}}},
      {"folded with padding", {36, 1, 40}, {.mesh = {2, 16}}},
      {"folded by a ring", {32, 1, 64}, {.mesh = {2, 16}, .transpose = FftTranspose::ring}},
      {"a column", {1, 16, 18}, {.mesh = {1, 16}}},
      {"columns side by side", {1, 8, 16}, {.mesh = {3, 16}, .batch = 7}},
      {"digits", {1, 1, 4096}, {.mesh = {16, 16}}},
      {"digits with padding", {1, 1, 4050}, {.mesh = {4, 14}, .threads = 2}, FftPrecision::fp16},
      {"digits on a column", {1, 1, 1024}, {.mesh = {1, 16}}},
      {"digits in rounds", {1, 1, 8192}, {.mesh = {8, 32}, .batch = 3}},
      {"S3DFT", {16, 16, 16}, {.mesh = {16, 16}, .algorithm = FftAlgorithm::s3dft}},
      {"S3DFT by bundles of lines",
       {4, 192, 16},
       {.mesh = {16, 192}, .algorithm = FftAlgorithm::s3dft}},
      {"cubes",
       {16, 16, 16},
       {.mesh = {32, 16},
        .algorithm = FftAlgorithm::s3dft,
        .s3dft_form = S3dftForm::cubes,
        .threads = 2}},
      {"cubes in FP16",
       {24, 24, 24},
       {.mesh = {32, 16}, .algorithm = FftAlgorithm::s3dft, .s3dft_form = S3dftForm::cubes},
       FftPrecision::fp16},
  };
  return all;
}

class Parts : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    const Case& c = cases()[GetParam()];
    if (sanitized() && c.options.algorithm == FftAlgorithm::s3dft && c.shape.size() > 4096)
      GTEST_SKIP() << too_long();
  }
};

TEST_P(Parts, AreAllNumbersAndTheirTransform) {
  expect_parts(cases()[GetParam()], FftDirection::forward);
}

TEST_P(Parts, AreAllNumbersAndTheirInverse) {
  expect_parts(cases()[GetParam()], FftDirection::inverse);
}

INSTANTIATE_TEST_SUITE_P(All, Parts, testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& number) {
                           std::string name = cases()[number.param].name;
                           std::erase_if(name, [](char c) {
                             return !std::isalnum(static_cast<unsigned char>(c));
                           });
                           return name;
                         });

/// Of 16 planes, six processes have 3 each at most, and the seventh has none. One direction, as so
/// many PEs take seconds.
TEST(PartsOfOne, MayBeEmpty) {
  if (effort() != Effort::all) GTEST_SKIP() << too_long();
  expect_parts(
      {"cubes",
       {16, 16, 16},
       {.mesh = {64, 64}, .algorithm = FftAlgorithm::s3dft, .s3dft_form = S3dftForm::cubes},
       FftPrecision::fp32,
       7,
       7},
      FftDirection::forward);
}

TEST(PartsOfOne, AreNotThereWithoutNumbers) {
  Team team{.size = 2};
  for (const std::string& text : team.run([&](const std::shared_ptr<Processes>& shared) {
         const FftOptions options{
             .mesh = {16, 16}, .data = false, .processes = shared, .parts = true};
         const FftPlan plan({16, 16, 16}, FftPrecision::fp32, options);
         EXPECT_FALSE(plan.options().parts);
         EXPECT_EQ(plan.input_part().size(), 4096U);
         return std::string();
       }))
    EXPECT_EQ(text, "");
}

/// The last process's part has a number too few, or one that is not real: all throw that.
TEST(PartsOfOne, ThatAreWrongAreAnErrorOfAll) {
  for (const bool real : {false, true}) {
    Team team{.size = 3};
    for (const std::string& text : team.run([&](const std::shared_ptr<Processes>& shared) {
           FftOptions options{.mesh = {8, 16}, .processes = shared, .parts = true};
           if (real) options.kind = FftKind::real;
           const FftPlan plan({16, 16, 16}, FftPrecision::fp32, options);
           Volume mine{plan.input_shape(), std::vector<Number>(plan.input_part().size())};
           const bool last = shared->rank() == 2;
           if (last && !real) mine.data.pop_back();
           if (last && real) mine.data.back().imag(3);
           plan.forward(mine);
           return std::string("it ran");
         }))
      EXPECT_NE(
          text.find(real ? "number 4095 has the imaginary part 3" : "this process's part has"),
          std::string::npos)
          << text;
  }
}

/// f() refuses what it was given.
template <class F>
void expect_refused(const F& f, const std::string& text) {
  try {
    f();
    ADD_FAILURE() << "no error: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::usage);
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(PartsOfOne, OfProcessesAndArraysThatAreNotThereAreErrors) {
  const FftPlan alone({16, 16, 16}, FftPrecision::fp32, {.mesh = {16, 16}, .batch = 2});
  for (const int rank : {-1, 1}) {
    const std::string text = "there is no process " + std::to_string(rank);
    expect_refused([&] { alone.input_part(FftDirection::forward, rank); }, text);
    expect_refused([&] { alone.output_part(FftDirection::inverse, rank); }, text);
  }
  const FftPart all = alone.input_part(FftDirection::forward, 0);
  EXPECT_EQ(all.count(1), 16U);
  expect_refused([&] { static_cast<void>(all.count(2)); }, "a part has no array 2");
}

TEST(PartsOfOne, WhereOthersHaveWholeArraysAreAnErrorOfAll) {
  Team team{.size = 2};
  for (const std::string& text : team.run([&](const std::shared_ptr<Processes>& shared) {
         const FftOptions options{
             .mesh = {16, 16}, .processes = shared, .parts = shared->rank() == 1};
         const FftPlan plan({16, 16, 16}, FftPrecision::fp32, options);
         plan.forward({plan.input_shape(), std::vector<Number>(plan.input_part().size())});
         return std::string("it ran");
       }))
    EXPECT_NE(text.find("process 0 has whole arrays, process 1 has not"), std::string::npos)
        << text;
}

}  // namespace
}  // namespace weft::test::parts_test
