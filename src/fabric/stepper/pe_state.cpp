#include "fabric/stepper/pe_state.hpp"

#include <algorithm>
#include <utility>

#include "isa/table.hpp"

namespace weft::fabric {

Ports Channel::inputs_to(Port out) const {
  Ports inputs;
  for (const Opening& opening : positions)
    if (opening.tx[static_cast<std::size_t>(out)]) inputs |= opening.rx;
  return inputs;
}

const Channel* PeState::channel(int color) const {
  const auto found = std::ranges::find(channels, color, &Channel::color);
  return found == channels.end() ? nullptr : &*found;
}

bool PeState::may_start_task(const Channel& channel) const {
  const auto has = [&](std::uint32_t colors) { return (colors >> channel.color & 1U) != 0; };
  return channel.ever_tx[static_cast<std::size_t>(Port::ramp)] && !has(blocked_colors) &&
         (has(program.data_tasks) || program.control_tasks);
}

ProgramFacts program_facts(const ProgramCode& code) {
  ProgramFacts facts;
  for (const Instruction& i : code.instructions)
    if (isa::format_of(i.op) == isa::Format::dsr_fabric_out) facts.sends |= 1U << i.b;
  for (std::size_t color = 0; color < kColors; ++color)
    if (code.data[color] >= 0) facts.data_tasks |= 1U << color;
  facts.control_tasks = std::ranges::any_of(code.control, [](auto entry) { return entry >= 0; });
  facts.code = std::make_shared<const ProgramCode>(code);
  return facts;
}

}  // namespace weft::fabric
