#include "fabric/stepper/spec_profile.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "fabric/profile/lines.hpp"

namespace weft::fabric {
namespace {

/// f(PE, its place among all).
template <class F>
void for_pes(const spec::Fabric& fabric, F f) {
  std::size_t place = 0;
  for (int y = 0; y < fabric.height(); ++y)
    for (int x = 0; x < fabric.width(); ++x) f(fabric.pe(x, y), place++);
}

std::vector<ColorCounts> colors_of(const spec::Fabric& fabric) {
  std::vector<ColorCounts> colors;
  for (std::size_t color = 0; color < kColors; ++color) {
    bool routed = false;
    ColorCounts counts{.color = static_cast<int>(color)};
    for_pes(fabric, [&](const spec::Pe& pe, std::size_t place) {
      const spec::PeCounts& from = fabric.counts->pe[place];
      routed |= pe.router.channel[color].has_value();
      for (std::size_t port = 0; port < kPorts; ++port)
        counts.wavelets[port].push_back(from.wavelets[color][port]);
      counts.held.push_back(from.held[color]);
    });
    if (routed) colors.push_back(std::move(counts));
  }
  return colors;
}

/// Programs in the order of their numbers.
std::vector<ProgramCounts> programs_of(const spec::Fabric& fabric) {
  std::map<std::uint32_t, ProgramCounts> programs;  // by their first instruction
  for_pes(fabric, [&](const spec::Pe& pe, std::size_t place) {
    if (pe.core.program == nullptr) return;
    const auto [known, is_new] = programs.try_emplace(pe.core.first_instruction);
    if (is_new) known->second = lines_of(*pe.core.program).counts;
    add_cycles(known->second, fabric.counts->pe[place].cycles, pe.core.x, pe.core.y);
  });
  std::vector<ProgramCounts> counts;
  counts.reserve(programs.size());
  for (auto& [first, program] : programs) counts.push_back(std::move(program));
  return counts;
}

}  // namespace

Profile profile_of(const spec::Fabric& fabric) {
  const spec::Counts& from = *fabric.counts;
  Profile profile{.width = fabric.width(), .height = fabric.height(), .cycles = fabric.cycle()};
  for (std::size_t count = 0; count < kCounts; ++count)
    for (const spec::PeCounts& pe : from.pe) profile.totals[count].push_back(pe.of[count]);
  if (from.windows > 0) {
    profile.window_cycles = from.window_cycles;
    profile.windows =
        static_cast<int>((profile.cycles + from.window_cycles - 1) / from.window_cycles);
    const std::size_t used = static_cast<std::size_t>(profile.windows) * from.pe.size();
    for (std::size_t count = 0; count < kCounts; ++count)
      if (const auto& all = from.windowed[count]; !all.empty())
        profile.windowed[count].append(std::span(all).first(used));
  }
  profile.colors = colors_of(fabric);
  profile.programs = programs_of(fabric);
  profile.phases = from.phases;
  return profile;
}

}  // namespace weft::fabric
