#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/names.hpp"
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
                                mnemonic(item.instruction.op)),
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
    Item& item = impl_->sections[operation.section_][operation.index_];
    item.join = wait.join + std::max(static_cast<int>(k) - 1, 0);
    wait.first = std::min(wait.first, item.waits_before);
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
  Writing own{.section = sections.size(), .block = blocks++, .subroutine = subroutine};
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
  write_task(task, priority, [&] { body({Reg{0}, type}); });
  return task;
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
