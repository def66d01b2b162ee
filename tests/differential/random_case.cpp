#include "differential/random_case.hpp"

#include <algorithm>
#include <numeric>

namespace weft::test {
namespace {

/// The emulator works on strips of 16 x 4 PEs: most cases lie in one, some reach over the edges.
void choose_mesh(Case& c, Dice& dice) {
  const int kind = dice.roll(0, 199);
  if (kind < 20) {
    c.width = c.height = 1;
  } else if (kind < 185) {
    c.width = dice.roll(1, 5);
    c.height = dice.roll(1, c.width > 3 ? 2 : 6);
  } else if (kind < 199) {
    c.width = dice.roll(14, 20);
    c.height = dice.roll(1, 10);
  } else {
    c.width = dice.roll(2, 50);
    c.height = dice.roll(1, 12);
  }
}

/// Lines of all lengths, and some more of them than fit in a bundle of 64.
void choose_lines(Case& c, Dice& dice) {
  const int kind = dice.roll(0, 99), most = kind < 60 ? 6 : 20;
  c.width = dice.roll(1, most);
  c.height = dice.roll(1, kind < 60 ? 6 : std::max(1, 60 / c.width));
  if (kind >= 97) c.width = dice.roll(60, 70);
  if (kind >= 97) c.height = dice.roll(1, 3);
  if (dice.chance(50)) std::swap(c.width, c.height);
}

Plan make_plan(Case& c, Dice& dice, bool straight) {
  Plan plan;
  plan.straight = straight;
  std::vector<int> colors(kColors), inputs(kInputQueues), outputs(kOutputQueues);
  std::iota(colors.begin(), colors.end(), 0);
  std::iota(inputs.begin(), inputs.end(), 0);
  std::iota(outputs.begin(), outputs.end(), 0);
  dice.shuffle(colors);
  dice.shuffle(inputs);
  dice.shuffle(outputs);
  if (dice.chance(30)) {  // two colors that differ in bit 0: they can be swapped
    const auto partner = std::ranges::find(colors, colors[0] ^ 1);
    std::iter_swap(colors.begin() + 1, partner);
  }
  const auto n = static_cast<std::size_t>(dice.roll(1, 4));
  plan.colors.assign(colors.begin(), colors.begin() + static_cast<std::ptrdiff_t>(n));
  plan.input_queue.assign(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(n));
  plan.output_queue.assign(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(n));
  if (n > 1 && dice.chance(35)) {
    plan.shares = true;
    plan.shared = {0, 1};
    plan.input_queue[1] = plan.input_queue[0];
    if (n > 2 && dice.chance(15)) plan.input_queue[2] = plan.input_queue[0];
  }
  plan.memory_bytes = c.machine.pe_memory_bytes / 4 * 4;
  plan.filtered = dice.chance(25);
  plan.ranges = dice.chance(25);
  plan.wild = dice.chance(4) && !straight;
  return plan;
}

/// One program everywhere, one for each column or row, or here and there.
void place_programs(Case& c, const Plan& plan, Dice& dice) {
  const int kind = dice.roll(0, 9);
  const bool large = c.width * c.height > 64;
  if (kind < 5 || large) {
    c.programs.emplace_back(Rect{0, 0, c.width, c.height}, random_program(plan, dice));
  } else if (kind < 7) {
    const int cut = dice.roll(0, c.width);
    if (cut > 0) c.programs.emplace_back(Rect{0, 0, cut, c.height}, random_program(plan, dice));
    if (cut < c.width)
      c.programs.emplace_back(Rect{cut, 0, c.width - cut, c.height}, random_program(plan, dice));
  } else {
    for (int y = 0; y < c.height; ++y)
      for (int x = 0; x < c.width; ++x)
        if (dice.chance(85)) c.programs.emplace_back(Rect{x, y, 1, 1}, random_program(plan, dice));
  }
}

/// Routes, programs, and how long and in which pieces they run.
Plan fill(Case& c, Dice& dice, bool straight = false) {
  Plan plan = make_plan(c, dice, straight);
  add_routes(c, plan, dice);
  place_programs(c, plan, dice);

  const bool large = c.width * c.height > 20;
  c.limit = static_cast<std::uint64_t>(dice.chance(90) ? dice.roll(60, 200) : dice.roll(200, 600));
  if (large ? dice.chance(95) : dice.chance(40)) {
    std::vector<std::uint64_t> stops;
    for (int n = dice.roll(0, 3); n > 0; --n)
      stops.push_back(static_cast<std::uint64_t>(dice.roll(1, static_cast<int>(c.limit))));
    std::ranges::sort(stops);
    c.stops = stops;
    if (c.height > 4 && dice.chance(25)) c.threads = dice.roll(2, 3);
    if (dice.chance(50)) c.block = dice.roll(1, 9);
  }
  return plan;
}

}  // namespace

Machine random_machine(Dice& dice) {
  Machine m;
  m.name = "random";
  m.pe_memory_bytes = dice.chance(95) ? 1024 : dice.roll(1024, 1100);
  m.router_queue_depth = dice.pick({1, 2, 2, 2, 3, 4});
  m.hop_cycles = dice.pick({1, 1, 2});
  if (dice.chance(25)) {
    m.link_busy_cycles = dice.pick({1, 1, 2, 3, 7});
    m.link_rest_cycles = dice.pick({1, 1, 1, 2, 5, 40});
    if (dice.chance(50)) m.die_width = dice.pick({1, 2, 5, 16, 0});
    if (dice.chance(50)) m.die_height = dice.pick({1, 2, 3, 0});
    if (dice.chance(40)) m.crowd_wavelets = dice.pick({1, 1, 2, 4, 20});
  }
  if (dice.chance(15)) {
    m.die_width = dice.pick({1, 2, 5, 16, 0});
    m.die_height = dice.pick({1, 2, 3, 0, 0});
    m.die_link_cycles = dice.pick({1, 2, 3, 7, 35});
  }
  m.filters_per_pe = 24;
  m.ramp_cycles = dice.pick({1, 2, 2, 3, 7});
  m.input_queue_0_1_depth = dice.roll(1, 6);
  m.input_queue_2_3_depth = dice.roll(1, 6);
  m.input_queue_4_7_depth = dice.roll(1, 6);
  m.output_queue_0_1_depth = dice.roll(1, 6);
  m.output_queue_2_3_depth = dice.roll(1, 6);
  m.output_queue_4_5_depth = dice.roll(1, 6);
  m.scalar_cycles = dice.pick({1, 1, 1, 2, 3});
  m.scalar_f32_cycles = dice.roll(1, 3);
  m.branch_taken_cycles = dice.roll(1, 4);
  m.vector_start_cycles = dice.roll(0, 4);
  m.f16_rate = dice.roll(1, 5);
  m.f32_add_rate = dice.roll(1, 4);
  m.f32_multiply_rate = dice.roll(1, 3);
  m.move32_rate = dice.roll(1, 3);
  m.slow_rate = dice.roll(1, 3);
  m.two_source_divisor = dice.roll(1, 3);
  m.stride_4_rate = dice.roll(1, 4);
  m.task_start_cycles = dice.pick({0, 0, 1, 2, 8});
  m.microthread_start_cycles = dice.pick({0, 1, 1, 2, 6});
  m.router_write_cycles = dice.pick({1, 1, 2, 9});
  return m;
}

Machine random_machine_for_lines(Dice& dice) {
  Machine m = random_machine(dice);
  m.crowd_wavelets = 0;
  m.die_link_cycles = 0;
  return m;
}

std::uint32_t random_control(Dice& dice) {
  ControlWavelet control;
  for (ControlWavelet::Slot& slot : control.slots) {
    const int command = dice.roll(0, 99);
    slot.command = command < 35   ? ControlWavelet::Command::nop
                   : command < 80 ? ControlWavelet::Command::advance
                   : command < 97 ? ControlWavelet::Command::reset
                                  : ControlWavelet::Command::teardown;
    slot.no_core = dice.chance(50);
  }
  control.entry = dice.chance(50) ? kNoEntry : dice.roll(0, 3);
  return control.payload();
}

std::uint32_t initial_word(std::uint64_t seed, int x, int y, std::size_t word) {
  const std::uint64_t place = static_cast<std::uint64_t>(y * 4096 + x) << 20U | word;
  Dice dice(mixed(seed ^ mixed(place)));
  const auto value = static_cast<std::uint32_t>(dice.bits());
  switch (dice.roll(0, 7)) {
    case 0:
    case 1:
    case 2:
      return (value & 0x807fffffU) | 0x3f800000U;  // a float from 1 to 2, of either sign
    case 3:
    case 4:
      return value % 64;
    case 5:
      return (value & 0x83ff83ffU) | 0x3c003c00U;  // two halves from 1 to 2
    case 6:
      return value;
    default:
      return random_control(dice);
  }
}

Case random_case(std::uint64_t seed) {
  Dice dice(mixed(seed));
  Case c;
  c.memory_seed = seed | 1U;
  c.machine = random_machine(dice);
  choose_mesh(c, dice);
  fill(c, dice);
  return c;
}

Case random_case(std::uint64_t seed, int width, int height) {
  Dice dice(mixed(seed));
  Case c;
  c.memory_seed = seed | 1U;
  c.machine = random_machine(dice);
  c.width = width;
  c.height = height;
  fill(c, dice);
  return c;
}

Case hosted_case(std::uint64_t seed) {
  Dice dice(mixed(seed));
  Case c;
  c.memory_seed = seed | 1U;
  c.machine = random_machine(dice);
  choose_mesh(c, dice);
  const Plan plan = fill(c, dice);
  add_host(c, plan, dice);
  if (dice.chance(30))
    c.fast =
        accelerations(static_cast<unsigned>(dice.roll(0, static_cast<int>(kCombinations) - 1)));
  return c;
}

Case straight_case(std::uint64_t seed) {
  Dice dice(mixed(~seed));
  Case c;
  c.memory_seed = seed | 1U;
  c.machine = random_machine_for_lines(dice);
  choose_lines(c, dice);
  fill(c, dice, true);
  c.limit = c.width * c.height > 64 ? 600 : 2000;
  c.stops.emplace();
  c.threads = dice.roll(1, 2);
  return c;
}

}  // namespace weft::test
