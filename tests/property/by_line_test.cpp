// The wafer-scale FFT, stepped by line and otherwise: the same cycles, counts and words.
#include "support/by_line.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "fft/wsfft/placement.hpp"
#include "fft/wsfft/program.hpp"
#include "io/volume_file.hpp"
#include "support/mesh.hpp"
#include "support/transform_case.hpp"

namespace weft::test::by_line_test {
namespace {

struct Fft {
  int n;
  FftPrecision precision;
  FftDirection direction;
  int threads;
  bool data;
  wsfft::Form form = wsfft::Form::published;
};

std::string text(const Fft& fft) {
  const char* form = fft.form == wsfft::Form::published     ? ""
                     : fft.form == wsfft::Form::interlocked ? "Interlocked"
                     : fft.form == wsfft::Form::halves      ? "Halves"
                                                            : "Ring";
  return fmt::format("{}{}{}{}Threads{}{}", form,
                     fft.precision == FftPrecision::fp16 ? "Fp16" : "Fp32",
                     fft.direction == FftDirection::forward ? "Forward" : "Inverse", fft.n,
                     fft.threads, fft.data ? "" : "NoData");
}

void PrintTo(const Fft& fft, std::ostream* out) { *out << text(fft); }

Setting setting_of(const Fft& fft, const Machine& machine = {}) {
  const wsfft::Numbers numbers{fft.precision};
  const float scale =
      fft.direction == FftDirection::forward ? 1.0F : 1.0F / static_cast<float>(fft.n);
  const wsfft::Transform transform{
      wsfft::cube(fft.n), numbers, fft.direction, {scale, scale, scale}, fft.form};
  const wsfft::TransformProgram program = wsfft::build_transform(transform);
  const auto prepare = [=](Fabric& fabric) {
    if (fft.data)
      write_everywhere(fabric, fft.n, program.twiddles.front().span,
                       wsfft::root_words(program.twiddles.front(), transform));
    for (const auto& [where, words] : wsfft::finish_words(program.finish, fft.form))
      write_everywhere(fabric, fft.n, where, words);
    const auto n = static_cast<std::size_t>(fft.n);
    if (!fft.data) return;
    const Volume input = io::random_volume({n, n, n}, 7);
    wsfft::scatter(fabric, {input.data, {0, 0, fft.n, fft.n}}, transform.division, numbers,
                   wsfft::kSpace, program.input.address);
  };
  return {wsfft::lay_out(program.program, transform), machine, fft.threads, fft.data, prepare};
}

class FftByLine : public testing::TestWithParam<Fft> {};

TEST_P(FftByLine, EndsAsOtherwise) {
  if (looks_for_races() && GetParam().threads == 1) GTEST_SKIP() << one_thread();
  if (sanitized() && GetParam().n > 16) GTEST_SKIP() << "too slow under a sanitizer";
  expect_same_by_line(setting_of(GetParam()));
}

std::vector<Fft> all_of_them() {
  std::vector<Fft> all;
  for (const int n : {4, 8, 16, 32})
    for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
      for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
        for (const int threads : {1, 2})
          for (const bool data : {true, false})
            all.push_back({n, precision, direction, threads, data});
  for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
      for (const int n : {4, 16, 32})
        for (const wsfft::Form form :
             {wsfft::Form::interlocked, wsfft::Form::ring, wsfft::Form::halves})
          all.push_back({n, precision, direction, 2, true, form});
  // A bundle that is full.
  all.push_back({64, FftPrecision::fp32, FftDirection::forward, 1, true});
  all.push_back({64, FftPrecision::fp16, FftDirection::inverse, 2, true});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, FftByLine, testing::ValuesIn(all_of_them()),
                         [](const auto& fft) { return text(fft.param); });

TEST_P(FftByLine, HasThePathOfThePlainStep) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  if (GetParam().n > by_effort(4, 8, 32)) GTEST_SKIP() << "the plain step takes long";
  if (GetParam().threads == 1) GTEST_SKIP() << "threads matter little";
  const int kind = (GetParam().precision == FftPrecision::fp16 ? 1 : 0) +
                   (GetParam().direction == FftDirection::inverse ? 2 : 0);
  if (GetParam().n > 16 && kind != drawn_of(4)) GTEST_SKIP() << "another commit runs it";
  EXPECT_TRUE(expect_same_path(setting_of(GetParam())));
}

// Other rates, queues and hops move the transposes against each other: then lines may meet.
class FftOnMachine : public testing::TestWithParam<Machine> {};

TEST_P(FftOnMachine, EndsAsOtherwiseOrLinesMeet) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
      for (const wsfft::Form form : {wsfft::Form::published, wsfft::Form::interlocked,
                                     wsfft::Form::ring, wsfft::Form::halves}) {
        const Fft fft{16, precision, direction, 1, true, form};
        SCOPED_TRACE(text(fft));
        const Setting setting = setting_of(fft, GetParam());
        ASSERT_TRUE(has_lines(setting));
        expect_same(run(setting, true), run(setting, false));
      }
}

