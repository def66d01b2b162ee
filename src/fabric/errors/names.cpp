#include "fabric/errors/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "isa/info.hpp"

namespace weft::fabric {
namespace {

using Operation = ProgramNotes::Operation;

/// The instruction that the core executes, or waits for. It has issued a vector instruction before
/// its next one, and most of its time goes there.
std::int64_t instruction_of(const PeState& pe) {
  const std::int64_t last = std::int64_t{pe.pc} - 1;
  if (pe.waiting || last < 0) return last;
  const Op op = pe.program.code->instructions[static_cast<std::size_t>(last)].op;
  return isa::is_vector(isa::format_of(op)) ? last : last + 1;
}

}  // namespace

std::string wait_name(const PeState& pe, const DeadlockWait& wait, const Names& names) {
  using What = DeadlockWait::What;
  const Program* program = names.program(pe.x, pe.y);
  if (program == nullptr) return "";
  const ProgramNotes& notes = program->notes;
  const auto named = [](const Operation* o) { return o == nullptr ? std::string() : o->text(); };
  if (wait.what == What::core) return named(notes.operation_at(instruction_of(pe)));
  if (wait.what == What::task) {
    const auto at = notes.local_tasks.find(wait.number);
    return at == notes.local_tasks.end() ? "" : at->second;
  }
  const auto t = std::ranges::find(pe.microthreads, wait.number, &MicrothreadFacts::number);
  if (wait.what != What::microthread || t == pe.microthreads.end()) return "";
  return named(notes.operation_at(t->pc));
}

std::string busiest(std::span<const PeState> pes, const Names& names) {
  std::map<std::string, std::size_t> count;
  std::size_t busy = 0;
  for (const PeState& pe : pes) {
    const Program* program = names.program(pe.x, pe.y);
    if (program == nullptr || program->notes.operations.empty()) continue;
    std::set<const Operation*> at;
    if (pe.running && !pe.waiting) at.insert(program->notes.operation_at(instruction_of(pe)));
    for (const MicrothreadFacts& t : pe.microthreads) at.insert(program->notes.operation_at(t.pc));
    at.erase(nullptr);
    busy += at.empty() ? 0 : 1;
    for (const Operation* o : at) ++count[o->text()];
  }
  if (count.empty()) return "";
  const auto most = std::ranges::max_element(count, {}, [](const auto& c) { return c.second; });
  return fmt::format("{} of {} busy PEs {} at {}", most->second, busy,
                     most->second == 1 ? "is" : "are", most->first);
}

}  // namespace weft::fabric
