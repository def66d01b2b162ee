#include "differential/counted_case.hpp"

#include <string>

#include "differential/dice.hpp"

namespace weft::test {
namespace {

/// Programs share some names of phases.
void mark_phases(Program& program, Dice& dice) {
  using Mark = ProgramNotes::PhaseMark;
  program.notes.phase_names = {"first", "second " + std::to_string(dice.roll(0, 2)), "last"};
  const auto size = static_cast<std::int32_t>(program.code.size());
  const int most = dice.pick({2, 4, 20});
  for (std::int32_t at = dice.roll(0, most); at < size; at += dice.roll(1, most))
    program.notes.phases.push_back({at, dice.pick({0, 1, 1, 2, Mark::kNone, Mark::kShared})});
}

}  // namespace

Case counted_case(std::uint64_t seed, const std::function<Case(std::uint64_t)>& draw) {
  constexpr int kWindows[] = {0, 16, 64, 1024};
  Case c = draw(seed);
  c.observe = {true, kWindows[seed % 4]};
  c.fast = accelerations(static_cast<unsigned>(seed / 4 % kCombinations));
  c.threads = 1 + static_cast<int>(seed / 2 % 2);
  Dice dice(seed);
  for (auto& [where, program] : c.programs)
    if (dice.chance(60)) mark_phases(program, dice);
  return c;
}

}  // namespace weft::test
