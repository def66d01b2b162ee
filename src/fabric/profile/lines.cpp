#include "fabric/profile/lines.hpp"

#include <map>
#include <string>
#include <utility>

namespace weft::fabric {

ProgramLines lines_of(const Program& program) {
  ProgramLines all{{program.name, {}}, {}};
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const auto* operation = program.notes.operation_at(static_cast<std::int64_t>(n));
    LineCounts line{.first = static_cast<std::int32_t>(n)};
    if (operation != nullptr) {
      line.what = operation->what;
      line.where = operation->where;
    }
    std::size_t number = all.counts.lines.size();
    if (!program.notes.operations.empty())
      number = known.try_emplace({line.what, line.where}, number).first->second;
    if (number == all.counts.lines.size()) all.counts.lines.push_back(std::move(line));
    all.line_of.push_back(number);
  }
  return all;
}

}  // namespace weft::fabric
