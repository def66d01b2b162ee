// Transforms around a ring and by halves, and transpositions of the pattern, at random: the lane
// step with random accelerations does the same as the specification.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <random>
#include <vector>

#include "differential/on_demand.hpp"
#include "io/volume_file.hpp"
#include "support/effort.hpp"
#include "support/transform_case.hpp"
#include "weft/weft.hpp"

namespace weft::test::transforms_test {
namespace {

Accelerations drawn_accelerations(std::mt19937_64& random) {
  const auto bits = random();
  const auto bit = [&](int k) { return (bits >> k & 1U) != 0; };
  return {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7)};
}

struct Ends {
  FftRun host, specification;
};

/// A transform of at most 8 x 8 PEs, with up to 4 x 4 pencils in each; half of them of other sides
/// than powers of two, on any mesh.
Ends transform(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto power = [&](unsigned least, unsigned most) {
    return 1U << (least + random() % (most - least + 1));
  };
  const bool any = random() % 2 == 0;
  const auto side = [&]() -> std::size_t {
    constexpr std::size_t kSides[] = {4, 5, 6, 8, 9, 10, 12, 15};
    return any ? kSides[random() % std::size(kSides)] : power(2, 4);
  };
  const Shape3 shape{side(), side(), side()};
  const FftTranspose transpose = random() % 2 == 0 ? FftTranspose::ring : FftTranspose::halves;
  const auto pes = [&](std::size_t a, std::size_t b) {
    const std::size_t most = std::min({a, b, std::size_t{8}});
    if (any && transpose == FftTranspose::ring) return 1 + static_cast<int>(random() % most);
    return static_cast<int>(std::max<std::size_t>(std::bit_floor(most) >> random() % 3, 1));
  };
  FftOptions options{.mesh = {pes(shape.n0, shape.n2), pes(shape.n0, shape.n1)}};
  options.transpose = transpose;
  options.pencil =
      random() % 2 == 0 ? (any ? FftPencil::stockham : FftPencil::radix2) : FftPencil::radix4;
  options.machine = random_machine(seed);
  options.accelerate = drawn_accelerations(random);
  options.threads = 1 + static_cast<int>(random() % 2);
  options.engine = Engine::host;
  const FftPrecision precision = random() % 2 == 0 ? FftPrecision::fp16 : FftPrecision::fp32;
  const FftDirection direction = random() % 2 == 0 ? FftDirection::forward : FftDirection::inverse;
  const Volume input = io::random_volume(shape, seed);
  Ends ends{FftPlan(shape, precision, options).run(input, direction), {}};
  options.engine = Engine::reference;
  options.threads = 1;
  ends.specification = FftPlan(shape, precision, options).run(input, direction);
  return ends;
}

void expect_transforms(std::uint64_t first, std::uint64_t cases) {
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    SCOPED_TRACE(fmt::format("WEFT_FUZZ_SEED={} WEFT_FUZZ_CASES=1", seed));
    const auto [host, specification] = transform(seed);
    EXPECT_EQ(host.report.cycles, specification.report.cycles);
    EXPECT_EQ(host.report.counters.hops, specification.report.counters.hops);
    EXPECT_EQ(host.report.counters.delivered, specification.report.counters.delivered);
    EXPECT_EQ(host.output.data, specification.output.data);
    if (testing::Test::HasFailure()) break;
  }
}

/// The words of each PE of a line after two transpositions, and when it had them.
std::vector<std::int32_t> transposed(std::uint64_t seed, Engine engine) {
  std::mt19937_64 random(seed);
  const int length = 2 + static_cast<int>(random() % 8), n = 1 + static_cast<int>(random() % 3);
  const bool rows = random() % 2 == 0;
  const int lines = 1 + static_cast<int>(random() % 2);
  const Rect where{0, 0, rows ? length : lines, rows ? lines : length};
  Design d(where.width, where.height);
  const RingTranspose ring(d, where, rows ? Along::rows : Along::columns);
  d.program(where, "twice", [&](PeProgram& pe) {
    const PeVector a = pe.array<std::int32_t>("a", n * length);
    const PeVector b = pe.array<std::int32_t>("b", n * length);
    pe.at_start(a, [&](int x, int y) {
      std::vector<PeValue> values;
      for (int i = 0; i < n * length; ++i) values.emplace_back((y * length + x) * 100 + i);
      return values;
    });
    const PeScalar left = pe.scalar<std::int32_t>("left");
    pe.load(left, pe.parameter<std::int32_t>("idle", [&](int x, int y) {
      return static_cast<int>((seed * 31 + static_cast<std::uint64_t>(x * 17 + y)) % 97) + 1;
    }));
    pe.repeat(left, [] {});
    ring.transpose(pe, a, b);
    ring.transpose(pe, b, a);
    const PeScalar end = pe.scalar<std::int32_t>("end");
    pe.tsc(end);
    pe.store(pe.array<std::int32_t>("taken", 1), end);
  });
  FabricOptions options;
  options.engine = engine;
  options.accelerate = drawn_accelerations(random);
  Fabric fabric = d.fabric(random_machine(seed), options);
  constexpr std::uint64_t kLimit = 10'000'000;
  fabric.run_until_idle(kLimit);
  std::vector<std::int32_t> all = fabric.read<std::int32_t>(where, "a");
  std::ranges::copy(fabric.read<std::int32_t>(where, "taken"), std::back_inserter(all));
  return all;
}

void expect_transpositions(std::uint64_t first, std::uint64_t cases) {
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    SCOPED_TRACE(fmt::format("WEFT_FUZZ_SEED={} WEFT_FUZZ_CASES=1", seed));
    EXPECT_EQ(transposed(seed, Engine::host), transposed(seed, Engine::reference));
    if (testing::Test::HasFailure()) break;
  }
}

TEST(Transforms, AroundARingAndByHalvesAgreeWithTheReference) {
  expect_transforms(seed_from(1), by_effort<std::uint64_t>(2, 12, 40));
}

TEST(Transforms, OfThePatternAgreeWithTheReference) {
  expect_transpositions(seed_from(1), by_effort<std::uint64_t>(4, 30, 120));
}

TEST(TransformsOnDemand, AgreeWithTheReference) {
  run_on_demand([](std::uint64_t first, std::uint64_t cases) {
    expect_transforms(first, cases);
    expect_transpositions(first, cases);
  });
}

}  // namespace
}  // namespace weft::test::transforms_test
