#include "fabric/stepper/strip_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace weft::fabric {
namespace {

/// f(part) for all that belongs to the strips.
template <class S, class F>
void for_strip_parts(S& s, engine::Rows rows, F f) {
  const auto at = [](auto& items, std::int32_t n) -> auto& {
    return items[static_cast<std::size_t>(n)];
  };
  for (std::int32_t strip = rows.first * s.strips; strip < rows.last * s.strips; ++strip) {
    if (!s.in_use(static_cast<std::size_t>(strip))) continue;
    f(at(s.strip, strip));
    f(at(s.core, strip));
    const bool has_fifos = at(s.strip, strip).programmed && at(s.core, strip).fifo >= 0;
    for (std::int32_t n = 0; has_fifos && n < kFifos; ++n)
      f(at(s.fifos, at(s.core, strip).fifo + n));
    for (const std::int32_t color : at(s.strip, strip).color_state) {
      if (color < 0) continue;
      f(at(s.colors, color));
      f(at(s.switches, color));
      if (const std::int32_t filter = at(s.colors, color).filter; filter >= 0) {
        f(at(s.filters, filter));
        f(at(s.tallies, filter));
      }
      for (const std::int32_t queue : at(s.colors, color).queue)
        if (queue >= 0) f(at(s.port_queues, queue));
    }
  }
}

// Numbers that tell where parts lie stay as they are.
template <class T>
void keep_places(const T&, T&) {}
void keep_places(const model::StripState& here, model::StripState& come) {
  std::ranges::copy(here.color_state, std::begin(come.color_state));
  come.way = {};
}
void keep_places(const model::CoreState& here, model::CoreState& come) { come.fifo = here.fifo; }
void keep_places(const model::ColorState& here, model::ColorState& come) {
  std::ranges::copy(here.queue, std::begin(come.queue));
  std::ranges::copy(here.beyond, std::begin(come.beyond));
  come.filter = here.filter;
}

}  // namespace

std::vector<std::byte> bytes_of_strips(const State& s, engine::Rows rows) {
  std::vector<std::byte> bytes;
  for_strip_parts(s, rows, [&](const auto& part) {
    const auto* const first = reinterpret_cast<const std::byte*>(&part);
    bytes.insert(bytes.end(), first, first + sizeof part);
  });
  return bytes;
}

void set_strips(State& s, engine::Rows rows, std::span<const std::byte> bytes) {
  for_strip_parts(s, rows, [&](auto& part) {
    auto come = part;
    std::memcpy(&come, bytes.data(), sizeof come);
    bytes = bytes.subspan(sizeof come);
    keep_places(part, come);
    part = come;
  });
}

}  // namespace weft::fabric
