#include "fabric/build/program_numbers.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace weft::fabric {

std::vector<std::uint16_t> program_numbers(const Layout& layout) {
  std::map<std::string_view, std::vector<std::pair<const Program*, std::uint16_t>>> known;
  std::vector<std::uint16_t> numbers;
  numbers.reserve(layout.placements().size());
  std::uint16_t next = 0;
  for (const Layout::Placement& placement : layout.placements()) {
    const Program& p = *placement.program;
    auto& alike = known[p.name];  // who places PE by PE often places the same program
    const auto same =
        std::ranges::find_if(alike, [&](auto& one) { return one.first == &p || *one.first == p; });
    numbers.push_back(same != alike.end() ? same->second : alike.emplace_back(&p, next++).second);
  }
  return numbers;
}

}  // namespace weft::fabric
