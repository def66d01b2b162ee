#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/info.hpp"
#include "isa/operations.hpp"
#include "program/pe_impl.hpp"
#include "weft/pe_program.hpp"

/// The ends of operations: whom they tell, and the steps that follow.
namespace weft::inline v0 {
namespace {

bool is_stream(const DescriptorValue& value) {
  return value.kind == DescriptorValue::Kind::input || value.kind == DescriptorValue::Kind::output;
}

/// The end of a task that tells nobody so far.
bool is_open_end(const Item& item) { return item.instruction.op == Op::end; }

}  // namespace

Item& PeProgram::Impl::end_of(std::size_t section, std::size_t index) {
  Item& item = sections[section][index];
  if (item.chain < 0) return item;
  const Chain& chain = chains[static_cast<std::size_t>(item.chain)];
  return sections[chain.section][chain.last];
}

bool PeProgram::Impl::is_waited_for(const StartedUse& use) {
  return end_of(use.section, use.item).join >= 0;
}

void PeProgram::Impl::check_waited_for(std::size_t first) {
  for (const auto& [shared, use] : started)
    if (use.section == at.section && use.item >= first && !is_waited_for(use))
      refuse(fmt::format("{}: another one may be under way", use.pattern),
             "the code that starts it comes again, and does not wait for it",
             "wait for it where it is started");
}

PeOperation& PeOperation::set(VectorOptions::AtEnd at_end, Task task) {
  using AtEnd = VectorOptions::AtEnd;
  auto& impl = *program_->impl_;
  Item& item = impl.end_of(section_, index_);
  const auto is_asynchronous = [&](int value) {
    return value >= 0 && is_stream(impl.by_number[static_cast<std::size_t>(value)]);
  };
  const bool of_task = std::ranges::none_of(item.value, [](int value) { return value >= 0; });
  if (!of_task && std::ranges::none_of(item.value, is_asynchronous))
    impl.refuse(
        fmt::format("{} over memory is not asynchronous", isa::method_name(item.instruction.op)),
        "it is done when it is issued", "do not wait for it");
  VectorOptions options = VectorOptions::unpack(item.instruction.imm);
  const bool acts = of_task ? !is_open_end(item) : options.at_end != AtEnd::nothing;
  if (acts && at_end != AtEnd::nothing)
    impl.refuse(fmt::format("{} has two actions at its end",
                            of_task ? text() : isa::method_name(item.instruction.op)),
                "an operation activates or unblocks one task",
                "wait for it once, or activate the other task in the first one");
  if (of_task) {
    if (at_end != AtEnd::nothing)
      item.instruction = {.op = at_end == AtEnd::activate ? Op::activate : Op::unblock,
                          .a = static_cast<std::uint8_t>(task.kind),
                          .b = task.id};
    return *this;
  }
  options.async = true;
  if (at_end != AtEnd::nothing) {
    options.at_end = at_end;
    options.task_kind = task.kind;
    options.task_id = task.id;
  }
  item.instruction.imm = options.pack();
  return *this;
}

std::string PeOperation::text() const {
  const auto& impl = *program_->impl_;
  const int note = impl.sections[section_][index_].note;
  return impl.notes.operations[static_cast<std::size_t>(note)].text();
}

PeOperation& PeOperation::async() { return set(VectorOptions::AtEnd::nothing, {}); }
PeOperation& PeOperation::then_activate(Task task) {
  return set(VectorOptions::AtEnd::activate, task);
}
PeOperation& PeOperation::then_unblock(Task task) {
  return set(VectorOptions::AtEnd::unblock, task);
}

void PeProgramAccess::chain(Impl& impl, PeOperation first, Chain last) {
  impl.sections[first.section_][first.index_].chain = static_cast<int>(impl.chains.size());
  impl.chains.push_back(std::move(last));
}

void PeProgramAccess::follow(PeProgram& p, PeOperation first, const std::string& name,
                             const std::function<PeOperation()>& body) {
  Impl& impl = *p.impl_;
  const Task steps = p.declare_task(name);
  first.then_activate(steps);
  std::optional<PeOperation> last;
  p.task(steps, [&] { last = body().async(); });
  chain(impl, first, {last->section_, last->index_});
}

void PeProgramAccess::follow(PeProgram& p, PeOperation first, Task task,
                             std::vector<PeVector> holds, const std::function<void()>& body) {
  Impl& impl = *p.impl_;
  std::optional<PeOperation> last;
  p.task(task, [&] {
    body();
    p.end();  // a wait makes it tell of this
    last = last_item(p);
  });
  chain(impl, first, {last->section_, last->index_, std::move(holds)});
}

}  // namespace weft::inline v0
