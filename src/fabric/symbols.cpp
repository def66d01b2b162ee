#include "fabric/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/nearest.hpp"
#include "fabric/uncomputed.hpp"
#include "program/rectangles.hpp"
#include "weft/error.hpp"

namespace weft::fabric {
namespace {

constexpr std::uint32_t kNoProgram = ~0U;

[[noreturn]] void refuse(const std::string& what, const std::string& why,
                         const std::string& remedy) {
  throw Error(ErrorCategory::usage, what, why, remedy);
}

/// `known`: what the program has of the kind, by name.
template <class Known>
[[noreturn]] void refuse_unknown(const Program& program, const std::string& what, const char* kind,
                                 std::string_view wanted, const Known& known) {
  std::vector<std::string_view> names;
  names.reserve(known.size());
  for (const auto& [name, of_name] : known) names.push_back(name);
  const auto meant = base::nearest(wanted, names);
  refuse(what, fmt::format("its program {} has no such {}", program.name, kind),
         meant           ? fmt::format("the nearest is {}", *meant)
         : names.empty() ? fmt::format("it has no {} with a name", kind)
                         : fmt::format("it has {}", fmt::join(names, ", ")));
}

[[noreturn]] void refuse_unknown(const Program* program, const Rect& where,
                                 std::string_view symbol) {
  const std::string what = fmt::format("PE ({}, {}) has no {}", where.x, where.y, symbol);
  if (program == nullptr) refuse(what, "it has no program", "name PEs with programs");
  refuse_unknown(*program, what, "symbol", symbol, program->symbols);
}

[[noreturn]] void refuse_unknown_task(const Program* program, const Rect& where,
                                      const std::string& task) {
  const std::string what = fmt::format("PE ({}, {}) has no task {}", where.x, where.y, task);
  if (program == nullptr) refuse(what, "it has no program", "name PEs with programs");
  refuse_unknown(*program, what, "local task", task, program->task_names);
}

/// Of a program whose main task would lose what others keep in its registers.
void check_main(const Program& program, const Rect& where, int task) {
  if (task != 0 || program.notes.main_runs_once.empty()) return;
  refuse(fmt::format("PE ({}, {}) cannot run its main task again", where.x, where.y),
         fmt::format("in its program {}, {}", program.name, program.notes.main_runs_once),
         "declare what lasts before the first scope, or give the work that comes again a task");
}

}  // namespace

Symbols::Symbols(const Layout& layout)
    : width_(layout.width()),
      number_(static_cast<std::size_t>(layout.width()) * static_cast<std::size_t>(layout.height()),
              kNoProgram) {
  std::map<const Program*, std::uint32_t> known;
  for (const Layout::Placement& p : layout.placements()) {
    const auto [at, is_new] =
        known.emplace(p.program.get(), static_cast<std::uint32_t>(programs_.size()));
    if (is_new) programs_.push_back(p.program);
    note_roots_ |= !p.program->notes.roots.empty();
    for (int y = p.where.y; y < p.where.y + p.where.height; ++y)
      std::fill_n(number_.begin() + std::ptrdiff_t{y} * width_ + p.where.x, p.where.width,
                  at->second);
  }
}

const Program* Symbols::program_at(int x, int y) const {
  const std::uint32_t number =
      number_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
              static_cast<std::size_t>(x)];
  return number == kNoProgram ? nullptr : programs_[number].get();
}

std::vector<std::pair<Rect, const Program*>> Symbols::programs_of(const Rect& where) const {
  const auto program = [&](int x, int y) { return program_at(x, y); };
  return rectangles<const Program*>(where, program);
}

