#include "fabric/stepper/strip_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>

#include "base/pages.hpp"
#include "fabric/stepper/lane_rows.hpp"

namespace weft::fabric {
namespace {

using model::kLanes;
using model::kNever;

/// f(part) for a router's queue.
template <class S, class Queue, class F>
void for_queue_parts(S& s, Queue& queue, F f) {
  f(queue);
  if (queue.far == 0) return;
  auto& far = s.far_queues[queue.far - 1];
  f(far);
  const auto lanes = static_cast<std::size_t>(model::count(far.lanes));
  for (std::size_t n = 0; n < lanes * s.timing.far_depth(); ++n) f(s.far_wavelets[far.ring + n]);
}

/// f(part) for all that belongs to a strip in use, its StripState first.
template <class S, class F>
void for_strip_parts(S& s, std::size_t strip, F f) {
  const auto at = [](auto& items, std::int32_t n) -> auto& {
    return items[static_cast<std::size_t>(n)];
  };
  f(s.strip[strip]);
  f(s.core[strip]);
  const bool has_fifos = s.strip[strip].programmed && s.core[strip].fifo >= 0;
  for (std::int32_t n = 0; has_fifos && n < kFifos; ++n) f(at(s.fifos, s.core[strip].fifo + n));
  for (const std::int32_t color : s.strip[strip].color_state) {
    if (color < 0) continue;
    f(at(s.colors, color));
    f(at(s.switches, color));
    if (const std::int32_t filter = at(s.colors, color).filter; filter >= 0) {
      f(at(s.filters, filter));
      f(at(s.tallies, filter));
    }
    for (const std::int32_t queue : at(s.colors, color).queue)
      if (queue >= 0) for_queue_parts(s, at(s.port_queues, queue), f);
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

void keep_places(const model::PortQueue& here, model::PortQueue& come) { come.far = here.far; }
void keep_places(const model::FarQueue& here, model::FarQueue& come) { come.ring = here.ring; }

/// The first words of its PEs' memory, the lanes of each side by side.
std::span<std::uint32_t> words_of(const State& s, std::size_t strip, std::size_t words) {
  return {s.memory.data() + strip * s.memory_words * kLanes, words * kLanes};
}

}  // namespace

void add_strip(const State& s, std::size_t strip, base::Packer& pack) {
  const bool in_use = s.in_use(strip);
  pack(std::uint32_t{in_use});
  if (in_use) for_strip_parts(s, strip, [&](const auto& part) { pack(part); });
}

void set_strip(State& s, std::size_t strip, base::Unpacker& unpack) {
  if (unpack.next<std::uint32_t>() == 0) return;
  for_strip_parts(s, strip, [&](auto& part) {
    auto come = part;
    unpack(come);
    keep_places(part, come);
    part = come;
  });
}

std::size_t words_of_programs(const State& s) {
  std::uint32_t most = 0;
  for (const model::TaskTable& program : s.programs) most = std::max(most, program.memory_bytes);
  return (std::size_t{most} + 3) / 4;
}

void add_memory(const State& s, std::size_t strip, std::size_t count, base::Packer& pack) {
  if (s.strip[strip].programmed) add_rows(words_of(s, strip, count), pack);
}

void set_memory(const State& s, std::size_t strip, std::size_t count, base::Unpacker& unpack) {
  if (s.strip[strip].programmed) set_rows(words_of(s, strip, count), unpack);
}

void forget_memory(const State& s, std::size_t strip, std::size_t count) {
  if (!s.strip[strip].programmed) return;
  const std::span words = words_of(s, strip, count);
  base::forget(words.data(), words.size());
}

void leave_strip(State& s, std::size_t strip) {
  model::StripState& own = s.strip[strip];
  model::StripState left{};
  left.colors = own.colors;
  left.swaps = own.swaps;
  std::ranges::copy(own.color_state, std::begin(left.color_state));
  if (s.in_use(strip)) {
    s.core[strip] = {};
    s.core[strip].fifo = -1;
  }
  own = left;
  s.route_wake[strip] = s.deliver_wake[strip] = s.core_wake[strip] = kNever;
}

}  // namespace weft::fabric