Machine machine_with(const char* name, void (*change)(Machine&)) {
  Machine machine;
  machine.name = name;
  change(machine);
  return machine;
}

Machine simfab() {
  Machine machine = machine_profile("wse2-simfab");
  machine.name = "Simfab";
  return machine;
}

INSTANTIATE_TEST_SUITE_P(
    All, FftOnMachine,
    testing::Values(simfab(),
                    machine_with("Slow",
                                 [](Machine& m) {
                                   m = test_machine();
                                   m.name = "Slow";
                                 }),
                    machine_with("LongRamps", [](Machine& m) { m.ramp_cycles = 7; }),
                    machine_with("ShortQueues",
                                 [](Machine& m) {
                                   m.router_queue_depth = 1;
                                   m.input_queue_2_3_depth = m.input_queue_4_7_depth = 1;
                                   m.output_queue_2_3_depth = m.output_queue_4_5_depth = 1;
                                 }),
                    machine_with("LinksRest", [](Machine& m) { m.link_busy_cycles = 1; }),
                    machine_with("Dies",
                                 [](Machine& m) {
                                   m.link_busy_cycles = 2;
                                   m.die_width = 5;
                                   m.die_height = 3;
                                 }),
                    machine_with("TasksAtOnce",
                                 [](Machine& m) {
                                   m.task_start_cycles = 0;
                                   m.microthread_start_cycles = 0;
                                 })),
    [](const auto& machine) { return machine.param.name; });

Machine resting(const char* name, int busy, int die_width, int die_height) {
  Machine machine;
  machine.name = name;
  machine.link_busy_cycles = busy;
  machine.die_width = die_width;
  machine.die_height = die_height;
  return machine;
}

std::vector<Machine> resting_machines() {
  return {resting("AllLinks", 6, 0, 0), resting("Dies", 6, 16, 16), resting("SmallDies", 6, 5, 3),
          resting("HalfTheTime", 1, 0, 8), resting("Seldom", 30, 8, 0)};
}

// Columns begin at other cycles of a period of links, so their streams are not alike any more.
class FftByLineWhereLinksRest : public testing::TestWithParam<Machine> {};

TEST_P(FftByLineWhereLinksRest, EndsAsOtherwise) {
  std::vector<Fft> all;
  for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
      for (const int n : {16, 32}) all.push_back({n, precision, direction, 2, n == 16});
  for (const wsfft::Form form : {wsfft::Form::interlocked, wsfft::Form::ring})
    if (!looks_for_races())
      all.push_back({16, FftPrecision::fp16, FftDirection::forward, 1, true, form});
  all.push_back({128, FftPrecision::fp16, FftDirection::forward, 2, false});  // two bundles
  const auto drawn =
      static_cast<std::size_t>(drawn_of(static_cast<int>(resting_machines().size())));
  for (const Fft& fft : all) {
    if (!many_cases() && fft.n > 16) continue;
    if (fft.n > 32 && GetParam().name != resting_machines()[drawn].name) continue;
    SCOPED_TRACE(text(fft));
    expect_same_by_line(setting_of(fft, GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(All, FftByLineWhereLinksRest, testing::ValuesIn(resting_machines()),
                         [](const auto& machine) { return machine.param.name; });

}  // namespace
}  // namespace weft::test::by_line_test