std::vector<std::pair<Rect, MemorySpan>> Symbols::find(const Rect& where,
                                                       std::string_view symbol) const {
  std::vector<std::pair<Rect, MemorySpan>> pieces;
  const std::string name(symbol);
  for (const auto& [part, with] : programs_of(where)) {
    if (with == nullptr || !with->symbols.contains(name)) refuse_unknown(with, part, symbol);
    const MemorySpan span = with->symbols.at(name);
    if (!pieces.empty()) {
      const auto& [first, known] = pieces.front();
      if (known.bytes != span.bytes || known.type != span.type)
        refuse(fmt::format("{} is not the same in all these PEs", symbol),
               fmt::format("it has {} bytes of {} at PE ({}, {}), and {} of {} at PE ({}, {})",
                           known.bytes, to_string(known.type), first.x, first.y, span.bytes,
                           to_string(span.type), part.x, part.y),
               "read and write these PEs apart");
      if (known.extents != span.extents) pieces.front().second.extents.clear();
    }
    pieces.emplace_back(part, span);
  }
  return pieces;
}

std::vector<std::pair<Rect, int>> Symbols::find_task(const Rect& where,
                                                     const std::string& task) const {
  std::vector<std::pair<Rect, int>> pieces;
  for (const auto& [part, program] : programs_of(where)) {
    if (program == nullptr || !program->task_names.contains(task))
      refuse_unknown_task(program, part, task);
    if (program->task_names.count(task) > 1)
      refuse(fmt::format("PE ({}, {}) has several tasks {}", part.x, part.y, task),
             fmt::format("its program {} gives the name more than once", program->name),
             "give each task a name of its own");
    pieces.emplace_back(part, program->task_names.find(task)->second);
    check_main(*program, part, pieces.back().second);
  }
  return pieces;
}

void Symbols::check_task(const Rect& where, Task task) const {
  if (task.kind != TaskKind::local || task.id >= kLocalTasks)
    refuse("only a local task is activated", "wavelets start the others", "name a local task");
  for (const auto& [part, program] : programs_of(where)) {
    if (program == nullptr || program->local_entry[task.id] == Program::kUnbound)
      refuse(fmt::format("PE ({}, {}) has no local task {}", part.x, part.y, task.id),
             program == nullptr ? "it has no program"
                                : fmt::format("its program {} binds none", program->name),
             "name PEs whose program has the task");
    check_main(*program, part, task.id);
  }
}

void Symbols::check_computed(const Rect& where, std::string_view symbol) const {
  std::call_once(asked_, [this] {
    for (const auto& program : programs_)
      uncomputed_.emplace(program.get(), uncomputed_symbols(*program));
  });
  for (const auto& [part, span] : find(where, symbol)) {
    const Program& program = *program_at(part.x, part.y);
    if (uncomputed_.at(&program).contains(std::string(symbol)))
      refuse(
          fmt::format("nobody has computed {}", symbol),
          fmt::format("program {} writes it by vector instructions, streams or what follows from "
                      "them, and the fabric was made without data",
                      program.name),
          "make the fabric with data");
  }
}

std::size_t elements_of(const MemorySpan& span, std::string_view symbol, ElementType type) {
  const auto size = static_cast<std::size_t>(element_bytes(type));
  if (span.type == type || (span.type == ElementType::unspecified && span.bytes % size == 0))
    return span.bytes / size;
  refuse(fmt::format("{} does not hold {}", symbol, to_string(type)),
         fmt::format("it holds {} bytes of {}", span.bytes, to_string(span.type)),
         "use the type that the program declares");
}

void check_count(const Rect& where, std::string_view symbol, std::size_t each, std::size_t count) {
  const std::size_t pes =
      static_cast<std::size_t>(where.width) * static_cast<std::size_t>(where.height);
  if (count != pes * each)
    refuse(fmt::format("{} values do not fill {}", count, symbol),
           fmt::format("it has {} elements in each of {} x {} PEs: {}", each, where.width,
                       where.height, pes * each),
           "give as many: PE by PE, row by row, the elements of each");
}

std::size_t words_of(const Rect& where, std::size_t bytes) {
  return static_cast<std::size_t>(where.width) * static_cast<std::size_t>(where.height) *
         ((bytes + 3) / 4);
}

}  // namespace weft::fabric
