#include "cuda_on_host/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace weft::cuda_on_host {
namespace {

std::string text_of(Site site) {
  std::string_view file = site.file;
  file.remove_prefix(std::min(file.size(), file.rfind('/') + 1));
  return fmt::format("({}:{})", file, site.line);
}

}  // namespace

bool same(Site a, Site b) {
  return a.line == b.line && (a.file == b.file || std::string_view(a.file) == b.file);
}

bool same(const Meeting& a, const Meeting& b) {
  return a.lanes == b.lanes && a.folds == b.folds && same(a.site, b.site) &&
         std::string_view(a.operation) == b.operation;
}

std::string describe(State state, const Meeting& meeting) {
  switch (state) {
    case State::ready:
      return "running";
    case State::spins:
      return "spinning " + text_of(meeting.site);
    case State::left:
      return "left";
    case State::in_warp:
      return fmt::format("waiting in {} for lanes {:#010x} {}", meeting.operation, meeting.lanes,
                         text_of(meeting.site));
    default:
      return fmt::format("waiting at {} {}", meeting.operation, text_of(meeting.site));
  }
}

void Groups::add(unsigned index, const std::string& does) {
  auto group = std::ranges::find(groups_, does, &Group::does);
  if (group == groups_.end()) group = groups_.insert(groups_.end(), {does, {}});
  if (!group->ranges.empty() && group->ranges.back().last + 1 == index) {
    group->ranges.back().last = index;
  } else {
    group->ranges.push_back({index, index});
  }
}

std::string Groups::text() const {
  std::string text;
  for (const Group& group : groups_) {
    text += text.empty() ? "" : "; ";
    std::string_view separator = " ";
    text += member_;
    for (const Range& range : group.ranges) {
      text += fmt::format("{}{}", separator, range.first);
      if (range.last != range.first) text += fmt::format("-{}", range.last);
      separator = ", ";
    }
    text += ": " + group.does;
  }
  return text;
}

}  // namespace weft::cuda_on_host
