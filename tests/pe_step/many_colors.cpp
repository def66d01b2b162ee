#include "pe_step/many_colors.hpp"

#include <numeric>

#include "differential/random_case.hpp"

namespace weft::test {

Case many_colors_case(std::uint64_t seed) {
  Dice dice(mixed(seed ^ 0xc0105U));
  Case c;
  c.memory_seed = seed | 1U;
  c.machine = random_machine(dice);
  c.width = dice.roll(1, 5);
  c.height = dice.roll(1, 4);
  c.limit = static_cast<std::uint64_t>(dice.roll(60, 250));

  Plan plan;
  const int most = dice.pick({8, 8, kColors});
  plan.colors.resize(kColors);
  std::iota(plan.colors.begin(), plan.colors.end(), 0);
  dice.shuffle(plan.colors);
  plan.colors.resize(static_cast<std::size_t>(dice.roll(5, most)));
  for (std::size_t n = 0; n < plan.colors.size(); ++n) {
    plan.input_queue.push_back(dice.roll(0, kInputQueues - 1));
    plan.output_queue.push_back(static_cast<int>(n) % kOutputQueues);
  }
  plan.memory_bytes = c.machine.pe_memory_bytes / 4 * 4;
  plan.filtered = dice.chance(30);
  plan.ranges = dice.chance(30);
  add_routes(c, plan, dice);
  for (int x = 0; x < c.width; ++x)
    c.programs.emplace_back(Rect{x, 0, 1, c.height}, random_program(plan, dice));
  return c;
}

}  // namespace weft::test
