#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.hpp"
#include "weft/error.hpp"
#include "weft/event.hpp"

namespace weft::inline v0 {
namespace {

constexpr EventInfo kEventInfos[] = {
#define WEFT_EVENT(name, group, number, value, meaning) \
  {EventKind::name, #name, group, number, value, meaning},
#include "weft/events.def"
#undef WEFT_EVENT
};

}  // namespace

std::span<const EventInfo> event_infos() noexcept { return kEventInfos; }

std::vector<EventKind> event_kinds(std::string_view word) {
  std::vector<EventKind> kinds;
  std::vector<std::string_view> words;
  const auto add = [&](std::string_view name) {
    if (std::ranges::find(words, name) == words.end()) words.push_back(name);
  };
  for (const EventInfo& info : kEventInfos) {
    if (info.name == word || info.group == word) kinds.push_back(info.kind);
    add(info.group);
  }
  if (!kinds.empty()) return kinds;
  for (const EventInfo& info : kEventInfos) add(info.name);
  const auto meant = base::nearest(word, words);
  throw Error(ErrorCategory::usage, fmt::format("unknown kind of event: {}", word),
              fmt::format("kinds are {}", fmt::join(words, ", ")),
              meant ? fmt::format("did you mean {}?", *meant) : "name one of these");
}

}  // namespace weft::inline v0
