// Ways to transpose a row: right in each word, on every engine, and in the cycles that
// docs/evaluation.md tells. Its tables are rewritten by
//   WEFT_UPDATE_DOCS=1 build/release/tests/weft-test-golden --gtest_filter='Transposes.*'
#include "evaluation/transposes/transposes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <string>

#include "paths.hpp"
#include "support/expect_error.hpp"
#include "support/generated_text.hpp"
#include "support/mesh.hpp"
#include "support/transpose_costs.hpp"
#include "weft/deadlock.hpp"

namespace weft::test::transposes_test {
namespace {

using namespace weft::transposes;

constexpr FftPrecision kPrecisions[] = {FftPrecision::fp16, FftPrecision::fp32};

/// The cycles of a row that measure_transpose has found right; 0 where the program does not end.
std::uint64_t cycles_of(TransposeAlgorithm algorithm, int n, FftPrecision precision,
                        const Machine& machine) {
  try {
    return measure_transpose(algorithm, n, precision, machine).cycles;
  } catch (const DeadlockError&) {
    // Its filters' limits may come late, as in a transform of this form.
    EXPECT_EQ(algorithm, TransposeAlgorithm::broadcast_and_filter) << "n = " << n;
    return 0;
  }
}

TEST(Transposes, BringEachNumberToItsPlace) {
  const Machine machines[] = {Machine{}, machine_profile("wse2-simfab"), test_machine()};
  for (const AlgorithmInfo& info : transpose_algorithms())
    for (const Machine& machine : machines)
      for (const FftPrecision precision : kPrecisions)
        for (const int n : {4, 8, 16, 32}) {
          SCOPED_TRACE(fmt::format("{}, {} PEs, {}", info.name, n, machine.name));
          if (sanitized() && n > 8) continue;
          const std::uint64_t cycles = cycles_of(info.algorithm, n, precision, machine);
          const std::uint64_t words = precision == FftPrecision::fp16 ? 1 : 2;
          const std::uint64_t half = static_cast<std::uint64_t>(n) / 2;
          EXPECT_TRUE(cycles == 0 || cycles > half * half * words) << "more than the links carry";
        }
}

// Times of the machine may make the published program stop, and no other.
TEST(Transposes, EndOnAnyMachine) {
  std::mt19937 random(7);
  for (int round = 0; round < 15; ++round) {
    Machine machine;
    for (const MachineConstant& constant : machine_constants()) {
      if (constant.unit != "cycles" && constant.unit != "wavelets") continue;
      const int high = std::min(constant.high, 60);
      machine.*constant.member =
          constant.low +
          static_cast<int>(random() % static_cast<unsigned>(high - constant.low + 1));
    }
    for (const AlgorithmInfo& info : transpose_algorithms()) {
      SCOPED_TRACE(fmt::format("machine {}, {}", round, info.name));
      cycles_of(info.algorithm, sanitized() ? 4 : 16, FftPrecision::fp32, machine);
    }
  }
}

TEST(Transposes, TakeTheSameOnTheSpecification) {
  const Machine machines[] = {Machine{}, machine_profile("wse2-simfab"), test_machine()};
  for (const AlgorithmInfo& info : transpose_algorithms())
    for (const Machine& machine : machines)
      for (const FftPrecision precision : kPrecisions)
        for (const int n : {4, 8, 16}) {
          if (sanitized() && n > 4) continue;
          SCOPED_TRACE(fmt::format("{}, {} PEs, {}", info.name, n, machine.name));
          if (cycles_of(info.algorithm, n, precision, machine) == 0) {
            EXPECT_THROW(
                measure_transpose(info.algorithm, n, precision, machine, Engine::reference),
                DeadlockError);
            continue;
          }
          const TransposeCost host = measure_transpose(info.algorithm, n, precision, machine);
          const TransposeCost reference =
              measure_transpose(info.algorithm, n, precision, machine, Engine::reference);
          expect_same(host, reference);
        }
}

TEST(Transposes, TakeTheSameInManyRowsOnTwoThreads) {
  for (const AlgorithmInfo& info : transpose_algorithms()) {
    const TransposeCost one = measure_transpose(info.algorithm, 8, FftPrecision::fp32);
    const TransposeCost many =
        measure_transpose(info.algorithm, 8, FftPrecision::fp32, {}, Engine::host, 2, 9);
    EXPECT_EQ(one.cycles, many.cycles) << info.name;
    EXPECT_EQ(one.counters.hops, many.counters.hops) << info.name;
    EXPECT_EQ(one.counters.wavelets, many.counters.wavelets) << info.name;
  }
}

TEST(Transposes, CountTheirTraffic) {
  for (const AlgorithmInfo& info : transpose_algorithms()) {
    const TransposeCost cost = measure_transpose(info.algorithm, 16, FftPrecision::fp32);
    EXPECT_EQ(cost.data_wavelets(), 2u * 16 * 15) << info.name;
    EXPECT_EQ(cost.bisection_cycles(), 2u * 8 * 8) << info.name;
    EXPECT_GE(cost.counters.wavelets, cost.data_wavelets()) << info.name;
    // A PE has one number for each distance to another.
    std::uint64_t least = 0;
    for (std::uint64_t distance = 1; distance < 16; ++distance)
      least += 2 * 2 * distance * (16 - distance);
    EXPECT_GE(cost.counters.hops, least) << info.name;
    EXPECT_LE(cost.colors, kColors) << info.name;
    EXPECT_LE(cost.filters, Machine{}.filters_per_pe) << info.name;
  }
  // Numbers that are shifted and taken go no other way than straight, and nothing else is sent.
  const TransposeCost shifted =
      measure_transpose(TransposeAlgorithm::shift_and_take, 16, FftPrecision::fp32);
  EXPECT_EQ(shifted.counters.hops, shifted.counters.wavelets);
  EXPECT_EQ(shifted.router_write_cycles, 0u);
}

TEST(Transposes, RefuseOtherSizes) {
  for (const int n : {0, 2, 12, 1024})
    expect_error(
        ErrorCategory::usage,
        [n] { measure_transpose(TransposeAlgorithm::shift_and_take, n, FftPrecision::fp16); },
        "4 to 512 PEs");
  expect_error(
      ErrorCategory::usage,
      [] { measure_transpose(TransposeAlgorithm::shift_and_take, 512, FftPrecision::fp32); },
      "no shift and take on 512 PEs");
}

std::string with_commas(std::uint64_t cycles) {
  std::string digits = std::to_string(cycles);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string cycles_table(const Machine& machine, std::initializer_list<int> sides) {
  std::string head = "| Cycles |", line = "| --- |";
  for (const char* precision : {"FP16", "FP32"})
    for (const int n : sides) {
      head += fmt::format(" {} {} |", precision, n);
      line += " ---: |";
    }
  std::string table = head + "\n" + line + "\n";
  for (const AlgorithmInfo& info : transpose_algorithms()) {
    table += fmt::format("| {} |", info.name);
    for (const FftPrecision precision : kPrecisions)
      for (const int n : sides) {
        const std::uint64_t cycles = cycles_of(info.algorithm, n, precision, machine);
        table += fmt::format(" {} |", cycles == 0 ? "does not end" : with_commas(cycles));
      }
    table += "\n";
  }
  return table;
}

std::string traffic_table(int n) {
  std::string table =
      "| | Bytes a cycle | Of the bisection bound | Cycles of router writes | Wavelets sent for "
      "each of data | Hops of each of data | Colors | Queues in, out | Filters |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const AlgorithmInfo& info : transpose_algorithms()) {
    const TransposeCost cost = measure_transpose(info.algorithm, n, FftPrecision::fp32);
    const auto data = static_cast<double>(cost.data_wavelets());
    table += fmt::format(
        "| {} | {:.2f} | {:.0f} % | {} | {:.2f} | {:.1f} | {} | {}, {} | {} |\n", info.name,
        cost.bytes_per_cycle(),
        100.0 * static_cast<double>(cost.bisection_cycles()) / static_cast<double>(cost.cycles),
        with_commas(cost.router_write_cycles), static_cast<double>(cost.counters.wavelets) / data,
        static_cast<double>(cost.counters.hops) / data, cost.colors, cost.input_queues,
        cost.output_queues, cost.filters);
  }
  return table;
}

const std::filesystem::path kPage = std::filesystem::path(WEFT_SOURCE_DIR) / "docs/evaluation.md";

TEST(Transposes, TakeTheCyclesOfThePage) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  expect_generated(kPage, "transposes, wse2", cycles_table(Machine{}, {8, 16, 32, 64}));
  expect_generated(kPage, "transposes, wse2-simfab",
                   cycles_table(machine_profile("wse2-simfab"), {8, 16, 32, 64}));
  expect_generated(kPage, "traffic of transposes", traffic_table(64));
}

TEST(Transposes, TakeTheCyclesOfThePageOnLongRows) {
  if (std::getenv("WEFT_UPDATE_DOCS") == nullptr)
    GTEST_SKIP() << "takes a minute; measured with WEFT_UPDATE_DOCS=1 only";
  expect_generated(kPage, "long transposes, wse2", cycles_table(Machine{}, {128, 256}));
  expect_generated(kPage, "long transposes, wse2-simfab",
                   cycles_table(machine_profile("wse2-simfab"), {128, 256}));
}

// The claim of the paper, and its limits.
TEST(Transposes, BroadcastAndFilterBeatsPlainMessagesOnly) {
  using enum TransposeAlgorithm;
  for (const FftPrecision precision : kPrecisions)
    for (const int n : {16, 32}) {
      const std::uint64_t filter = cycles_of(broadcast_and_filter, n, precision, {});
      EXPECT_LT(filter, cycles_of(point_to_point_in_turn, n, precision, {})) << n;
      for (const TransposeAlgorithm other :
           {point_to_point, butterfly, shift_and_take, filter_by_halves})
        EXPECT_GT(filter, cycles_of(other, n, precision, {})) << n << " " << to_string(other);
    }
}

}  // namespace
}  // namespace weft::test::transposes_test
