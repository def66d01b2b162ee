#include <fmt/format.h>

#include "differential/compare.hpp"

namespace weft::test {
namespace {

/// The first of some numbers by PE that differ, of a window of time or of the whole run.
template <class Numbers>
std::optional<Difference> compare_numbers(const Profile& p, const std::string& what,
                                          const Numbers& reference, const Numbers& emulator) {
  if (reference == emulator) return std::nullopt;
  if (reference.size() != emulator.size())
    return Difference{
        p.cycles, -1, -1, what, std::to_string(reference.size()), std::to_string(emulator.size())};
  std::size_t n = 0;
  while (reference[n] == emulator[n]) ++n;
  const std::size_t pes = p.totals.front().size(), pe = n % pes;
  const auto width = static_cast<std::size_t>(p.width);
  return Difference{
      p.cycles,
      static_cast<int>(pe % width),
      static_cast<int>(pe / width),
      n == pe && reference.size() == pes ? what : fmt::format("{} in window {}", what, n / pes),
      std::to_string(reference[n]),
      std::to_string(emulator[n])};
}

std::string text_of(const LineCounts& line) {
  return fmt::format("line {} '{}' {}: {} cycles, {} at PE ({}, {})", line.first, line.what,
                     line.where, line.cycles, line.most, line.x, line.y);
}

std::optional<Difference> compare_lines(const Profile& reference, const Profile& emulator) {
  for (std::size_t n = 0; n < reference.programs.size() && n < emulator.programs.size(); ++n) {
    const auto &ours = reference.programs[n].lines, &theirs = emulator.programs[n].lines;
    for (std::size_t k = 0; k < ours.size() && k < theirs.size(); ++k)
      if (ours[k] != theirs[k])
        return Difference{
            reference.cycles,  -1, -1, "a line of " + reference.programs[n].name, text_of(ours[k]),
            text_of(theirs[k])};
  }
  return std::nullopt;
}

std::optional<Difference> compare_code(const Profile& reference, const Profile& emulator) {
  for (std::size_t n = 0; n < reference.programs.size() && n < emulator.programs.size(); ++n) {
    const auto &ours = reference.programs[n].code, &theirs = emulator.programs[n].code;
    for (std::size_t k = 0; k < ours.size() && k < theirs.size(); ++k)
      if (ours[k] != theirs[k])
        return Difference{
            reference.cycles,
            -1,
            -1,
            fmt::format("cycles of instruction {} of {}", k, reference.programs[n].name),
            std::to_string(ours[k].cycles),
            std::to_string(theirs[k].cycles)};
  }
  return std::nullopt;
}

std::optional<Difference> compare_phases(const Profile& reference, const Profile& emulator) {
  for (std::size_t n = 0; n < reference.phases.size() && n < emulator.phases.size(); ++n) {
    const PhaseCounts &ours = reference.phases[n], &theirs = emulator.phases[n];
    const auto of = [&](std::string_view what) {
      return fmt::format("{} of phase {} '{}'", what, n, ours.name);
    };
    if (auto d = compare_numbers(reference, of("first"), ours.first, theirs.first)) return d;
    if (auto d = compare_numbers(reference, of("last"), ours.last, theirs.last)) return d;
    for (const CountInfo& info : count_infos()) {
      const auto count = static_cast<std::size_t>(info.count);
      if (auto d =
              compare_numbers(reference, of(info.name), ours.counts[count], theirs.counts[count]))
        return d;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Difference> compare_profiles(const Profile& reference, const Profile& emulator) {
  if (reference == emulator) return std::nullopt;
  for (const CountInfo& info : count_infos()) {
    const auto count = static_cast<std::size_t>(info.count);
    const std::string name(info.name);
    if (auto d = compare_numbers(reference, name, reference.totals[count], emulator.totals[count]))
      return d;
    if (auto d =
            compare_numbers(reference, name, reference.windowed[count], emulator.windowed[count]))
      return d;
  }
  for (std::size_t n = 0; n < reference.colors.size() && n < emulator.colors.size(); ++n) {
    const ColorCounts &ours = reference.colors[n], &theirs = emulator.colors[n];
    for (std::size_t port = 0; port < kPorts; ++port)
      if (auto d = compare_numbers(reference,
                                   fmt::format("wavelets of color {} by port {}", ours.color, port),
                                   ours.wavelets[port], theirs.wavelets[port]))
        return d;
    if (auto d = compare_numbers(reference, fmt::format("held of color {}", ours.color), ours.held,
                                 theirs.held))
      return d;
  }
  if (auto d = compare_lines(reference, emulator)) return d;
  if (auto d = compare_code(reference, emulator)) return d;
  if (auto d = compare_phases(reference, emulator)) return d;
  const auto shape = [](const Profile& p) {
    return fmt::format("{} x {}, {} cycles, {} windows of {}, {} colors, {} programs, {} phases",
                       p.width, p.height, p.cycles, p.windows, p.window_cycles, p.colors.size(),
                       p.programs.size(), p.phases.size());
  };
  return Difference{reference.cycles, -1, -1, "profile", shape(reference), shape(emulator)};
}

}  // namespace weft::test
