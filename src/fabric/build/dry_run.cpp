#include "fabric/build/dry_run.hpp"

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

/// Of one dry run, instructions and elements of vectors. Chosen: more than a pencil of 4096
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
  const isa::Format format = isa::format_of(i.op);
  return isa::is_vector(format) ? core.length[model::operands_of(format, i).length_from].at[0] : 0;
}

/// Whether all registers are known that the instruction's operands name and it reads.
bool knows_registers(const Known& known, const Instruction& i) {
  const isa::FormatInfo& format = isa::info(isa::format_of(i.op));
  const bool reads_d = isa::is_read(format.d) || isa::accumulates(i.op);
  return (!reads_d || known.reg(i.d)) && (!isa::is_read(format.a) || known.reg(i.a)) &&
         (!isa::is_read(format.b) || known.reg(i.b));
}

/// Whether it is known what the instruction does next, and that nobody else notices.
bool foresees(const Known& known, const CoreState& core, const Instruction& i) {
  if (!isa::runs_ahead(i.op)) return false;
  if (i.op == Op::fifolen) return false;  // no FIFO is there
  const isa::Format format = isa::format_of(i.op);
  if (isa::is_vector(format)) return knows_vectors(known, core, i);
  const isa::FormatInfo& row = isa::info(format);
  if (row.group == isa::Group::flow) return knows_registers(known, i);
  return row.scope != isa::Scope::memory || known.reg(i.a);  // the address
}

/// Registers that the instruction writes, a bit each.
std::uint32_t written(const Instruction& i) {
  switch (isa::info(isa::format_of(i.op)).d) {
    case isa::OperandKind::computed:
    case isa::OperandKind::found:
      return 1U << i.d;
    case isa::OperandKind::found_pair:
      return 3U << i.d;
    default:
      return 0;
  }
}

/// Turns the values known of descriptors before an instruction that sets one into those after it.
void learn_descriptor(Known& known, const Instruction& i) {
  const bool a = known.reg(i.a);
  switch (i.op) {
    case Op::dlen:
      return Known::set(known.lengths, i.d, true);
    case Op::dlenr:
      return Known::set(known.lengths, i.d, a);
    case Op::dstride:
      return Known::set(known.strides, i.d, true);
    case Op::dstrider:
      return Known::set(known.strides, i.d, a);
    case Op::dadd:
      return Known::set(known.bases, i.d, a && (known.bases >> i.d & 1U) != 0);
    case Op::dbase:
    case Op::dbaser:
      Known::set(known.bases, i.d, i.op == Op::dbase || a);
      break;
    case Op::dshape:
      Known::set(known.lengths, i.d, true);
      break;
    default:
      break;
  }
  Known::set(known.names, i.d, true);
}

/// Turns the values known before an instruction into those known after it.
void learn(Known& known, const Instruction& i) {
  const isa::FormatInfo& format = isa::info(isa::format_of(i.op));
  const bool computed = format.d == isa::OperandKind::computed && knows_registers(known, i);
  const std::uint32_t registers = written(i);
  known.registers = computed ? known.registers | registers : known.registers & ~registers;
  if (format.group == isa::Group::descriptors && format.d == isa::OperandKind::dsr)
    learn_descriptor(known, i);
}

/// Registers that are 0 wherever a program has come: they begin so, and nothing else is written.
/// (A task's first register is its wavelet.)
std::uint32_t zero_registers(const State& s, const model::TaskTable& program) {
  std::uint32_t zero = ~1U;
  for (std::int32_t pc = program.first; pc < program.last; ++pc) {
    const Instruction& i = s.code[static_cast<std::size_t>(pc)];
    if (i.op != Op::li || i.imm != 0) zero &= ~written(i);
  }
  return zero;
}

/// The phases of instructions.
class Marks {
 public:
  Marks(const State& s, const std::vector<std::uint32_t>& marks) : code_(s.code), marks_(marks) {}

  /// Who comes to this instruction from the one before it stays in its phase.
  bool goes_on(std::int32_t first, std::int32_t pc) const {
    if (marks_.empty() || pc == first || at(pc) == model::Phases::kShared) return true;
    const Instruction& before = code_[static_cast<std::size_t>(pc) - 1];
    return before.op == Op::end || (at(pc) == at(pc - 1) && at(pc) != kSeveral);
  }
  /// Who comes to the second one from the first, which it took in time, does.
  bool is_of_phase(std::uint32_t entry, std::uint32_t pc) const {
    if (marks_.empty()) return true;
    const std::uint32_t phase = marks_[pc];
    return phase == model::Phases::kShared || (phase == marks_[entry] && phase != kSeveral);
  }

 private:
  std::uint32_t at(std::int32_t pc) const { return marks_[static_cast<std::size_t>(pc)]; }

  const std::vector<Instruction>& code_;
  const std::vector<std::uint32_t>& marks_;
};

/// A PE on its own.
class Stage {
 public:
  Stage(const State& s, const Marks& marks)
      : state_(s),
        marks_(marks),
        core_(std::make_unique<CoreState>()),
        memory_(s.memory_words * model::kLanes) {
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
    view_.memory = memory_.data();
    view_.memory_words = s.memory_words;
    view_.faults = &fault_;
    view_.fault_row = &fault_row_;
  }

  /// Cycles from the first instruction's issue to the first one that is not foreseen.
  std::uint32_t run(std::uint16_t program, std::int32_t entry, std::uint32_t zero) {
    *core_ = {};
    core_->program[0] = program;
    Known known;
    known.registers = zero;
    model::Group g{view_, {0, 0, 0}, *core_, 1, static_cast<std::uint32_t>(entry), 0, 0, 0, 0, 0};
    const auto last = static_cast<std::uint32_t>(state_.programs[program].last);
    for (std::uint32_t work = 0; work < kMostWork && g.pc < last;) {
      const Instruction& i = view_.code[g.pc];
      if (!foresees(known, *core_, i)) break;
      if (!marks_.is_of_phase(static_cast<std::uint32_t>(entry), g.pc)) break;
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
  const Marks& marks_;
  const engine::StepFunctions& step_ = engine::step_functions();
  std::unique_ptr<CoreState> core_;
  base::ZeroedArray<std::uint32_t> memory_;
  std::vector<std::uint32_t> private_cycles_;
  Fault fault_{};
  std::uint64_t fault_row_ = model::kNever;
  model::View view_{};
};

}  // namespace

std::vector<std::uint32_t> dry_run(const State& s, const std::vector<std::uint32_t>& phases) {
  std::vector<std::uint32_t> cycles_of(s.code.size(), 0);
  const Marks marks(s, phases);
  Stage stage(s, marks);
  for (std::size_t number = 0; number < s.programs.size(); ++number) {
    const model::TaskTable& program = s.programs[number];
    const std::uint32_t zero = zero_registers(s, program);
    const auto from = [&](std::int32_t pc) {
      std::uint32_t& cycles = cycles_of[static_cast<std::size_t>(pc)];
      if (cycles == 0 && marks.goes_on(program.first, pc))
        cycles = stage.run(static_cast<std::uint16_t>(number), pc, zero);
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
