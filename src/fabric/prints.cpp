#include "fabric/prints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/grouped.hpp"
#include "program/number_text.hpp"
#include "program/rectangles.hpp"
#include "program/traces.hpp"

namespace weft::fabric {
namespace {

/// The print with this number, or none, from the words of an entry.
std::optional<Printed> printed_in(const ProgramNotes& notes, std::span<const std::uint32_t> words,
                                  int x, int y, std::uint64_t now) {
  const std::uint32_t number = words[2];
  if (number == 0 || number > notes.prints.size()) return {};
  const ProgramNotes::Print& print = notes.prints[number - 1];
  std::uint64_t cycle = words[0] | std::uint64_t{words[1]} << 32U;
  // The upper bits were read after the lower ones, which may have begun anew.
  if (cycle >= now) cycle -= std::uint64_t{1} << 32U;
  NumberText value = number_text(words[3], print.type);
  return Printed{cycle, x, y, print.name, value.number, std::move(value.text)};
}

}  // namespace

std::vector<Printed> prints(const Symbols& symbols, const Stepper& stepper, const Rect& where,
                            bool data) {
  std::vector<Printed> all;
  const std::uint64_t now = stepper.history().cycle;
  const auto program_at = [&](int x, int y) { return symbols.program_at(x, y); };
  for (const auto& [part, program] : rectangles<const Program*>(where, program_at)) {
    if (program == nullptr || program->notes.prints.empty()) continue;
    if (!data && stepper.history().begun) symbols.check_computed(part, kPrintedSymbol);
    const MemorySpan& span = program->symbols.at(kPrintedSymbol);
    const std::size_t each = span.bytes / 4;
    std::vector<std::uint32_t> words(each * static_cast<std::size_t>(part.width) *
                                     static_cast<std::size_t>(part.height));
    stepper.read(part, span.address / 4, words);
    for (std::size_t at = 0; at < words.size(); at += kPrintedWords) {
      const auto pe = static_cast<int>(at / each);
      if (auto print = printed_in(program->notes, std::span(words).subspan(at, kPrintedWords),
                                  part.x + pe % part.width, part.y + pe / part.width, now))
        all.push_back(*std::move(print));
    }
  }
  std::ranges::stable_sort(all, {}, [](const Printed& p) { return std::tuple(p.cycle, p.y, p.x); });
  return all;
}

std::string printed_text(const std::vector<Printed>& values) {
  std::string text;
  for (const Printed& p : values)
    text += fmt::format("cycle {} PE ({}, {}): {} = {}\n", base::grouped(p.cycle), p.x, p.y, p.name,
                        p.text);
  return text;
}

}  // namespace weft::fabric
