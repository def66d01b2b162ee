#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "program/descriptors.hpp"
#include "program/pe_impl.hpp"
#include "program/queues.hpp"
#include "program/run_checks.hpp"
#include "program/traces.hpp"
#include "program/wait_code.hpp"
#include "weft/error.hpp"
#include "weft/pe_program.hpp"

/// From what a PeProgram has recorded to a Program. Descriptors are set once, at the start of the
/// main task; those that values share, before each use, as far as the value is not there already.
namespace weft::inline v0 {
namespace {

class Assembly {
 public:
  Assembly(const PeProgramAccess::Impl& program, const Registers& registers,
           DescriptorChoice choice, QueueChoice queues, WaitCode waits,
           std::optional<RunChecks> run_checks)
      : program_(program),
        builder_(program.builder),
        values_(program.by_number),
        registers_(registers),
        queues_(std::move(queues)),
        choice_(std::move(choice)),
        holds_(choice_.common),
        waits_(std::move(waits)),
        run_checks_(std::move(run_checks)) {}

  /// Behind all other code: of the checks that fail, each has instructions of its own.
  void finish(std::vector<FailedCheck> checks) {
    if (run_checks_) std::ranges::copy(run_checks_->failed(), std::back_inserter(checks));
    note(-1);
    mark_phase(ProgramNotes::PhaseMark::kShared);
    waits_.finish(builder_);
    for (std::size_t n = 0; n < checks.size(); ++n) {
      note(checks[n].note);
      builder_.place(checks[n].label);
      builder_.li(Reg{0}, failed_check(static_cast<int>(n)));
      builder_.ret(Reg{0});
    }
    note(-1);  // what comes is of no operation
  }

  /// `notes`: of all operations, by number.
  std::vector<ProgramNotes::Operation> operations(const ProgramNotes& notes) const {
    std::vector<ProgramNotes::Operation> all;
    for (const auto& [first, number] : noted_) {
      ProgramNotes::Operation& o = all.emplace_back();
      if (number >= 0) o = notes.operations[static_cast<std::size_t>(number)];
      o.first = first;
    }
    return all;
  }

  ProgramBuilder& builder() { return builder_; }
  const std::optional<RunChecks>& run_checks() const { return run_checks_; }

  /// Sets all that is set once.
  void set_up() {
    std::vector<bool> done(kDescriptors);
    // First the values with a length, as others may share their descriptors.
    for (const bool with_length : {true, false})
      for (std::size_t i = 0; i < values_.size(); ++i) {
        const int d = choice_.own[i];
        if (d < 0 || (values_[i].length >= 0) != with_length || done[static_cast<std::size_t>(d)])
          continue;
        done[static_cast<std::size_t>(d)] = true;
        const DescriptorValue fresh{};  // stride 0
        set(d, values_[i], &fresh);
      }
    for (std::size_t n = 0; n < kDescriptors; ++n) {
      const Dsr d{static_cast<std::uint8_t>(n)};
      if (!choice_.common[n]) continue;
      if (choice_.common[n]->stride != 0) builder_.dstride(d, choice_.common[n]->stride);
      if (choice_.common[n]->length >= 0 && !choice_.common[n]->counted)
        builder_.dlen(d, choice_.common[n]->length);
    }
  }

  void write(const Item& item, TaskPriority priority) {
    note(item.note);
    mark_phase(item.phase);
    switch (item.kind) {
      case Item::Kind::label:
        holds_ = choice_.common;
        return builder_.place(item.label);
      case Item::Kind::task:
        holds_ = choice_.common;
        return bind(item.task, priority);
      case Item::Kind::wait:
        holds_ = choice_.common;
        return waits_.write(builder_, item.wait);
      case Item::Kind::pause:
        holds_ = choice_.common;
        builder_.end();
        return bind(item.task, priority);
      case Item::Kind::scope:
        return load(program_.scopes[static_cast<std::size_t>(item.wait)]);
      case Item::Kind::subroutine:
        holds_ = choice_.common;
        subroutines_[builder_.instructions()] =
            program_.subroutines[static_cast<std::size_t>(item.wait)].name;
        return builder_.place(item.label);
      default:
        return write_instruction(item);
    }
  }

  void load(const std::map<std::uint32_t, int>& constants) {
    for (const auto& [bits, number] : constants)
      builder_.li(scalar_of(number, ElementType::u32), static_cast<std::int32_t>(bits));
  }

  const std::map<int, std::string>& subroutines() const { return subroutines_; }

 private:
  void mark_phase(int phase) {
    using Mark = ProgramNotes::PhaseMark;
    if (phase >= 0)
      return builder_.phase(program_.notes.phase_names[static_cast<std::size_t>(phase)]);
    phase == Mark::kShared ? builder_.shared_by_phases() : builder_.no_phase();
  }

  /// The code that follows is of this operation.
  void note(int number) {
    if (noted_.empty() || noted_.back().second != number)
      noted_.emplace_back(builder_.instructions(), number);
  }

