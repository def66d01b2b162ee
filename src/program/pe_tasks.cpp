#include <fmt/format.h>

#include <algorithm>
#include <array>
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
  const bool arrives = may_have_ended(operations);
  const std::size_t conditions = operations.size() + (arrives ? 1 : 0);
  std::vector<Task> joins;
  for (std::size_t k = 0; k < std::max<std::size_t>(conditions - 1, 1); ++k)
    joins.push_back(new_local_task(fmt::format("a wait for {} operations", operations.size())));
  PeOperation(operations[0]).then_activate(joins[0]);
  for (std::size_t k = 1; k < operations.size(); ++k)
    PeOperation(operations[k]).then_unblock(joins[k - 1]);
  if (arrives) unblock(joins.back());
  for (std::size_t k = 0; k < joins.size(); ++k) {
    if (k > 0) activate(joins[k]);
    end();
    impl_->put({.kind = Item::Kind::task, .task = joins[k]});
    if (conditions == 1) continue;
    impl_->blocked.insert(joins[k].id);
    block(joins[k]);
  }
  ++impl_->waits;
}

Task PeProgram::new_local_task(const std::string& owner, std::optional<int> id) {
  if (id) impl_->local_tasks.claim(*id, owner);
  // 29 is for teardowns, so it is given by number only.
  constexpr std::array kOrder = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 30};
  const int number = id ? *id : impl_->local_tasks.next(kOrder, owner);
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
