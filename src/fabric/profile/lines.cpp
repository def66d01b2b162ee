#include "fabric/profile/lines.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fabric/build/program_numbers.hpp"

namespace weft::fabric {

ProgramLines lines_of(const Program& program) {
  ProgramLines all{{.name = program.name}, {}};
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  all.counts.code.reserve(program.code.size());
  all.line_of.reserve(program.code.size());
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
    all.counts.code.push_back({.line = static_cast<std::int32_t>(number)});
    all.line_of.push_back(number);
  }
  return all;
}

std::vector<ProgramCounts> lines_of_programs(const Layout& layout, std::size_t programs) {
  std::vector<ProgramCounts> all(programs);
  const std::vector<std::uint16_t> numbers = program_numbers(layout);
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    ProgramCounts& program = all[numbers[n]];
    if (program.code.empty()) program = lines_of(*layout.placements()[n].program).counts;
  }
  return all;
}

void add_cycles(ProgramCounts& program, std::span<const std::uint64_t> cycles, int x, int y) {
  std::vector<std::uint64_t> by_line(program.lines.size());
  for (std::size_t n = 0; n < cycles.size(); ++n) {
    CodeCounts& instruction = program.code[n];
    instruction.cycles += cycles[n];
    by_line[static_cast<std::size_t>(instruction.line)] += cycles[n];
  }
  for (std::size_t n = 0; n < by_line.size(); ++n) {
    LineCounts& line = program.lines[n];
    line.cycles += by_line[n];
    if (by_line[n] <= line.most) continue;
    line.most = by_line[n];
    line.x = x;
    line.y = y;
  }
}

}  // namespace weft::fabric
