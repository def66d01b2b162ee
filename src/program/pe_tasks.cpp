#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/names.hpp"
#include "isa/info.hpp"
#include "program/pe_impl.hpp"
#include "weft/pe_program.hpp"

/// Waits and tasks of a PeProgram.
namespace weft::inline v0 {

/// Whether one of the operations was issued before the last wait, so that it may end before the
/// code comes to this one.
bool PeProgram::may_have_ended(const std::vector<PeOperation>& operations) const {
  bool may = false;
  for (const PeOperation& operation : operations) {
    if (operation.program_ != this)
      impl_->refuse("an operation of another program is waited for", "that program waits for it",
                    "wait for it where it is issued");
    const Item& item = impl_->sections[operation.section_][operation.index_];
    if (operation.section_ != impl_->at.section || item.block != impl_->at.block)
      impl_->refuse(fmt::format("{} is waited for in another task, loop or condition than the one "
                                "that issues it",
                                operation.text()),
                    "the two may not come equally often", "wait for it in the same one");
    impl_->check_not_left(operation.index_);
    may |= item.waits_before != impl_->at.waits;
  }
  return may;
}

void PeProgram::Impl::check_not_left(std::size_t item) const {
  const auto jumps_away = [&](const Leave& leave) {
    return leave.section == at.section && leave.loop <= item && item < leave.at;
  };
  if (std::ranges::any_of(leaves, jumps_away))
    refuse(
        "an operation is waited for, and between the two stands a leave",
        "code that leaves the loop does not come to the wait, and the operation's end starts the "
        "code below it",
        "wait before the leave");
}

// A wait has conditions: each operation has come to its end, and, if one of them may have done so
// before, the code has come to the wait. Task k begins when condition k + 1 and the task before it
// (condition 0) have come: one of them activates it, the other unblocks it. The code below is the
// last of these tasks.
void PeProgram::wait(const std::vector<PeOperation>& operations, CallLine) {
  if (operations.empty()) return;
  using AtEnd = VectorOptions::AtEnd;
  const bool arrives = may_have_ended(operations);
  const int conditions = static_cast<int>(operations.size()) + (arrives ? 1 : 0);
  const int tasks = std::max(conditions - 1, 1);
  const Writing& at = impl_->at;
  Wait wait{at.section, at.depth, at.waits, at.waits, impl_->joins, tasks, conditions > 1, {}, {}};
  for (std::size_t k = 0; k < operations.size(); ++k) {
    PeOperation operation = operations[k];
    operation.set(k == 0 ? AtEnd::activate : AtEnd::unblock, {});
    impl_->end_of(operation.section_, operation.index_).join =
        wait.join + std::max(static_cast<int>(k) - 1, 0);
    wait.first =
        std::min(wait.first, impl_->sections[operation.section_][operation.index_].waits_before);
  }
  impl_->joins += tasks;
  if (arrives) {
    unblock(Task{});
    impl_->section().back().join = wait.join + tasks - 1;
  }
  impl_->give_ids(wait, fmt::format("a wait for {} operation{}", operations.size(),
                                    operations.size() == 1 ? "" : "s"));
  impl_->put({.kind = Item::Kind::wait, .wait = static_cast<int>(impl_->all_waits.size())});
  impl_->all_waits.push_back(std::move(wait));
  impl_->note_wait();
}

void PeProgram::Impl::give_ids(Wait& wait, const std::string& owner) {
  const auto is_free = [&](int task) { return local_tasks.is_free(task); };
  if (std::ranges::count_if(kTaskOrder, is_free) < wait.tasks) return;
  for (int k = 0; k < wait.tasks; ++k) wait.ids.push_back(local_tasks.next(kTaskOrder, owner));
}

bool PeProgram::Impl::take_ids_from_a_wait() {
  const auto has_ids = [](const Wait& wait) { return !wait.ids.empty(); };
  const auto last = std::find_if(all_waits.rbegin(), all_waits.rend(), has_ids);
  if (last == all_waits.rend()) return false;
  for (const int task : std::exchange(last->ids, {})) local_tasks.give_back(task);
  return true;
}

WaitTasks PeProgram::Impl::final_wait_tasks() const {
  std::vector<int> ids;
  std::ranges::copy_if(kTaskOrder, std::back_inserter(ids),
                       [&](int task) { return local_tasks.is_free(task); });
  std::optional<WaitTasks> chosen = choose_wait_tasks(all_waits, std::move(ids));
  if (!chosen)
    refuse("too few local tasks are left for its waits",
           "waits share tasks, but not where one begins before the other has ended",
           "wait for fewer operations at a time, or declare fewer tasks");
  return *chosen;
}

Task PeProgram::new_local_task(const std::string& owner, std::optional<int> id) {
  const auto is_free = [&](int n) { return impl_->local_tasks.is_free(n); };
  if (id) {
    impl_->local_tasks.claim(*id, owner);
  } else if (std::ranges::none_of(kTaskOrder, is_free)) {
    impl_->take_ids_from_a_wait();
  }
  const int number = id ? *id : impl_->local_tasks.next(kTaskOrder, owner);
  impl_->task_names.emplace(owner, number);
  return {TaskKind::local, static_cast<std::uint8_t>(number)};
}

void PeProgram::Impl::write_section(Item first, TaskPriority of_section, int subroutine,
                                    const std::function<void()>& body) {
  Writing own{
      .section = sections.size(), .block = blocks++, .subroutine = subroutine, .phase = at.phase};
  const int block = own.block;
  const Writing before = std::exchange(at, std::move(own));
  sections.emplace_back();
  priority.push_back(of_section);
  put(first);
  body();
  if (at.block != block) refuse_open_block();
  at = before;
}

void PeProgram::write_task(Task task, TaskPriority priority, const std::function<void()>& body) {
  impl_->write_section({.kind = Item::Kind::task, .task = task}, priority, -1, [&] {
    body();
    end();
  });
}

Task PeProgram::task(const std::string& name, const std::function<void()>& body,
                     std::optional<int> id, TaskPriority priority) {
  const Task task = new_local_task(name, id);
  write_task(task, priority, body);
  return task;
}

Task PeProgram::task(const std::string& name, const std::function<void(Task self)>& body,
                     std::optional<int> id, TaskPriority priority) {
  const Task task = new_local_task(name, id);
  write_task(task, priority, [&] { body(task); });
  return task;
}

Task PeProgram::declare_task(const std::string& name, std::optional<int> id,
                             TaskPriority priority) {
  const Task task = new_local_task(name, id);
  impl_->declared[task.id] = {name, priority};
  return task;
}

void PeProgram::task(Task declared, const std::function<void()>& body) {
  const auto at = impl_->declared.find(declared.id);
  if (declared.kind != TaskKind::local || at == impl_->declared.end())
    impl_->refuse(fmt::format("{} is given code, and was not declared", name_of(declared)),
                  "only declare_task leaves a task's code for later",
                  "take what declare_task of this program returns");
  if (std::exchange(at->second.written, true))
    impl_->refuse(fmt::format("the task {} is given code twice", at->second.name),
                  "a task begins in one place", "declare another task");
  write_task(declared, at->second.priority, body);
}

void PeProgram::pause(CallLine) {
  const auto is_free = [&](int task) { return impl_->local_tasks.is_free(task); };
  if (std::ranges::none_of(kTaskOrder, is_free)) impl_->take_ids_from_a_wait();
  const std::vector<int> downwards(kTaskOrder.rbegin(), kTaskOrder.rend());
  const int number = impl_->local_tasks.next(downwards, "the code below a pause");
  const Task below{TaskKind::local, static_cast<std::uint8_t>(number)};
  activate(below);
  impl_->put({.kind = Item::Kind::pause, .task = below});
  impl_->note_wait();
}

Task PeProgram::on_data(Color color, ElementType type,
                        const std::function<void(PeScalar payload)>& body, TaskPriority priority) {
  impl_->take_queue(color, true);
  const Task task{TaskKind::data, static_cast<std::uint8_t>(color.number)};
  impl_->data_tasks[color] = impl_->sections.size();
  impl_->data_task_notes[color] = impl_->note(fmt::format("on_data of {}", impl_->name_of(color)));
  write_task(task, priority, [&] {
    if (type == ElementType::i16) extend(*this, Reg{0}, Reg{0}, type);
    body({Reg{0}, type});
  });
  return task;
}

bool PeProgram::Impl::ever_blocks(Task task) const {
  const auto of_task = [task](const Item& item) {
    const Instruction& i = item.instruction;
    return item.kind == Item::Kind::instruction && i.op == Op::block &&
           i.a == static_cast<int>(task.kind) && i.b == task.id;
  };
  return std::ranges::any_of(sections,
                             [&](const Section& s) { return std::ranges::any_of(s, of_task); });
}

void PeProgram::Impl::check_data_tasks() const {
  for (std::size_t s = 0; s < sections.size(); ++s)
    for (const Item& item : sections[s])
      for (const int n : item.value) {
        if (n < 0) continue;
        const DescriptorValue& value = by_number[static_cast<std::size_t>(n)];
        if (value.kind != DescriptorValue::Kind::input) continue;
        const auto task = data_tasks.find(value.color);
        if (task == data_tasks.end()) continue;
        const bool waits_in_task = task->second == s && item.waits_before == 0 &&
                                   !VectorOptions::unpack(item.instruction.imm).async;
        const Task of_color{TaskKind::data, static_cast<std::uint8_t>(value.color)};
        if (waits_in_task || ever_blocks(of_color)) continue;
        const auto text = [&](int note) {
          return notes.operations[static_cast<std::size_t>(note)].text();
        };
        refuse(fmt::format("{} receives what starts the task {}", text(item.note),
                           text(data_task_notes.at(value.color))),
               "each wavelet would go to the one that is ready first",
               "receive it by another color, or in the task, where the core waits for it, or block "
               "the task until all is received");
      }
}

// The main task's first scopes give their registers to the whole program: no code of theirs comes
// again, unless somebody starts the main task again.
std::string PeProgram::Impl::main_runs_once() const {
  std::string why;
  const auto waits = [&](std::size_t s) {
    return std::ranges::any_of(sections[s], [](const Item& item) { return item.waits_before > 0; });
  };
  for (const Registers::PassedOn& r : registers.passed_on())
    if (!r.section || (*r.section > 0 && waits(*r.section))) {
      why = fmt::format("{} has register {}, which the main task uses before ({})", r.owner,
                        r.number, r.before);
      break;
    }
  if (why.empty()) return why;
  const auto activates_it = [](const Item& item) {
    const Instruction& i = item.instruction;
    if (item.kind != Item::Kind::instruction || item.join >= 0) return false;
    if (i.op == Op::activate) return i.a == static_cast<int>(TaskKind::local) && i.b == 0;
    if (isa::info(isa::format_of(i.op)).imm != isa::OperandKind::options) return false;
    const VectorOptions options = VectorOptions::unpack(i.imm);
    return options.at_end == VectorOptions::AtEnd::activate &&
           options.task_kind == TaskKind::local && options.task_id == 0;
  };
  const bool again = std::ranges::any_of(fifo_tasks, [](Task task) { return task.id == 0; }) ||
                     std::ranges::any_of(sections, [&](const Section& s) {
                       return std::ranges::any_of(s, activates_it);
                     });
  if (again)
    refuse("it starts its main task again", why + ", and would lose it",
           "declare what lasts before the first scope, or give the work that comes again a task");
  return why;
}

void PeProgram::start_unblocked(Color color) { impl_->builder.start_unblocked(color); }

Task PeProgram::on_control(int entry, const std::function<void(PeScalar payload)>& body,
                           TaskPriority priority) {
  if (entry < 0 || entry >= kControlTasks || entry == kNoEntry)
    impl_->refuse(fmt::format("control wavelets with entry {} start no task", entry),
                  fmt::format("entries go from 0 to {}, without {}", kControlTasks - 1, kNoEntry),
                  "choose one of these");
  const Task task{TaskKind::control, static_cast<std::uint8_t>(entry)};
  write_task(task, priority, [&] { body({Reg{0}, ElementType::u32}); });
  return task;
}

}  // namespace weft::inline v0
