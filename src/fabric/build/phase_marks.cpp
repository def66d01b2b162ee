#include "fabric/build/phase_marks.hpp"

#include <algorithm>
#include <cstddef>

#include "model/state/count_rows.hpp"
#include "weft/program.hpp"

namespace weft::fabric {

bool has_phases(const Layout& layout) {
  return std::ranges::any_of(layout.placements(), [](const auto& placement) {
    return !placement.program->notes.phase_names.empty();
  });
}

void append_marks(const Program& program, std::vector<std::string>& names,
                  std::vector<std::uint32_t>& marks) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(program.notes.phase_names.size());
  for (const std::string& name : program.notes.phase_names) {
    const auto known = std::ranges::find(names, name);
    numbers.push_back(static_cast<std::uint32_t>(known - names.begin()) + 1);
    if (known == names.end()) names.push_back(name);
  }
  marks.reserve(marks.size() + program.code.size());
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const int mark = program.notes.phase_at(static_cast<std::int64_t>(n));
    marks.push_back(mark >= 0 ? numbers[static_cast<std::size_t>(mark)]
                    : mark == ProgramNotes::PhaseMark::kShared ? model::kSharedPhase
                                                               : 0);
  }
}

}  // namespace weft::fabric