  void bind(Task task, TaskPriority priority) {
    if (task.kind == TaskKind::local) builder_.local_task(task.id, priority);
    if (task.kind == TaskKind::data) builder_.data_task(task.id, priority);
    if (task.kind == TaskKind::control) builder_.control_task(task.id, priority);
  }

  /// `before`: what the descriptor holds, if that is known.
  void set(int number, const DescriptorValue& value, const DescriptorValue* before) {
    using Kind = DescriptorValue::Kind;
    const Dsr d{static_cast<std::uint8_t>(number)};
    switch (value.kind) {
      case Kind::input:
        builder_.dfabin(d, queues_.input.at(value.color));
        break;
      case Kind::output:
        return builder_.dfabout(d, queues_.output.at(value.color), value.color, value.control);
      case Kind::fifo:
        builder_.dfifo(d, {static_cast<std::uint8_t>(value.base)});
        break;
      case Kind::shaped:
        if (value.moved >= 0) return;  // set at each use
        builder_.dbase(d, static_cast<int>(value.base));
        return builder_.dshape(d, shape_of(value.shape));
      case Kind::memory:
        if (value.moved < 0) builder_.dbase(d, static_cast<int>(value.base));
        if (value.strided) break;  // set at each use
        if (before == nullptr || before->kind != Kind::memory || before->strided ||
            before->stride != value.stride)
          builder_.dstride(d, value.stride);
    }
    const bool known = before != nullptr && before->kind != Kind::shaped;
    if (value.length >= 0 && !value.counted && !(known && before->length == value.length))
      builder_.dlen(d, value.length);
  }

  /// Sets a descriptor that values share.
  void set_shared(int number, const DescriptorValue& value) {
    std::optional<DescriptorValue>& holds = holds_[static_cast<std::size_t>(number)];
    if (holds != value) set(number, value, holds ? &*holds : nullptr);
    const int length = holds && value.length < 0 && value.kind != DescriptorValue::Kind::shaped
                           ? holds->length
                           : value.length;
    holds = value;
    holds->length = value.counted ? -1 : length;
  }

  static void name_task(Instruction& i, std::uint8_t id) {
    if (i.op == Op::activate || i.op == Op::unblock) {
      i.b = id;
      return;
    }
    VectorOptions options = VectorOptions::unpack(i.imm);
    options.task_id = id;
    i.imm = options.pack();
  }

  ShapeId shape_of(const std::vector<std::pair<int, int>>& shape) {
    if (const auto at = shapes_.find(shape); at != shapes_.end()) return at->second;
    std::vector<Dimension> d;
    d.reserve(shape.size());
    for (const auto& [extent, stride] : shape)
      d.push_back({static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(stride)});
    const ShapeId id = d.size() == 2   ? builder_.shape({d[0], d[1]})
                       : d.size() == 3 ? builder_.shape({d[0], d[1], d[2]})
                                       : builder_.shape({d[0], d[1], d[2], d[3]});
    return shapes_.emplace(shape, id).first->second;
  }

  void write_instruction(const Item& item) {
    Instruction i = item.instruction;
    if (item.join >= 0) name_task(i, static_cast<std::uint8_t>(waits_.id(item.join)));
    if (run_checks_ && item.moving_root >= 0) run_checks_->moving_root(builder_, item);
    if (run_checks_) run_checks_->count(builder_, item);
    std::uint8_t* fields[] = {&i.d, &i.a, &i.b};
    for (std::size_t k = 0; k < 3; ++k) {
      if (item.value[k] < 0) continue;
      const DescriptorValue& value = values_[static_cast<std::size_t>(item.value[k])];
      int number = choice_.own[static_cast<std::size_t>(item.value[k])];
      if (number < 0) {
        number = choice_.shared[static_cast<std::size_t>(item.value[k])][k];
        set_shared(number, value);
      }
      if (value.moved >= 0) {
        const Dsr d{static_cast<std::uint8_t>(number)};
        const Move& move = program_.move_of(item, k);
        const auto base = static_cast<std::int32_t>(move.base);
        if (run_checks_) run_checks_->view(builder_, item, k, value);
        move.offset ? builder_.dbaser(d, *move.offset, base) : builder_.dbase(d, base);
        if (move.stride) builder_.dstrider(d, *move.stride);
        if (value.kind == DescriptorValue::Kind::shaped) builder_.dshape(d, shape_of(value.shape));
      }
      if (value.counted)
        builder_.dlenr({static_cast<std::uint8_t>(number)}, *program_.move_of(item, k).count);
      *fields[k] = static_cast<std::uint8_t>(number);
    }
    if (item.literal_field >= 0)
      *fields[item.literal_field] = static_cast<std::uint8_t>(register_of(item.literal));
    builder_.instruction(i);
  }

  /// Of a literal, which is in it then.
  int register_of(std::uint32_t literal) {
    if (const auto number = registers_.of(literal)) return *number;
    load({{literal, registers_.place()}});
    return registers_.place();
  }

