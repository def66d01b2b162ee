#include "fabric/errors/deadlock/actors.hpp"

#include <algorithm>

#include "isa/table.hpp"

namespace weft::fabric::deadlock {
namespace {

using What = DeadlockWait::What;
using Kind = OperandFacts::Kind;

/// Instructions of a program that can be reached.
class Walk {
 public:
  explicit Walk(const ProgramCode& program) : program_(program) {
    seen_.resize(program.instructions.size());
  }

  /// The instruction of this number, if there is one.
  void visit(std::int32_t at) {
    if (at < 0 || static_cast<std::size_t>(at) >= seen_.size()) return;
    if (seen_[static_cast<std::size_t>(at)]) return;
    seen_[static_cast<std::size_t>(at)] = true;
    left_.push_back(at);
  }
  void visit_tasks(std::uint32_t local) {
    for (std::size_t id = 0; id < kLocalTasks; ++id)
      if ((local >> id & 1U) != 0) visit(program_.local[id]);
  }
  /// The tasks that wavelets of the color start.
  void visit_color(int color) {
    visit(program_.data[static_cast<std::size_t>(color)]);
    for (const std::int32_t at : program_.control) visit(at);
  }

  /// f(instruction) for each; those after it are visited.
  template <class F>
  void follow(F f) {
    while (!left_.empty()) {
      const std::int32_t at = left_.back();
      left_.pop_back();
      const Instruction& i = program_.instructions[static_cast<std::size_t>(at)];
      f(i);
      visit_next(i, at);
    }
  }

 private:
  void visit_next(const Instruction& i, std::int32_t at) {
    using isa::Format;
    const Format format = isa::format_of(i.op);
    const bool jumps = format == Format::jump || format == Format::branch || format == Format::call;
    if (jumps) visit(i.imm - program_.first);
    if (format == Format::ret)  // to whichever call it was
      for (std::size_t n = 0; n < seen_.size(); ++n)
        if (program_.instructions[n].op == Op::call) visit(static_cast<std::int32_t>(n) + 1);
    if (format != Format::jump && format != Format::ret && format != Format::end) visit(at + 1);
  }

