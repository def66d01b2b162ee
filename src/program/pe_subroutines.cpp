#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "program/pe_impl.hpp"
#include "weft/pe_program.hpp"

/// Subroutines of a PeProgram. No task interrupts another, so those that do not wait return by one
/// register for each level of calls.
namespace weft::inline v0 {

PeSubroutine PeProgram::subroutine(const std::string& name, const std::function<void()>& body) {
  const auto number = static_cast<int>(impl_->subroutines.size());
  const Label entry = impl_->builder.label();
  impl_->subroutines.push_back({name, entry, impl_->sections.size()});
  const auto own = [&]() -> Subroutine& {
    return impl_->subroutines[static_cast<std::size_t>(number)];
  };
  const Item first{.kind = Item::Kind::subroutine, .label = entry, .wait = number};
  impl_->write_section(first, TaskPriority::low, number, [&] {
    body();
    impl_->check_waited_for(0);
    own().back = impl_->place_to_return(own());
    ret(own().back);
  });
  own().written = true;
  return {number, impl_->id};
}

Reg PeProgram::Impl::place_to_return(const Subroutine& subroutine) {
  if (subroutine.waits) return new_register(fmt::format("the return of {}", subroutine.name));
  const auto known = back_at_level.find(subroutine.level);
  if (known != back_at_level.end()) return known->second;
  const Reg back = new_register(fmt::format("returns of subroutines, level {}", subroutine.level));
  return back_at_level.emplace(subroutine.level, back).first->second;
}

void PeProgram::call(PeSubroutine called, CallLine) {
  if (called.number < 0 || called.program != impl_->id)
    impl_->refuse(
        called.number < 0 ? "a subroutine is called that is not written yet"
                          : "a subroutine of another program is called",
        "a subroutine calls those that are written before it in its program, and not itself",
        "write it before its calls, and use a loop instead of recursion");
  Subroutine& s = impl_->subroutines[static_cast<std::size_t>(called.number)];
  if (!s.written)
    impl_->refuse(fmt::format("the subroutine {} calls itself", s.name),
                  "its calls return by one register", "use a loop instead of recursion");
  if (s.waits) {
    if (s.caller && *s.caller != impl_->at.section)
      impl_->refuse(
          fmt::format("the subroutine {} waits, and two tasks or subroutines call it", s.name),
          "the second one could begin it while the first one waits in it",
          "write it once for each of them, or wait outside of it");
    s.caller = impl_->at.section;
    impl_->set_priority(s, impl_->priority[impl_->at.section]);
  }
  if (impl_->at.subroutine >= 0) {
    Subroutine& around = impl_->subroutines[static_cast<std::size_t>(impl_->at.subroutine)];
    around.level = std::max(around.level, s.level + 1);
  }
  call(s.back, s.entry);
  impl_->section().back().wait = called.number;
  impl_->put_label(impl_->builder.label());  // shared descriptors may have changed
  if (s.waits) impl_->note_wait();
}

void PeProgram::Impl::note_wait() {
  ++at.waits;
  if (at.subroutine >= 0) subroutines[static_cast<std::size_t>(at.subroutine)].waits = true;
}

void PeProgram::Impl::set_priority(Subroutine& called, TaskPriority of_task) {
  priority[called.section] = of_task;
  for (Subroutine& inner : subroutines)
    if (inner.caller == called.section) set_priority(inner, of_task);
}

}  // namespace weft::inline v0
