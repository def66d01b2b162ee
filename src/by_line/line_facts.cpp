#include <algorithm>
#include <cstdint>
#include <optional>

#include "by_line/lines.hpp"
#include "engine/left.hpp"
#include "isa/table.hpp"

namespace weft::by_line {
namespace {

using model::View;

/// Instructions that change which way a color leads.
bool turns(Op op) { return op == Op::setroute || op == Op::setswitch; }

/// The color that an instruction blocks or unblocks, as a bit.
std::uint32_t blocked_by(const Instruction& i) {
  const auto color = [](TaskKind kind, unsigned id) {
    return kind == TaskKind::local ? 0U : 1U << id % 32;
  };
  if (i.op == Op::block || i.op == Op::unblock) return color(static_cast<TaskKind>(i.a), i.b);
  if (!isa::is_vector(isa::format_of(i.op))) return 0;
  const VectorOptions options = VectorOptions::unpack(i.imm);
  const bool unblocks = options.at_end == VectorOptions::AtEnd::unblock;
  return unblocks ? color(options.task_kind, options.task_id) : 0;
}

constexpr std::uint8_t set_of(Port a, Port b) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(a) | 1U << static_cast<unsigned>(b));
}

}  // namespace

std::optional<LineFacts> lines_of(const View& whole) {
  if (engine::holds_wavelets(whole) || whole.timing.crowd != 0 || whole.timing.far_link != 0)
    return {};
  LineFacts facts;
  for (std::size_t i = 0; i < whole.strip_count(); ++i) {
    const model::StripState& strip = whole.strip[i];
    const model::CoreState& core = whole.core[i];
    if (strip.swaps != 0) return {};
    facts.colors |= strip.colors;
    for (std::uint32_t rest = strip.colors; rest != 0; rest &= rest - 1) {
      const int color = model::lowest(rest);
      const model::ColorState& c = whole.colors[strip.color_state[color]];
      if ((c.exits & set_of(Port::west, Port::east)) != 0) facts.along_rows |= 1U << color;
      if ((c.exits & set_of(Port::north, Port::south)) != 0) facts.along_columns |= 1U << color;
    }
    if (core.placed != 0 && core.fifo >= 0) return {};
    std::uint16_t last = ~std::uint16_t{0};  // PEs beside each other mostly have the same program
    for (model::Mask rest = core.placed; rest != 0; rest &= rest - 1) {
      const std::uint16_t number = core.program[model::lowest(rest)];
      if (number == last) continue;
      last = number;
      const model::TaskTable& program = whole.programs[number];
      facts.memory_bytes = std::max(facts.memory_bytes, program.memory_bytes);
      facts.code = std::max(facts.code, static_cast<std::size_t>(program.last));
      for (std::int32_t at = program.first; at < program.last; ++at) {
        if (turns(whole.code[at].op)) return {};
        facts.blocked |= blocked_by(whole.code[at]);
        facts.reads_clock |= isa::format_of(whole.code[at].op) == isa::Format::clock;
      }
    }
  }
  if ((facts.along_rows & facts.along_columns) != 0) return {};
  facts.memory_bytes = (facts.memory_bytes + 3) / 4 * 4;  // whole words
  return facts;
}

}  // namespace weft::by_line
