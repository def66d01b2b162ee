#include "fabric/roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "program/rectangles.hpp"
#include "program/traces.hpp"
#include "weft/error.hpp"

namespace weft::fabric {
namespace {

/// The notes of a PE.
struct Noted {
  int x, y;
  const ProgramNotes::RootedLines* lines;
  std::vector<std::uint32_t> words;

  std::uint32_t uses() const { return words[0]; }
  bool has(std::uint32_t use) const { return use <= uses() && use + kNotedRoots > uses(); }
  std::uint32_t note(std::uint32_t use) const { return words[1 + use % kNotedRoots]; }
  int root(std::uint32_t use) const { return noted_root(note(use)); }
  std::string text(std::uint32_t use) const {
    const std::uint32_t number = noted_use(note(use));
    return fmt::format("PE ({}, {}) names {} at {}", x, y, root(use),
                       number < lines->uses.size() ? lines->uses[number].text() : "a use");
  }
};

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
  throw Error(ErrorCategory::program, "a check of the program failed: " + what, why,
              "give all PEs of a line one root, counted from its first PE");
}

void check_line(const std::vector<Noted>& line) {
  const auto [x, y, lines, words] = line.front();
  const int length = lines->rows ? lines->where.width : lines->where.height;
  const std::uint32_t last = std::ranges::max(line, {}, &Noted::uses).uses();
  for (std::uint32_t use = last > kNotedRoots ? last - kNotedRoots + 1 : 1; use <= last; ++use) {
    const Noted* first = nullptr;
    for (const Noted& pe : line) {
      if (!pe.has(use)) continue;
      if (pe.root(use) < 0 || pe.root(use) >= length)
        refuse("the root is outside the line",
               fmt::format("{}, and the line has {} PEs", pe.text(use), length));
      if (first != nullptr && first->root(use) != pe.root(use))
        refuse("the PEs of a line name different roots",
               fmt::format("{}, and {}, in use {} of the pattern", first->text(use), pe.text(use),
                           use));
      if (first == nullptr) first = &pe;
    }
  }
}

}  // namespace

void check_roots(const Symbols& symbols, const Stepper& stepper, const Rect& where) {
  if (!symbols.note_roots()) return;
  std::map<std::tuple<int, int, int, int>, std::vector<Noted>> all;  // by color and line
  const auto program_at = [&](int x, int y) { return symbols.program_at(x, y); };
  for (const auto& [part, program] : rectangles<const Program*>(where, program_at)) {
    if (program == nullptr) continue;
    for (const ProgramNotes::RootedLines& lines : program->notes.roots) {
      constexpr std::size_t kEach = 1 + kNotedRoots;
      std::vector<std::uint32_t> words(kEach * static_cast<std::size_t>(part.width) *
                                       static_cast<std::size_t>(part.height));
      stepper.read(part, lines.address / 4, words);
      for (std::size_t at = 0; at < words.size(); at += kEach) {
        const auto pe = static_cast<int>(at / kEach);
        const auto note = std::span(words).subspan(at, kEach);
        const int x = part.x + pe % part.width, y = part.y + pe / part.width;
        all[{lines.color, lines.where.x, lines.where.y, lines.rows ? y : x}].push_back(
            {x, y, &lines, {note.begin(), note.end()}});
      }
    }
  }
  for (const auto& [where_it_is, line] : all) check_line(line);
}

}  // namespace weft::fabric