  const PeProgramAccess::Impl& program_;
  ProgramBuilder builder_;
  const std::vector<DescriptorValue>& values_;
  const Registers& registers_;
  std::map<int, std::string> subroutines_;  ///< by their first instruction
  QueueChoice queues_;
  DescriptorChoice choice_;
  /// The values of shared descriptors at this point of the program, as far as they are known.
  std::array<std::optional<DescriptorValue>, kDescriptors> holds_;
  std::map<std::vector<std::pair<int, int>>, ShapeId> shapes_;
  WaitCode waits_;
  std::optional<RunChecks> run_checks_;
  std::vector<std::pair<std::int32_t, int>> noted_;  ///< first instructions, and operations
};

}  // namespace

QueueChoice PeProgram::Impl::final_queues() const {
  const ChosenQueues chosen =
      choose_queues(by_number, sections, all_waits, fifo_tasks, queues, of_user);
  if (chosen.clash) {
    const auto text = [&](QueueUse use) {
      return fmt::format("{} {}", use.input ? "what comes by" : "what goes out by",
                         name_of({use.color}));
    };
    refuse(fmt::format("{} and {} cannot run at the same time", text(chosen.clash->running),
                       text(chosen.clash->issued)),
           "queue n from the router and queue n to it share microthread n, and a core has too few "
           "for all operations that may run at the same time",
           "wait for some of them before it issues the next ones");
  }
  return chosen.queues;
}

namespace {

ProgramNames names_of(const Registers& registers, const Allotment& local_tasks,
                      const WaitTasks& tasks) {
  ProgramNames names;
  const auto note = [](const auto& numbers, int count, std::map<int, std::string>& owners) {
    for (int n = 0; n < count; ++n)
      if (!numbers.is_free(n)) owners[n] = numbers.owner(n);
  };
  note(registers, kRegisters, names.registers);
  note(local_tasks, kLocalTasks, names.local_tasks);
  if (tasks.groups.empty()) return names;
  for (const int task : tasks.id) names.local_tasks[task] = "a wait";
  for (const SharedTasks& group : tasks.groups)
    for (const int task : group.ids) names.local_tasks[task] = "waits that share tasks";
  return names;
}

}  // namespace

void PeProgram::Impl::check_complete() const {
  if (at.block != 0) refuse_open_block();
  if (phases_crossed) refuse_crossed_phases();
  for (const auto& [number, task] : declared)
    if (!task.written)
      refuse(fmt::format("the task {} has no code", task.name), "it was declared, and not written",
             "write it: task(declared, body)");
  check_data_tasks();
}

BuiltProgram PeProgram::Impl::build(bool check) const {
  check_complete();
  Registers settled = registers;
  std::optional<RunChecks> run_checks;
  if (check) run_checks.emplace(*this, settled);
  DescriptorChoice choice = choose_descriptors(by_number, sections, own_descriptors);
  if (choice.own.size() != by_number.size())
    refuse("no descriptors are left", "the program uses more than 13 of the 16 by number",
           "use vectors without numbers");
  const WaitTasks wait_tasks = final_wait_tasks();
  std::vector<Wait> waits = all_waits;
  for (Wait& wait : waits) wait.priority = priority[wait.section];
  WaitCode wait_code(waits, wait_tasks, settled);
  settled.settle();
  const QueueChoice queues_of_all = final_queues();
  Assembly assembly(*this, settled, std::move(choice), queues_of_all, std::move(wait_code),
                    std::move(run_checks));
  ProgramBuilder& b = assembly.builder();
  b.start(b.local_task(0));
  assembly.load(settled.set_at_launch());
  if (x) b.xcoord(*x);
  if (y) b.ycoord(*y);
  assembly.set_up();
  for (std::size_t section = 0; section < sections.size(); ++section) {
    for (const Item& item : sections[section]) assembly.write(item, priority[section]);
    const bool ended = !sections[0].empty() && sections[0].back().kind == Item::Kind::instruction &&
                       sections[0].back().instruction.op == Op::end;
    if (section == 0 && !ended) b.end();
  }
  assembly.finish(failed_checks);
  for (const auto& [routine, entry] : routines) write_routine(b, routine, entry, *routine_place);
  BuiltProgram built{b.build(), names_of(settled, local_tasks, wait_tasks)};
  built.program.task_names = task_names;
  ProgramNotes& its = built.program.notes;
  its.operations = assembly.operations(notes);
  its.checks = notes.checks;
  if (const std::optional<RunChecks>& checks_of_run = assembly.run_checks()) {
    std::ranges::copy(checks_of_run->texts(), std::back_inserter(its.checks));
    its.roots = checks_of_run->roots();
  }
  its.main_runs_once = main_runs_once();
  its.prints = notes.prints;
  built.names.queues = queues_of_all;
  built.names.subroutines = assembly.subroutines();
  return built;
}

Program PeProgram::build() const { return impl_->build(false).program; }

}  // namespace weft::inline v0
