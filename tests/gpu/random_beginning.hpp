#pragma once

#include "differential/case.hpp"
#include "gpu/twins.hpp"

namespace weft::test {

/// A random fabric, and what its PEs' memory starts with. A device has no links that take longer
/// than others.
inline Beginning beginning_of(const Case& c) {
  const auto write = [c](fabric::Stepper& fabric) {
    if (c.memory_seed == 0) return;
    const auto each = static_cast<std::size_t>(c.machine.pe_memory_bytes) / 4;
    std::vector<std::uint32_t> words;
    for (int y = 0; y < c.height; ++y)
      for (int x = 0; x < c.width; ++x)
        for (std::size_t word = 0; word < each; ++word)
          words.push_back(initial_word(c.memory_seed, x, y, word));
    fabric.write({0, 0, c.width, c.height}, 0, words);
  };
  Machine machine = c.machine;
  machine.die_link_cycles = 0;
  return {layout_of(c), machine, true, c.fast, c.observe, write};
}

}  // namespace weft::test
