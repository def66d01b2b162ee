#include "weft/heat_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

constexpr std::string_view kBusiestLink = "busiest_link", kLinkUnit = "wavelets";

/// Of each PE the link with the most wavelets.
std::vector<std::uint64_t> busiest_links(const Profile& profile, std::optional<int> window) {
  std::vector<std::uint64_t> most = profile.links(Port::west, {}, window);
  for (const Port link : {Port::east, Port::south, Port::north})
    std::ranges::transform(most, profile.links(link, {}, window), most.begin(),
                           [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  return most;
}

struct Metric {
  std::string_view unit;
  std::vector<std::uint64_t> values;
};

Metric metric_of(const Profile& profile, const std::string& name, std::optional<int> window) {
  if (name == kBusiestLink) return {kLinkUnit, busiest_links(profile, window)};
  const auto infos = count_infos();
  const auto found = std::ranges::find(infos, name, &CountInfo::name);
  if (found != infos.end()) return {found->unit, profile.counts(found->count, window)};
  const auto known = heat_map_metrics();
  const auto meant = base::nearest(name, known);
  throw Error(ErrorCategory::usage, fmt::format("unknown metric '{}'", name),
              fmt::format("known: {}", fmt::join(known, ", ")),
              meant ? fmt::format("the nearest is {}", *meant) : "use one of these");
}

}  // namespace

std::vector<std::string_view> heat_map_metrics() {
  std::vector<std::string_view> names{kBusiestLink};
  for (const CountInfo& info : count_infos()) names.push_back(info.name);
  return names;
}

HeatMap heat_map(const Profile& profile, std::string metric, std::optional<int> window) {
  std::ranges::replace(metric, ' ', '_');
  Metric found = metric_of(profile, metric, window);
  std::string title = fmt::format("{} ({}), {} cycles", metric, found.unit, profile.cycles);
  if (window) {
    const std::uint64_t from = static_cast<std::uint64_t>(*window) * profile.window_cycles;
    title += fmt::format(", of which {} from {} on",
                         std::min(profile.window_cycles, profile.cycles - from), from);
  }
  return {std::move(title), static_cast<std::size_t>(profile.width),
          static_cast<std::size_t>(profile.height), std::move(found.values)};
}

std::vector<HeatMap> heat_maps(const Profile& profile, const std::string& metric) {
  std::vector<HeatMap> all;
  all.reserve(static_cast<std::size_t>(profile.windows));
  std::uint64_t most = 1;
  for (int window = 0; window < std::max(1, profile.windows); ++window) {
    all.push_back(heat_map(profile, metric, window));
    most = std::max(most, std::ranges::max(all.back().values));
  }
  for (HeatMap& each : all) each.scale = most;
  return all;
}

}  // namespace weft::inline v0
