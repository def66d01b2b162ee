#include "page/facts.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace weft::page {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostLinks = 60;  ///< of the list of the fullest

std::uint64_t sum_of(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

Json counts_of(const Profile& p, const AllWindowFacts& in_windows) {
  Json all = Json::array();
  for (const CountInfo& info : count_infos()) {
    const std::vector<std::uint64_t> totals = p.counts(info.count);
    Json count = {{"name", info.name},
                  {"unit", info.unit},
                  {"meaning", info.meaning},
                  {"sum", sum_of(totals)},
                  {"most", std::ranges::max(totals)}};
    if (const auto& facts = in_windows[static_cast<std::size_t>(info.count)]) {
      count["series"] = facts->sums;
      count["peak"] = facts->peak;
      count["full"] = facts->full;
    }
    all.push_back(std::move(count));
  }
  return all;
}

Json colors_of(const Profile& p) {
  Json all = Json::array();
  for (const ColorCounts& color : p.colors) {
    Json wavelets = Json::array();
    for (const auto& port : color.wavelets) wavelets.push_back(sum_of(port));
    all.push_back({{"color", color.color},
                   {"name", color.name},
                   {"wavelets", std::move(wavelets)},
                   {"held", sum_of(color.held)},
                   {"routes", route_facts(color)}});
  }
  return all;
}

struct Link {
  std::uint64_t wavelets;
  std::size_t pe, port;
};

/// The color that most wavelets of a link had.
int color_of(const Profile& p, const Link& link) {
  const auto wavelets = [&](const ColorCounts& color) {
    return color.wavelets[link.port][link.pe];
  };
  const auto most = std::ranges::max_element(p.colors, {}, wavelets);
  return most == p.colors.end() ? -1 : most->color;
}

Json links_of(const Profile& p) {
  const std::size_t pes = p.totals.front().size(), width = static_cast<std::size_t>(p.width);
  std::vector<Link> links;
  links.reserve(pes * kLinks);
  for (std::size_t port = 0; port < kLinks; ++port) {
    const std::vector<std::uint64_t> wavelets = p.links(static_cast<Port>(port));
    for (std::size_t pe = 0; pe < pes; ++pe)
      if (wavelets[pe] > 0) links.push_back({wavelets[pe], pe, port});
  }
  const auto fuller = [](const Link& a, const Link& b) {
    return std::tie(b.wavelets, a.pe, a.port) < std::tie(a.wavelets, b.pe, b.port);
  };
  const auto shown = static_cast<std::ptrdiff_t>(std::min(links.size(), kMostLinks));
  std::partial_sort(links.begin(), links.begin() + shown, links.end(), fuller);
  links.resize(static_cast<std::size_t>(shown));
  Json all = Json::array();
  for (const Link& link : links)
    all.push_back({{"x", link.pe % width},
                   {"y", link.pe / width},
                   {"to", link.port},
                   {"wavelets", link.wavelets},
                   {"color", color_of(p, link)}});
  return all;
}

}  // namespace

Json facts_of(const Profile& p, const std::string& name, Windows windows,
              const AllWindowFacts& in_windows) {
  Json facts = {{"name", name},
                {"machine", p.machine.name},
                {"width", p.width},
                {"height", p.height},
                {"cycles", p.cycles},
                {"windows", windows.of(p)},
                {"window_cycles", windows.cycles(p)},
                {"counts", counts_of(p, in_windows)},
                {"colors", colors_of(p)},
                {"programs", program_facts(p)},
                {"phases", phase_facts(p)},
                {"links", links_of(p)}};
  add_explanation(facts, p);
  if (p.stuck) facts["stuck"] = stuck_facts(*p.stuck);
  return facts;
}

}  // namespace weft::page
