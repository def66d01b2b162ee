#include "fabric/errors/deadlock/circular_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "fabric/errors/deadlock/text.hpp"

namespace weft::fabric {
namespace {

using What = DeadlockWait::What;

constexpr std::size_t kNamedWaits = 6;  // waits in a sentence

/// A PE that waits for another one.
struct Leg {
  DeadlockPlace who, whom;
  const char* what_for;
  int color;
};

bool acts(const DeadlockWait& wait) {
  return wait.what == What::core || wait.what == What::microthread || wait.what == What::task;
}

DeadlockPlace place(const DeadlockWait& wait) { return {wait.x, wait.y}; }

/// The circle as waits of PEs; empty: it is no such circle.
std::vector<Leg> legs_of(const std::vector<DeadlockWait>& circle) {
  std::vector<Leg> legs;
  const std::size_t size = circle.size();
  for (std::size_t n = 0; n < size; ++n) {
    if (!acts(circle[n])) continue;
    std::size_t next = n + 1;
    while (!acts(circle[next % size])) ++next;
    const DeadlockWait& whom = circle[next % size];
    const DeadlockWait& last = circle[(next - 1) % size];  // in the hands of `whom`
    if (next == n + 1 && place(whom) == place(circle[n])) continue;
    const int lacks = circle[n].what == What::microthread ? circle[n].color : -1;
    if (next == n + 1 || (last.what == What::input_queue && lacks >= 0 && last.color != lacks))
      legs.push_back({place(circle[n]), place(whom), "send", lacks});
    else
      legs.push_back({place(circle[n]), place(whom),
                      last.what == What::input_queue ? "receive" : "let go on", last.color});
  }
  const auto earlier = [](const Leg& a, const Leg& b) {
    return std::tuple(a.who.y, a.who.x) < std::tuple(b.who.y, b.who.x);
  };
  std::ranges::rotate(legs, std::ranges::min_element(legs, earlier));
  const auto unclear = [](const Leg& leg) { return leg.color < 0; };
  return std::ranges::any_of(legs, unclear) ? std::vector<Leg>{} : legs;
}

std::string chain(const std::vector<DeadlockWait>& circle, const ColorNames& names) {
  std::string words = text(circle[0], names) + " waits for " + text(circle[1], names);
  for (std::size_t n = 2; n < circle.size() && n < kNamedWaits; ++n)
    words += ", that for " + text(circle[n], names);
  if (circle.size() > kNamedWaits)
    words += fmt::format(", and so on over {} more", circle.size() - kNamedWaits);
  return words + ", and that for the first";
}

}  // namespace

std::string circular_text(const DeadlockCause& cause) {
  std::size_t size = 1;
  while (cause.stuck[size - 1].waits_for != 0) ++size;
  const std::vector<DeadlockWait> circle(cause.stuck.begin(),
                                         cause.stuck.begin() + static_cast<std::ptrdiff_t>(size));
  const std::vector<Leg> legs = legs_of(circle);
  if (legs.empty()) return chain(circle, cause.color_names);
  std::string words;
  for (std::size_t n = 0; n < legs.size() && n < kNamedWaits; ++n) {
    const Leg& leg = legs[n];
    const std::string whom = leg.who == leg.whom ? "itself" : text(leg.whom);
    words += fmt::format("{}{} {}{} to {} {}", n == 0 ? "" : ", ", text(leg.who),
                         n == 0 ? "waits for " : "for ", whom, leg.what_for,
                         color_text(leg.color, cause.color_names));
  }
  if (legs.size() > kNamedWaits)
    words += fmt::format(", and so on over {} more", legs.size() - kNamedWaits);
  return words;
}

}  // namespace weft::fabric
