#include "fabric/build/programs.hpp"

#include <utility>

#include "pe/build/code.hpp"
#include "pe/core_state.hpp"

namespace weft::fabric {

Programs programs_of(State s) {
  std::vector<pe::Code> decoded = pe::codes_of(s.code, s.private_cycles);
  Programs programs{
      s.timing, std::move(s.code), std::move(decoded), std::move(s.programs), std::move(s.shapes),
      {}};
  programs.of.reserve(static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height));
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) {
      const auto [strip, lane] = s.address_of(x, y);
      const auto index = static_cast<std::size_t>(strip);
      const bool placed = s.strip[index].programmed && model::has(s.core[index].placed, lane);
      programs.of.push_back(placed ? s.core[index].program[lane] : pe::kNoProgram);
    }
  return programs;
}

}  // namespace weft::fabric
