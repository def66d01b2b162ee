#include "fabric/stepper/host_words.hpp"

#include <algorithm>
#include <iterator>

namespace weft::fabric {
namespace {

/// Those that have gone on are forgotten, now and then.
void forget(engine::HostWords& w) {
  if (w.first < w.words.size() / 2) return;
  w.words.erase(w.words.begin(), w.words.begin() + static_cast<std::ptrdiff_t>(w.first));
  w.first = 0;
}

}  // namespace

engine::HostWords& words_at(State& s, const HostEnd& end) {
  const auto row =
      static_cast<std::size_t>(s.address_of(end.x, end.y - (end.edge == Port::north ? 1 : 0) +
                                                       (end.edge == Port::south ? 1 : 0))
                                   .strip /
                               s.strips);
  const auto ports =
      std::span(s.host.port).subspan(s.host.first[row], s.host.first[row + 1] - s.host.first[row]);
  const auto port = std::ranges::find_if(ports, [&](const engine::HostPort& p) {
    return p.x == end.x && p.y == end.y && p.edge == end.edge;
  });
  auto& of = end.input ? port->input : port->output;
  return *std::ranges::find(of, end.color, &engine::HostWords::color);
}

void append(engine::HostWords& to, std::span<const std::uint32_t> words) {
  forget(to);
  to.words.insert(to.words.end(), words.begin(), words.end());
}

void take(engine::HostWords& from, std::span<std::uint32_t> words) {
  const auto first = from.words.begin() + static_cast<std::ptrdiff_t>(from.first);
  std::copy_n(first, words.size(), words.begin());
  from.first += words.size();
  forget(from);
}

}  // namespace weft::fabric
