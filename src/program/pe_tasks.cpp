#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

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
    if (operation.section_ != impl_->current || item.block != impl_->block)
      impl_->refuse(fmt::format("{} is waited for in another task, loop or condition than the one "
                                "that issues it",
                                mnemonic(item.instruction.op)),
                    "the two may not come equally often", "wait for it in the same one");
    may |= item.waits_before != impl_->waits;
  }
  return may;
}

// A wait has conditions: each operation has come to its end, and, if one of them may have done so
// before, the code has come to the wait. Task k begins when condition k + 1 and the task before it
// (condition 0) have come: one of them activates it, the other unblocks it. The code below is the
// last of these tasks.
void PeProgram::wait(const std::vector<PeOperation>& operations) {
  if (operations.empty()) return;
  using AtEnd = VectorOptions::AtEnd;
  const bool arrives = may_have_ended(operations);
  const int conditions = static_cast<int>(operations.size()) + (arrives ? 1 : 0);
  const int tasks = std::max(conditions - 1, 1);
  Wait wait{impl_->current, impl_->depth, impl_->waits,   impl_->waits,
            impl_->joins,   tasks,        conditions > 1, {}};
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
    impl_->sections[impl_->current].back().join = wait.join + tasks - 1;
  }
  impl_->give_ids(wait, fmt::format("a wait for {} operation{}", operations.size(),
                                    operations.size() == 1 ? "" : "s"));
  impl_->put({.kind = Item::Kind::wait, .wait = static_cast<int>(impl_->all_waits.size())});
  impl_->all_waits.push_back(std::move(wait));
  ++impl_->waits;
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
  return {TaskKind::local, static_cast<std::uint8_t>(number)};
}

void PeProgram::write_task(Task task, const std::function<void()>& body) {
  const std::size_t before = std::exchange(impl_->current, impl_->sections.size());
  const int depth = std::exchange(impl_->depth, 0);
  const int block = std::exchange(impl_->block, impl_->blocks++), waits = impl_->waits;
  impl_->sections.emplace_back();
  impl_->put({.kind = Item::Kind::task, .task = task});
  const int own = impl_->block;
  body();
  if (impl_->block != own) impl_->refuse_open_block();
  end();
  impl_->current = before;
  impl_->depth = depth;
  impl_->block = block;
  impl_->waits = waits;
}

Task PeProgram::task(const std::string& name, const std::function<void()>& body,
                     std::optional<int> id) {
  const Task task = new_local_task(name, id);
  impl_->task_names.emplace(name, task.id);
  write_task(task, body);
  return task;
}

Task PeProgram::on_data(Color color, ElementType type,
                        const std::function<void(PeScalar payload)>& body) {
  impl_->take_queue(color, true);
  const Task task{TaskKind::data, static_cast<std::uint8_t>(color.number)};
  write_task(task, [&] { body({Reg{0}, type}); });
  return task;
}

void PeProgram::start_unblocked(Color color) { impl_->builder.start_unblocked(color); }

Task PeProgram::on_control(int entry, const std::function<void(PeScalar payload)>& body) {
  if (entry < 0 || entry >= kControlTasks || entry == kNoEntry)
    impl_->refuse(fmt::format("control wavelets with entry {} start no task", entry),
                  fmt::format("entries go from 0 to {}, without {}", kControlTasks - 1, kNoEntry),
                  "choose one of these");
  const Task task{TaskKind::control, static_cast<std::uint8_t>(entry)};
  write_task(task, [&] { body({Reg{0}, ElementType::u32}); });
  return task;
}

}  // namespace weft::inline v0
