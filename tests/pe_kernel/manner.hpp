#pragma once

#include "differential/dice.hpp"
#include "differential/valid_case.hpp"
#include "pe_kernel/run_kernel.hpp"

namespace weft::test {

/// Tiles of few patches, in which the mesh begins anywhere: even small meshes have several.
inline pe_kernel::Tiles cut(const Case& c, Dice& dice) {
  using pe_kernel::kPatchHeight, pe_kernel::kPatchWidth;
  const int width = kPatchWidth * dice.roll(1, 2), height = kPatchHeight * dice.roll(1, 3);
  return pe_kernel::tiles_of(c.width, c.height, width, height, dice.roll(0, width - 1),
                             dice.roll(0, height - 1));
}

/// How a case of a seed is run.
inline Manner manner_of(const Case& c, std::uint64_t seed) {
  Dice dice(mixed(seed ^ 0x6e51U));
  Manner m;
  m.pes.seed = seed;
  m.pes.colors = dice.pick({4, 4, 8, kColors});
  m.pes.every_cycle = dice.chance(20);
  m.pes.tally = dice.chance(80);
  m.pes.past_fault = !m.pes.every_cycle;
  m.multiprocessors = dice.pick({1, 2, 132});
  const bool planned = dice.chance(30);
  m.kernel.engine.tiles =
      planned ? pe_kernel::choose_tiles(m.multiprocessors, c.width, c.height) : cut(c, dice);
  if (!planned) m.multiprocessors = 132;
  m.kernel.engine.threads = dice.pick({32, 64, 1024});
  if (dice.chance(70)) m.kernel.engine.near = static_cast<std::uint32_t>(dice.bits());
  m.kernel.block = dice.pick({0, 1, 2, 7});
  m.kernel.interrupt = dice.pick({0, 0, 10});
  m.order = dice.pick(
      {cuda_on_host::Order::sequential, cuda_on_host::Order::reverse, cuda_on_host::Order::random});
  return m;
}

/// A program that is right, on a mesh that CUDA on the host steps in a second.
inline Case small_valid_case(std::uint64_t seed) {
  Case c = valid_case(seed);
  while (c.width * c.height > 24) c = valid_case(seed += 1000000);
  return c;
}

}  // namespace weft::test
