// The count of wavelets by link and ramp that reports have, against the counters of the fabric.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fabric/access.hpp"
#include "fft/traffic.hpp"
#include "support/box.hpp"
#include "support/transform_case.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_traffic_test {
namespace {

constexpr FftTranspose kForms[] = {FftTranspose::published, FftTranspose::interlocked,
                                   FftTranspose::ring, FftTranspose::halves};

FftRun run(const Box& box, FftPrecision precision, FftDirection direction, FftOptions options) {
  options.mesh = box.mesh;
  options.data = false;
  const FftPlan plan(box.shape, precision, std::move(options));
  return plan.run({plan.input_shape(direction), {}}, direction);
}

/// A report has the count only if its sums are those of the fabric.
void expect_counted(const FftRun& run) {
  EXPECT_TRUE(run.report.busiest_link.has_value());
  EXPECT_TRUE(run.report.busiest_ramp.has_value());
}

TEST(Traffic, TheCountAddsUpToTheCountersOfTheFabric) {
  for (const Box& box :
       {Box{{8, 8, 8}, {8, 8}}, Box{{8, 8, 8}, {2, 8}}, Box{{8, 8, 8}, {8, 1}},
        Box{{16, 16, 16}, {4, 4}}, Box{{16, 16, 16}, {16, 16}}, Box{{64, 4, 64}, {64, 4}},
        Box{{32, 8, 16}, {16, 4}}, Box{{16, 1, 32}, {4, 1}}, Box{{16, 1, 16}, {4, 4}},
        Box{{1, 8, 16}, {1, 4}}, Box{{1, 1, 1024}, {16, 1}}, Box{{1, 1, 4096}, {16, 8}},
        Box{{8, 8, 8}, {1, 1}}})
    for (const FftTranspose form : kForms)
      for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
        for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
          SCOPED_TRACE(text(box) + " " + std::string(to_string(form)));
          expect_counted(run(box, precision, direction, {.transpose = form}));
        }
}

TEST(Traffic, OfButterfliesAddsUpToTheCountersOfTheFabric) {
  for (const Box& box : {Box{{8, 8, 8}, {8, 8}}, Box{{16, 4, 64}, {16, 4}},
                         Box{{32, 1, 64}, {32, 1}}, Box{{1, 16, 32}, {1, 16}}})
    for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
      for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
        SCOPED_TRACE(text(box));
        expect_counted(run(box, precision, direction, {.transpose = FftTranspose::butterflies}));
      }
}

TEST(Traffic, IsCountedOfRealArraysAndOfBatches) {
  for (const FftTranspose form : kForms) {
    const int across = form == FftTranspose::halves ? 4 : 3;
    expect_counted(run({{8, 8, 16}, {across, 4}}, FftPrecision::fp32, FftDirection::forward,
                       {.kind = FftKind::real, .transpose = form}));
    const FftRun one =
        run({{8, 8, 8}, {8, 8}}, FftPrecision::fp32, FftDirection::forward, {.transpose = form});
    const FftRun beside = run({{8, 8, 8}, {16, 16}}, FftPrecision::fp32, FftDirection::forward,
                              {.batch = 4, .transpose = form});
    const FftRun in_turn = run({{8, 8, 8}, {8, 8}}, FftPrecision::fp32, FftDirection::forward,
                               {.batch = 3, .transpose = form});
    expect_counted(one);
    EXPECT_EQ(beside.report.busiest_link, one.report.busiest_link);
    EXPECT_EQ(in_turn.rounds, 3);
    EXPECT_EQ(in_turn.report.busiest_link, 3 * *one.report.busiest_link);
    EXPECT_EQ(in_turn.report.busiest_ramp, 3 * *one.report.busiest_ramp);
  }
}

