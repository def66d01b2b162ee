#include "program/wait_code.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft::inline v0 {
namespace {

Task local(int id) { return {TaskKind::local, static_cast<std::uint8_t>(id)}; }

/// Tasks that pass on from one to the next; the code of the last one follows.
void write_chain(ProgramBuilder& b, const std::vector<int>& ids, bool blocked,
                 TaskPriority priority) {
  for (std::size_t k = 0; k < ids.size(); ++k) {
    b.local_task(ids[k], priority);
    if (blocked) b.block(local(ids[k]));
    if (blocked) b.start_blocked(local(ids[k]));
    if (k + 1 == ids.size()) return;
    b.activate(local(ids[k + 1]));
    b.end();
  }
}

}  // namespace

WaitCode::WaitCode(const std::vector<Wait>& waits, WaitTasks tasks, Registers& registers)
    : waits_(waits), tasks_(std::move(tasks)) {
  std::vector<int> order(kRegisters);
  std::iota(order.rbegin(), order.rend(), 0);
  for (const SharedTasks& group : tasks_.groups) {
    if (place_.contains(group.section)) continue;
    const int number = registers.next(order, "waits that share tasks");
    place_[group.section] = Reg{static_cast<std::uint8_t>(number)};
  }
}

// A call notes where the code goes on; the last task of the chain returns there.
void WaitCode::write(ProgramBuilder& b, int number) {
  const Wait& wait = waits_[static_cast<std::size_t>(number)];
  if (tasks_.shared[static_cast<std::size_t>(number)]) {
    if (end_.index < 0) end_ = b.label();
    if (!wait.blocked) b.unblock(local(id(wait.join)));
    b.call(place_.at(wait.section), end_);
    return;
  }
  std::vector<int> ids;
  ids.reserve(static_cast<std::size_t>(wait.tasks));
  for (int k = 0; k < wait.tasks; ++k) ids.push_back(id(wait.join + k));
  b.end();
  write_chain(b, ids, wait.blocked, wait.priority);
}

void WaitCode::finish(ProgramBuilder& b) const {
  if (end_.index < 0) return;
  for (const SharedTasks& group : tasks_.groups) {
    const auto of_group = std::ranges::find(waits_, group.section, &Wait::section);
    write_chain(b, group.ids, true, of_group->priority);
    b.ret(place_.at(group.section));
  }
  b.place(end_);
  b.end();
}

}  // namespace weft::inline v0
