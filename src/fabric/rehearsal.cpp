#include "fabric/rehearsal.hpp"

#include <memory>
#include <span>

#include "engine/step_functions.hpp"
#include "isa/elements.hpp"
#include "model/core/group.hpp"
#include "model/core/vector_operands.hpp"

namespace weft::fabric {
namespace {

using model::CoreState;
using model::Operand;
using model::VectorOperands;

/// Of one rehearsal, instructions and elements of vectors. Chosen: more than a pencil of 4096
/// numbers takes, and a program that never ends takes milliseconds.
constexpr std::uint32_t kMostWork = 1 << 20;

/// A bit per register or descriptor: it holds what it would in every PE.
struct Known {
  std::uint32_t registers = 0;
  std::uint32_t names = 0, bases = 0, lengths = 0, strides = 0;

  static void set(std::uint32_t& all, int k, bool known) {
    all = known ? all | 1U << k : all & ~(1U << k);
  }
  bool reg(int k) const { return (registers >> k & 1U) != 0; }
  void reg(int k, bool known) { set(registers, k, known); }
};

/// All of the instruction's descriptors are known, and name memory.
bool knows_vectors(const Known& known, const CoreState& core, const Instruction& i) {
  const VectorOperands operands = model::operands_of(isa::format_of(i.op), i);
  if ((known.lengths >> operands.length_from & 1U) == 0) return false;
  for (const model::VectorOperand& o : operands.at) {
    if (o.kind != Operand::memory) continue;
    if ((known.names & known.bases & 1U << o.index) == 0) return false;
    const Operand::Kind kind = Operand::kind(core.where[o.index].at[0]);
    if (kind != Operand::memory && kind != Operand::shaped) return false;
    if (kind == Operand::memory && (known.strides & 1U << o.index) == 0) return false;
  }
  return true;
}

/// Of a vector instruction; otherwise 0.
std::uint32_t elements(const CoreState& core, const Instruction& i) {
  const Format format = isa::format_of(i.op);
  return isa::is_vector(format) ? core.length[model::operands_of(format, i).length_from].at[0] : 0;
}

/// Whether it is known what the instruction does next, and that nobody else notices.
bool foresees(const Known& known, const CoreState& core, const Instruction& i) {
  if (!isa::runs_ahead(i.op)) return false;
  const Format format = isa::format_of(i.op);
  switch (format) {
    case Format::branch:
      return known.reg(i.d) && known.reg(i.a);
    case Format::ret:
      return known.reg(i.d);
    case Format::fifo_read:
      return false;
    default:
      if (isa::is_vector(format)) return knows_vectors(known, core, i);
      return !isa::touches_memory(format) || known.reg(i.a);  // the address
  }
}

/// Turns the values known before an instruction into those known after it.
void learn(Known& known, const Instruction& i) {
  const bool a = known.reg(i.a);
  switch (isa::format_of(i.op)) {
    case Format::reg_imm:
    case Format::call:
      return known.reg(i.d, true);
    case Format::reg_reg:
    case Format::reg_reg_imm:
      return known.reg(i.d, a);
    case Format::reg_reg_reg:
      return known.reg(i.d, a && known.reg(i.b) && (!isa::accumulates(i.op) || known.reg(i.d)));
    case Format::load_pair:
      known.reg(i.d + 1, false);
      [[fallthrough]];
    case Format::load:
    case Format::load_half:
    case Format::place:
    case Format::clock:
    case Format::fifo_read:
    case Format::pending:
      return known.reg(i.d, false);
    case Format::dsr_imm:
      if (i.op == Op::dlen) return Known::set(known.lengths, i.d, true);
      if (i.op == Op::dstride) return Known::set(known.strides, i.d, true);
      Known::set(known.names, i.d, true);
      return Known::set(known.bases, i.d, true);
    case Format::dsr_reg_imm:
      if (i.op == Op::dlenr) return Known::set(known.lengths, i.d, a);
      if (i.op == Op::dadd)
        return Known::set(known.bases, i.d, a && (known.bases >> i.d & 1U) != 0);
      Known::set(known.names, i.d, true);
      return Known::set(known.bases, i.d, a);
    case Format::dsr_shape:
      Known::set(known.lengths, i.d, true);
      [[fallthrough]];
    case Format::dsr_fifo:
    case Format::dsr_fabric_in:
    case Format::dsr_fabric_out:
      return Known::set(known.names, i.d, true);
    default:
      return;
  }
}

/// Registers that are 0 wherever a program has come: they begin so, and nothing else is written.
/// (A task's first register is its wavelet.)
std::uint32_t zero_registers(const State& s, const model::TaskTable& program) {
  std::uint32_t zero = ~1U;
  for (std::int32_t pc = program.first; pc < program.last; ++pc) {
    const Instruction& i = s.code[static_cast<std::size_t>(pc)];
    if (i.op == Op::li && i.imm == 0) continue;
    Known all{~0U, 0, 0, 0, 0};
    switch (isa::format_of(i.op)) {
      case Format::reg_imm:
      case Format::reg_reg:
      case Format::reg_reg_imm:
      case Format::reg_reg_reg:
      case Format::call:
        all.reg(i.d, false);
        break;
      default:
        learn(all, i);  // loads and the like: what they read is not known
    }
    zero &= all.registers;
  }
  return zero;
}

/// A PE on its own.
class Stage {
 public:
  explicit Stage(const State& s)
      : state_(s), core_(std::make_unique<CoreState>()), memory_(s.memory_words * model::kLanes) {
    view_.width = view_.height = view_.strips = view_.rows = 1;
    view_.timing = s.timing;
    view_.horizon = model::kNever;
    view_.data = false;
    view_.code = s.code.data();
    private_cycles_.assign(s.code.size(), 0);
    view_.private_cycles = private_cycles_.data();
    view_.programs = s.programs.data();
    view_.shapes = s.shapes.data();
    view_.core = core_.get();
    view_.memory = view_.far_memory = memory_.data();
    view_.near_words = view_.memory_words = s.memory_words;
    view_.faults = &fault_;
    view_.fault_row = &fault_row_;
  }