/// Section 4.3: streams of all PEs but the last cross the last link.
TEST(Traffic, OfTheCubeOnItsMesh) {
  const FftRun fft = run({{16, 16, 16}, {16, 16}}, FftPrecision::fp32, FftDirection::forward, {});
  // 2 words for each of 15 + ... + 1 numbers; an unused wavelet and two that end it for 15 streams.
  EXPECT_EQ(fft.report.busiest_link, 2U * 120 + 3 * 15);
  // Twice, in rows and in columns: 15 numbers, and both streams' other wavelets.
  EXPECT_EQ(fft.report.busiest_ramp, 2U * (2 * 15 + 6));
}

/// The filter of a PE sees all that comes to its router and may go to its core: of the two control
/// wavelets that end each published stream only the one that gives this PE its turn, and each that
/// ends an interlocked stream.
TEST(Traffic, OfEachLinkIsWhatFiltersSaw) {
  for (const wsfft::Form form : {wsfft::Form::published, wsfft::Form::interlocked})
    for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
      for (const int pencils : {1, 2}) {
        constexpr int kPes = 8;
        const wsfft::Transform t{{{kPes * pencils, kPes * pencils, kPes * pencils}, kPes, kPes},
                                 {precision},
                                 FftDirection::forward,
                                 {1, 1, 1},
                                 form};
        const wsfft::TransformProgram program = wsfft::build_first_exchange(t);
        FabricOptions options;
        options.engine = Engine::reference;
        Fabric fabric(wsfft::lay_out_line(program.program, t), Machine{}, options);
        for (const auto& [where, words] : wsfft::finish_words(program.finish, form))
          for (int x = 0; x < kPes; ++x) fabric.write({x, 0, 1, 1}, where.address, words);
        fabric.run_until_idle(1'000'000);
        const auto stepper = FabricAccess::take_stepper(std::move(fabric));
        const auto seen = [&](int x, int color) {
          const fabric::PeState pe = stepper->pe_state(x, 0);
          const auto& filter = pe.channel(color)->filter.value();
          return std::uint64_t{filter.let_in} + filter.control + filter.refused;
        };
        const fft::LineTraffic line =
            fft::line_traffic(form, kPes, pencils * pencils * pencils * t.numbers.words());
        for (int link = 0; link < kPes - 1; ++link) {
          SCOPED_TRACE(link);
          const auto k = static_cast<std::size_t>(link);
          const auto offered = [&](std::uint64_t all, int streams) {
            const auto ended = static_cast<std::uint64_t>(streams);
            return form == wsfft::Form::published ? all - 2 * ended + 1 : all;
          };
          EXPECT_EQ(seen(link + 1, 0), offered(line.plus[k], link + 1));
          EXPECT_EQ(seen(link, 1), offered(line.minus[k], kPes - 1 - link));
        }
      }
}

TEST(Traffic, OtherProgramsHaveNoCount) {
  Layout layout(2, 1);
  EXPECT_FALSE(Fabric(layout, Machine{}).report().busiest_link);
  EXPECT_FALSE(Fabric(layout, Machine{}).report().peak_share);
}

TEST(PeakShare, IsOfAMultiplyAddInFp32AndOfFourInFp16) {
  const Box box{{16, 16, 16}, {16, 16}};
  const double operations = 5.0 * 4096 * 12;
  for (const auto& [precision, rate] :
       {std::pair{FftPrecision::fp32, 1.0}, std::pair{FftPrecision::fp16, 4.0}}) {
    const FftRun fft = run(box, precision, FftDirection::forward, {});
    const double peak = 2 * rate * 256 * static_cast<double>(fft.report.cycles);
    EXPECT_NEAR(*fft.report.peak_share, operations / peak, 1e-9);
  }
  FftOptions quick;
  quick.machine.f32_multiply_rate = 8;
  const FftRun fft = run(box, FftPrecision::fp32, FftDirection::forward, quick);
  EXPECT_NEAR(*fft.report.peak_share,
              operations / (2.0 * 8 * 256 * static_cast<double>(fft.report.cycles)), 1e-9);
}

}  // namespace
}  // namespace weft::test::fft_traffic_test
