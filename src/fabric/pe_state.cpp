#include "fabric/pe_state.hpp"

#include <algorithm>

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

ProgramFacts program_facts(std::span<const Instruction> code, ProgramFacts tasks) {
  ProgramFacts facts = tasks;
  const auto unblocks = [&](TaskKind kind, int id) {
    if (kind != TaskKind::local && id < kColors) facts.unblocks |= 1U << id;
  };
  for (const Instruction& i : code) {
    const isa::Format format = isa::format_of(i.op);
    if (format == isa::Format::dsr_fabric_out) facts.sends |= 1U << i.b;
    if (i.op == Op::unblock) unblocks(static_cast<TaskKind>(i.a), i.b);
    if (i.op == Op::setpos || i.op == Op::setroute || i.op == Op::setswitch || i.op == Op::texit)
      facts.switches |= 1U << i.a;
    if (!isa::is_vector(format)) continue;
    const VectorOptions options = VectorOptions::unpack(i.imm);
    if (options.at_end == VectorOptions::AtEnd::unblock)
      unblocks(options.task_kind, options.task_id);
  }
  return facts;
}

}  // namespace weft::fabric