  /// Cycles from the first instruction's issue to the first one that is not foreseen.
  std::uint32_t run(std::uint16_t program, std::int32_t entry, std::uint32_t zero) {
    *core_ = {};
    core_->program[0] = program;
    Known known;
    known.registers = zero;
    model::Group g{view_, {0, 0, 0}, *core_, 1, static_cast<std::uint32_t>(entry), 0, 0, 0, 0};
    const auto last = static_cast<std::uint32_t>(state_.programs[program].last);
    for (std::uint32_t work = 0; work < kMostWork && g.pc < last;) {
      const Instruction& i = view_.code[g.pc];
      if (!foresees(known, *core_, i)) break;
      work += 1 + elements(*core_, i);
      fault_ = {};
      step_.execute(g);
      if (fault_.kind != FaultKind::none) break;
      learn(known, i);
      if (g.lanes != 0) {
        g.elapsed += g.cost;
        g.pc = g.next;
        continue;
      }
      // It went its own way: the core has its time and its place.
      g.elapsed = core_->wake[0];
      g.pc = core_->pc.at[0];
      core_->wake[0] = 0;
      g.lanes = 1;
    }
    return static_cast<std::uint32_t>(g.elapsed);
  }

 private:
  const State& state_;
  const engine::StepFunctions& step_ = engine::step_functions();
  std::unique_ptr<CoreState> core_;
  ZeroedArray<std::uint32_t> memory_;
  std::vector<std::uint32_t> private_cycles_;
  Fault fault_{};
  std::uint64_t fault_row_ = model::kNever;
  model::View view_{};
};

}  // namespace

std::vector<std::uint32_t> rehearse(const State& s) {
  std::vector<std::uint32_t> cycles_of(s.code.size(), 0);
  Stage stage(s);
  for (std::size_t number = 0; number < s.programs.size(); ++number) {
    const model::TaskTable& program = s.programs[number];
    const std::uint32_t zero = zero_registers(s, program);
    const auto from = [&](std::int32_t pc) {
      std::uint32_t& cycles = cycles_of[static_cast<std::size_t>(pc)];
      if (cycles == 0) cycles = stage.run(static_cast<std::uint16_t>(number), pc, zero);
    };
    for (const auto& entries :
         {std::span<const std::int32_t>(program.data), std::span<const std::int32_t>(program.local),
          std::span<const std::int32_t>(program.control)})
      for (const std::int32_t entry : entries)
        if (entry >= 0) from(entry);
    for (std::int32_t pc = program.first; pc + 1 < program.last; ++pc)
      if (!isa::runs_ahead(s.code[static_cast<std::size_t>(pc)].op)) from(pc + 1);
  }
  return cycles_of;
}

}  // namespace weft::fabric
