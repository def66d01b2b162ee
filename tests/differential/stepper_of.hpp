#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "differential/case.hpp"
#include "differential/host_ends.hpp"
#include "fabric/stepper/by_line_options.hpp"
#include "fabric/stepper/stepper.hpp"

namespace weft::test {

/// The stepper that a fabric of these options has, with the case's memory, and what its host sends
/// at the beginning.
inline std::unique_ptr<fabric::Stepper> stepper_of(const Case& c, const Layout& layout,
                                                   const FabricOptions& options,
                                                   const fabric::ByLineOptions& by_line = {}) {
  std::unique_ptr<fabric::Stepper> stepper =
      fabric::make_stepper(layout, c.machine, options, by_line);
  const auto words = static_cast<std::size_t>(c.machine.pe_memory_bytes) / 4;
  std::vector<std::uint32_t> memory(words);
  for (int y = 0; y < c.height && c.memory_seed != 0; ++y)
    for (int x = 0; x < c.width; ++x) {
      for (std::size_t word = 0; word < words; ++word)
        memory[word] = initial_word(c.memory_seed, x, y, word);
      stepper->write({x, y, 1, 1}, 0, memory);
    }
  for_sends(c, 0, [&](const fabric::HostEnd& end, const std::vector<std::uint32_t>& sent) {
    stepper->send(end, sent);
  });
  return stepper;
}

}  // namespace weft::test
