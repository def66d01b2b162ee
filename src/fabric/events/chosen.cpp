#include "fabric/events/chosen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/nearest.hpp"
#include "weft/error.hpp"

namespace weft::fabric {
namespace {

constexpr std::uint32_t kAll = ~std::uint32_t{0};

bool has_color(EventKind kind) { return kind <= EventKind::switched; }

Rect pes_of(const EventChoice& choice, const Layout& layout) {
  const Rect all{0, 0, layout.width(), layout.height()};
  if (!choice.pes) return all;
  const Rect& r = *choice.pes;
  if (r.x >= 0 && r.y >= 0 && r.width >= 1 && r.height >= 1 && r.width <= all.width - r.x &&
      r.height <= all.height - r.y)
    return r;
  throw Error(ErrorCategory::usage,
              fmt::format("events of PEs outside the mesh: x {}, y {}, {} x {}", r.x, r.y, r.width,
                          r.height),
              fmt::format("the mesh has {} x {} PEs, from (0, 0) on", all.width, all.height),
              "name a rectangle of these: x, y, width, height");
}

/// The color of this number, or of this name.
int color_of(const std::string& word, const Layout& layout) {
  const ColorNames& names = layout.color_names();
  for (const auto& [color, name] : names)
    if (name == word) return color;
  int number = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc{} && end == word.data() + word.size() && number >= 0 && number < kColors)
    return number;
  std::vector<std::string_view> known;
  known.reserve(names.size());
  for (const auto& [color, name] : names) known.push_back(name);
  const auto meant = base::nearest(word, known);
  throw Error(ErrorCategory::usage, fmt::format("events of an unknown color: {}", word),
              fmt::format("{} of the layout's colors have names, and numbers go from 0 to {}",
                          names.size(), kColors - 1),
              meant ? fmt::format("did you mean {}?", *meant) : "name a color of the layout");
}

std::uint32_t colors_of(const EventChoice& choice, const Layout& layout) {
  if (choice.colors.empty()) return kAll;
  std::uint32_t colors = 0;
  for (const std::string& word : choice.colors) colors |= 1U << color_of(word, layout);
  return colors;
}

std::uint32_t kinds_of(const EventChoice& choice) {
  if (choice.kinds.empty()) return kAll;
  std::uint32_t kinds = 0;
  for (const EventKind kind : choice.kinds) kinds |= 1U << static_cast<unsigned>(kind);
  return kinds;
}

void check_cycles(const EventChoice& choice) {
  if (choice.from < choice.to) return;
  throw Error(ErrorCategory::usage,
              fmt::format("invalid cycles of events: from {} to {}", choice.from, choice.to),
              "the first cycle comes before the end, which is the cycle after the last one",
              "give the smaller number first");
}

}  // namespace

ChosenEvents::ChosenEvents(const std::vector<EventChoice>& choices, const Layout& layout) {
  choices_.reserve(choices.size());
  for (const EventChoice& each : choices) {
    check_cycles(each);
    choices_.push_back(
        {pes_of(each, layout), kinds_of(each), colors_of(each, layout), each.from, each.to});
  }
}

bool ChosenEvents::has(const Event& event) const {
  if (event.kind == kElementEvent) return false;
  return std::ranges::any_of(choices_, [&](const Choice& c) {
    const int x = event.x - c.pes.x, y = event.y - c.pes.y;
    return (c.kinds >> static_cast<unsigned>(event.kind) & 1U) != 0 && x >= 0 && x < c.pes.width &&
           y >= 0 && y < c.pes.height && event.cycle >= c.from && event.cycle < c.to &&
           (!has_color(event.kind) || (c.colors >> event.number & 1U) != 0);
  });
}

bool ChosenEvents::from_start() const {
  return std::ranges::all_of(choices_, [](const Choice& c) { return c.from == 0; });
}

}  // namespace weft::fabric
