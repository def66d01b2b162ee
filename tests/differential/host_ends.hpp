#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "differential/case.hpp"
#include "fabric/stepper/stepper.hpp"

/// The host's ends of a case's streams.
namespace weft::test {

/// f(end, number of the stream) for each PE of each.
template <class F>
void for_ends(const Case& c, F f) {
  for (std::size_t n = 0; n < c.host.size(); ++n) {
    const Layout::HostStream& s = c.host[n];
    for (int y = s.where.y; y < s.where.y + s.where.height; ++y)
      for (int x = s.where.x; x < s.where.x + s.where.width; ++x)
        f(fabric::HostEnd{x, y, s.edge, s.color, s.input}, n);
  }
}

/// f(end, words) for all that the host sends before a stop.
template <class F>
void for_sends(const Case& c, std::size_t stop, F f) {
  for (std::size_t k = 0; k < c.sends.size(); ++k)
    for_ends(c, [&](const fabric::HostEnd& end, std::size_t n) {
      if (c.sends[k].stop != stop || c.sends[k].stream != n) return;
      std::vector<std::uint32_t> words;
      for (int word = 0; word < c.sends[k].each; ++word)
        words.push_back(initial_word(c.memory_seed | 1U, end.x, end.y,
                                     1000 * (k + 1) + static_cast<std::size_t>(word)));
      f(end, words);
    });
}

/// The host sends something before this stop or a later one.
inline bool sends_from(const Case& c, std::size_t stop) {
  return std::ranges::any_of(c.sends,
                             [&](const HostSend& s) { return s.stop >= stop && s.each > 0; });
}

/// What the host of the specification holds there.
inline std::deque<std::uint32_t>& words_at(spec::Fabric& fabric, const fabric::HostEnd& end) {
  spec::HostLink& host = fabric.host(end.x, end.y, end.edge);
  return end.input ? host.input.at(end.color) : host.output.at(end.color).words;
}

/// They are the same.
std::optional<Difference> compare_words(const Case& c, spec::Fabric& reference, auto words_at_end) {
  std::optional<Difference> found;
  for_ends(c, [&](const fabric::HostEnd& end, std::size_t n) {
    const std::deque<std::uint32_t>& words = words_at(reference, end);
    const base::HostWords& other = words_at_end(end);
    if (found || std::ranges::equal(words, other.oldest(other.held()))) return;
    found = Difference{reference.cycle(),
                       end.x,
                       end.y,
                       "words of host stream " + c.host[n].name,
                       fmt::format("{}", fmt::join(words, ",")),
                       fmt::format("{}", fmt::join(other.oldest(other.held()), ","))};
  });
  return found;
}

}  // namespace weft::test
