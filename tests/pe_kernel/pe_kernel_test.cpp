// The PE kernel against the specification, on the host's CUDA.
#include <gtest/gtest.h>

#include "cuda_on_host/cuda.hpp"
#include "differential/valid_case.hpp"
#include "pe_kernel/kernel_fabric.hpp"
#include "pe_step/run_pes.hpp"
#include "pe_step/traffic.hpp"
#include "support/effort.hpp"

namespace weft::test::pe_kernel_test {
namespace {

/// How a case is run.
struct Manner {
  PeOptions pes;
  pe_kernel::EngineOptions engine;
  cuda_on_host::Order order;
};

Manner manner_of(std::uint64_t seed) {
  Dice dice(mixed(seed ^ 0x6e51U));
  Manner m;
  m.pes = {seed, dice.pick({4, 4, 8, kColors}), false, dice.chance(20), dice.chance(80)};
  m.pes.past_fault = !m.pes.every_cycle;
  m.engine.tile_width = 8 * static_cast<int>(dice.roll(1, 2));
  m.engine.tile_height = 4 * static_cast<int>(dice.roll(1, 3));
  m.engine.threads = dice.pick({32, 64, 1024});
  m.engine.near = 1U | static_cast<std::uint32_t>(dice.bits());
  m.engine.near &= (1U << pe_kernel::kParts) - 1U;
  m.engine.blocks = dice.pick({0, 1, 2, 7});
  m.order = dice.pick({cuda_on_host::Order::sequential, cuda_on_host::Order::reverse,
                       cuda_on_host::Order::random});
  return m;
}

PeOutcome run_case(const Case& c, const Manner& m) {
  cuda_on_host::reset();
  cuda_on_host::control().order = m.order;
  cuda_on_host::control().seed = m.pes.seed;
  cuda_on_host::control().multiprocessors = 132;
  return run_pes(c, m.pes, *make_kernel_fabric(c, m.pes, m.engine));
}

using Draw = Case (*)(std::uint64_t seed);

void run_seeds(Draw draw, std::uint64_t first, std::uint64_t cases) {
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Case c = draw(seed);
    const Manner m = manner_of(seed);
    const PeOutcome outcome = run_case(c, m);
    if (!outcome.difference) continue;
    const Case small =
        shrink(c, [&](const Case& less) { return run_case(less, m).difference.has_value(); });
    ADD_FAILURE() << "seed " << seed << ": " << describe(*outcome.difference)
                  << "\ncut down: " << describe(*run_case(small, m).difference) << "\n\n"
                  << print(small);
    break;
  }
}

Case few_colors(std::uint64_t seed) { return random_case(seed); }

TEST(PeKernel, RandomFabricsAgreeWithTheReference) {
  run_seeds(few_colors, seed_from(61000000), by_effort<std::uint64_t>(10, 30, 300));
}

TEST(PeKernel, TrafficAgreesWithTheReference) {
  run_seeds(traffic_case, seed_from(62000000), by_effort<std::uint64_t>(5, 20, 200));
}

TEST(PeKernel, ValidProgramsAgreeWithTheReference) {
  run_seeds(valid_case, seed_from(63000000), by_effort<std::uint64_t>(2, 5, 60));
}

}  // namespace
}  // namespace weft::test::pe_kernel_test