  const ProgramCode& program_;
  std::vector<bool> seen_{};
  std::vector<std::int32_t> left_{};
};

void note_unblocked(Actions& does, Walk& walk, TaskKind kind, int id) {
  if (kind == TaskKind::local) {
    does.unblocks_tasks |= 1U << id;
    walk.visit_tasks(1U << id);
  } else if (id < kColors) {
    does.unblocks |= 1U << id;
    walk.visit_color(id);
  }
}

/// The end of a vector instruction.
void note_end(Actions& does, Walk& walk, const VectorOptions& options) {
  if (options.at_end == VectorOptions::AtEnd::activate) walk.visit_tasks(1U << options.task_id);
  if (options.at_end == VectorOptions::AtEnd::unblock)
    note_unblocked(does, walk, options.task_kind, options.task_id);
}

/// Instructions on the core's tasks and its router.
void note_others(Actions& does, Walk& walk, const Instruction& i) {
  if (i.op == Op::activate) walk.visit_tasks(1U << i.b);
  if (i.op == Op::unblock) note_unblocked(does, walk, static_cast<TaskKind>(i.a), i.b);
  if (i.op == Op::setpos || i.op == Op::setroute || i.op == Op::setswitch || i.op == Op::texit)
    does.switches |= 1U << i.a;
}

std::optional<OperandFacts> named_by(const Instruction& i) {
  switch (isa::format_of(i.op)) {
    case isa::Format::dsr_fabric_in:
      return OperandFacts{Kind::input, i.a};
    case isa::Format::dsr_fabric_out:
      return OperandFacts{Kind::output, i.a, i.b};
    case isa::Format::dsr_fifo:
      return OperandFacts{Kind::fifo, i.a};
    default:
      return {};
  }
}

/// A descriptor names this where it is read or written.
void note_operand(Actions& does, const OperandFacts& names, bool reads, bool writes) {
  if (names.kind == Kind::input && reads) does.receives |= 1U << names.number;
  if (names.kind == Kind::output && writes) does.sends |= 1U << names.color;
  if (names.kind == Kind::fifo && reads) does.pops |= 1U << names.number;
  if (names.kind == Kind::fifo && writes) does.pushes |= 1U << names.number;
}

/// The tasks that wavelets of the color start.
void add_color(std::vector<std::int32_t>& starts, const PeState& pe, int color) {
  const ProgramCode& program = *pe.program.code;
  starts.push_back(program.data[static_cast<std::size_t>(color)]);
  if (pe.program.control_tasks)
    starts.insert(starts.end(), program.control.begin(), program.control.end());
}

}  // namespace

Actors::Code Actors::follow(const ProgramCode& program, const Starts& starts) {
  Code code;
  Walk walk(program);
  for (const std::int32_t at : starts) walk.visit(at);
  walk.follow([&](const Instruction& i) {
    const isa::Format format = isa::format_of(i.op);
    note_others(code.does, walk, i);
    if (const auto names = named_by(i)) {
      code.names.emplace_back(i.d, *names);
      if (names->kind == Kind::fifo) walk.visit_tasks(program.fifo_tasks);
    }
    if (!isa::is_vector(format)) return;
    code.writes |= 1U << i.d;
    if (isa::info(format).a == isa::OperandKind::dsr) code.reads |= 1U << i.a;
    if (isa::info(format).b == isa::OperandKind::dsr) code.reads |= 1U << i.b;
    note_end(code.does, walk, VectorOptions::unpack(i.imm));
  });
  return code;
}

Actions Actors::from(const PeState& pe, Starts starts) {
  const bool fifo_named = std::ranges::any_of(
      pe.descriptors, [](const DescriptorFacts& d) { return d.names.kind == Kind::fifo; });
  const ProgramCode& program = *pe.program.code;
  if (fifo_named)
    for (std::size_t id = 0; id < kLocalTasks; ++id)
      if ((program.fifo_tasks >> id & 1U) != 0) starts.push_back(program.local[id]);
  std::ranges::sort(starts);
  const auto [known, is_new] = known_.try_emplace({program.instructions.data(), starts});
  if (is_new) known->second = follow(program, starts);
  const Code& code = known->second;
  Actions can = code.does;
  const auto note = [&](std::size_t n, const OperandFacts& names) {
    note_operand(can, names, (code.reads >> n & 1U) != 0, (code.writes >> n & 1U) != 0);
  };
  for (std::size_t n = 0; n < kDescriptors; ++n) note(n, pe.descriptors[n].names);
  for (const auto& [n, names] : code.names) note(static_cast<std::size_t>(n), names);
  return can;
}

Actor Actors::at_end(const PeState& pe, const MicrothreadFacts& t) {
  const auto [async, at_end, task_kind, id] = t.options;
  const bool local = task_kind == TaskKind::local;
  Starts starts;
  if (local)
    starts.push_back(pe.program.code->local[id]);
  else if (id < kColors)
    add_color(starts, pe, id);
  Actor actor{What::microthread, t.number, from(pe, std::move(starts))};
  if (at_end == VectorOptions::AtEnd::unblock)
    (local ? actor.can.unblocks_tasks : actor.can.unblocks) |= 1U << id;
  return actor;
}

std::vector<Actor> Actors::actors_of(const PeState& pe) {
  std::vector<Actor> actors;
  if (!pe.programmed) return actors;
  Starts after_task{static_cast<std::int32_t>(pe.pc)};
  for (int id = 0; id < kLocalTasks; ++id) {
    if ((pe.active_tasks >> id & 1U) == 0) continue;
    const std::int32_t task = pe.program.code->local[static_cast<std::size_t>(id)];
    if ((pe.blocked_tasks >> id & 1U) == 0)
      after_task.push_back(task);
    else
      actors.push_back({What::task, id, from(pe, {task})});
  }
  for (const MicrothreadFacts& t : pe.microthreads)
    if (t.options.async && t.options.at_end != VectorOptions::AtEnd::nothing)
      actors.push_back(at_end(pe, t));
  for (int q = 0; q < kInputQueues; ++q) {
    const RampFacts& queue = pe.input[static_cast<std::size_t>(q)];
    if (queue.claimed || queue.wavelets.empty()) continue;
    Starts starts;
    add_color(starts, pe, queue.color);
    actors.push_back({What::input_queue, q, from(pe, std::move(starts))});
  }
  for (const Channel& c : pe.channels) {
    if (!pe.may_start_task(c)) continue;
    Starts starts;
    add_color(pe.running ? after_task : starts, pe, c.color);
    if (!pe.running) actors.push_back({{}, c.color, from(pe, std::move(starts))});
  }
  if (pe.running) actors.push_back({What::core, 0, from(pe, std::move(after_task))});
  return actors;
}

const std::vector<Actor>& Actors::of(int pe) {
  const auto [known, is_new] = of_.try_emplace(pe);
  if (is_new) known->second = actors_of(mesh_.at(pe));
  return known->second;
}

}  // namespace weft::fabric::deadlock
