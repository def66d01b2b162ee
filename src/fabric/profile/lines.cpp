#include "fabric/profile/lines.hpp"

namespace weft::fabric {

ProgramLines lines_of(const Program& program) {
  ProgramLines all{{program.name, {}}, {}};
  const ProgramNotes::Operation* before = nullptr;
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const auto* operation = program.notes.operation_at(static_cast<std::int64_t>(n));
    if (operation == nullptr || operation != before) {
      LineCounts line{.first = static_cast<std::int32_t>(n)};
      if (operation != nullptr) {
        line.what = operation->what;
        line.where = operation->where;
      }
      all.counts.lines.push_back(std::move(line));
    }
    before = operation;
    all.line_of.push_back(all.counts.lines.size() - 1);
  }
  return all;
}

}  // namespace weft::fabric
