#include "fabric/profile/description.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "fabric/profile/phases.hpp"
#include "program/disassembler.hpp"

namespace weft::fabric {
namespace {

/// f(number of a PE) for a rectangle of a mesh.
template <class F>
void for_pes(const Rect& where, int width, F f) {
  for (int y = where.y; y < where.y + where.height; ++y)
    for (int x = where.x; x < where.x + where.width; ++x)
      f(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
        static_cast<std::size_t>(x));
}

std::int32_t number_of(const RouteKind& kind, std::vector<RouteKind>& kinds) {
  const auto known = std::ranges::find(kinds, kind);
  const auto number = static_cast<std::int32_t>(known - kinds.begin());
  if (known == kinds.end()) kinds.push_back(kind);
  return number;
}

std::vector<ProgramTask> tasks_of(const Program& program) {
  std::vector<ProgramTask> tasks;
  const auto add = [&](TaskKind kind, std::span<const std::int32_t> entries,
                       const std::map<int, std::string>& names) {
    for (std::size_t n = 0; n < entries.size(); ++n) {
      if (entries[n] == Program::kUnbound) continue;
      const auto name = names.find(static_cast<int>(n));
      tasks.push_back(
          {kind, static_cast<int>(n), name == names.end() ? "" : name->second, entries[n]});
    }
  };
  add(TaskKind::data, program.data_entry, {});
  add(TaskKind::local, program.local_entry, program.notes.local_tasks);
  add(TaskKind::control, program.control_entry, {});
  return tasks;
}

/// The number in `phases` of each of the program's.
std::vector<std::int32_t> phases_of(const Program& program,
                                    const std::vector<PhaseCounts>& phases) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(program.notes.phase_names.size());
  for (const std::string& name : program.notes.phase_names) {
    const auto at = std::ranges::find(phases, name, &PhaseCounts::name);
    numbers.push_back(static_cast<std::int32_t>(at - phases.begin()));
  }
  return numbers;
}

/// Where the engine has counted by line alone: those of lines of one instruction.
void fill_cycles(ProgramCounts& program) {
  if (program.lines.size() != program.code.size()) return;
  for (CodeCounts& code : program.code)
    code.cycles = program.lines[static_cast<std::size_t>(code.line)].cycles;
}

void describe(const Program& program, const std::map<int, std::string>& colors,
              const std::vector<PhaseCounts>& phases, ProgramCounts& to) {
  const std::vector<std::int32_t> numbers = phases_of(program, phases);
  for (std::size_t n = 0; n < to.code.size(); ++n) {
    to.code[n].text = instruction_text(program.code[n], colors);
    const int phase = program.notes.phase_at(static_cast<std::int64_t>(n));
    to.code[n].phase = phase < 0 ? phase : numbers[static_cast<std::size_t>(phase)];
  }
  fill_cycles(to);
  to.tasks = tasks_of(program);
  to.arrays = program.symbols;
}

}  // namespace

Description::Description(const Layout& layout, const Machine& machine)
    : machine_(machine),
      pes_(static_cast<std::size_t>(layout.width()) * static_cast<std::size_t>(layout.height())),
      color_names_(layout.color_names()),
      program_of_(pes_, -1),
      routes_(kColors) {
  note_programs(layout);
  note_routes(layout);
}

void Description::note_programs(const Layout& layout) {
  std::map<const Program*, std::int32_t> known;
  for (const Layout::Placement& p : layout.placements()) {
    const auto [at, is_new] = known.try_emplace(p.program.get());
    if (is_new) {
      const auto equal = std::ranges::find_if(
          programs_, [&](const auto& program) { return *program == *p.program; });
      at->second = static_cast<std::int32_t>(equal - programs_.begin());
      if (equal == programs_.end()) programs_.push_back(p.program);
    }
    for_pes(p.where, layout.width(), [&](std::size_t pe) { program_of_[pe] = at->second; });
  }
}

void Description::note_routes(const Layout& layout) {
  std::map<int, std::vector<bool>> filtered;  // by color and PE
  for (const Layout::Filtering& f : layout.filterings()) {
    std::vector<bool>& of_color = filtered[f.color];
    of_color.resize(pes_);
    for_pes(f.where, layout.width(), [&](std::size_t pe) { of_color[pe] = true; });
  }
  for (const Layout::Routing& r : layout.routings()) {
    ColorRoutes& routes = routes_[static_cast<std::size_t>(r.color)];
    routes.of.resize(pes_, -1);
    const auto filters = filtered.find(r.color);
    for_pes(r.where, layout.width(), [&](std::size_t pe) {
      const bool has_filter = filters != filtered.end() && filters->second[pe];
      routes.of[pe] = number_of({r.route, has_filter}, routes.kinds);
    });
  }
}

void Description::add_to(Profile& profile) const {
  profile.machine = machine_;
  order_phases(profile.phases);
  for (ColorCounts& color : profile.colors) {
    const auto number = static_cast<std::size_t>(color.color);
    if (const auto name = color_names_.find(color.color); name != color_names_.end())
      color.name = name->second;
    color.routes = routes_[number].kinds;
    color.route_of = routes_[number].of;
  }
  profile.program_of = program_of_;
  for (std::size_t n = 0; n < programs_.size() && n < profile.programs.size(); ++n)
    describe(*programs_[n], color_names_, profile.phases, profile.programs[n]);
}

}  // namespace weft::fabric
