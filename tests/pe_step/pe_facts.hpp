#pragma once

#include "fabric/stepper/pe_state.hpp"
#include "pe/filters.hpp"
#include "pe/ramp.hpp"

/// The state of src/pe as PeState, to be compared.
namespace weft::test {

inline Filter settings_of(const pe::Filter& f) {
  const auto set = [&f](auto settings) {
    settings.counter = pe::counter_of(f);
    settings.limit1 = f.limit1;
    settings.max_counter = f.max_counter;
    settings.count_data = f.count_data;
    settings.count_control = f.count_control;
    return settings;
  };
  if (f.kind == pe::Filter::Kind::range)
    return RangeFilter{static_cast<std::uint16_t>(f.limit1),
                       static_cast<std::uint16_t>(f.max_counter)};
  if (f.kind == pe::Filter::Kind::sparse) {
    SparseCounterFilter sparse = set(SparseCounterFilter{});
    if (f.has_limit2) sparse.limit2 = f.limit2;
    return sparse;
  }
  CounterFilter counter = set(CounterFilter{});
  counter.filter_control = f.filter_control;
  return counter;
}

/// What a router's queue holds, with what came in the last cycle and stands in the inbox still.
template <class S>
std::vector<fabric::HeldWavelet> held_in(pe::Pe<S> at, const pe::Inbox<S>& inbox, int port,
                                         int color) {
  const pe::Router<S>& r = at.router();
  const unsigned head = r.head.number(port, color), known = r.held.number(port, color);
  const bool came = port != pe::kRamp && (inbox.came[port] >> color & 1U) != 0;
  std::vector<fabric::HeldWavelet> held;
  for (unsigned k = 0; k < known + (came ? 1U : 0U); ++k) {
    const unsigned slot = (head + k) % S::kSlots;
    const bool control = k < known ? (at.far().control[slot].port(port) >> color & 1U) != 0
                                   : (inbox.note[port] & pe::Note::kControl) != 0;
    held.push_back({pe::slot_of<S>(at.rings(), at.far().ring[port][color], slot), control, true});
  }
  return held;
}

/// Rewrites what routers and ramps have of a state. `inbox`: written in the last cycle.
template <class S>
void set_facts(fabric::PeState& state, pe::Pe<S> at, const pe::Inbox<S>& inbox) {
  for (fabric::Channel& channel : state.channels) {
    const int color = at.rules().number[channel.color];
    const pe::Switch& s = at.far().switches[color];
    const std::uint8_t queue = at.far().queue[color];
    channel.input_queue = queue == pe::kNone ? -1 : queue;
    channel.position = s.position;
    channel.rx = pe::ports_of(at.router().rx, color);
    channel.tx = pe::ports_of(at.router().tx, color);
    channel.positions.clear();
    for (int n = 0; n <= s.last; ++n) channel.positions.push_back({s.rx[n], s.tx[n]});
    for (int port = 0; port < kPorts; ++port)
      channel.queue[static_cast<std::size_t>(port)] = held_in(at, inbox, port, color);
    channel.torn_down = (at.router().torn >> color & 1U) != 0;
    channel.filter.reset();
    if ((at.router().filtered >> color & 1U) == 0) continue;
    const pe::Filter& f = at.far().filter[color];
    channel.filter = {settings_of(f), at.rules().tally, f.let_in, f.control_let_in, f.refused};
  }
  const auto set_ramps = [](auto& ramps, const pe::RampQueues& from, bool all_seen) {
    for (int q = 0; q < static_cast<int>(ramps.size()); ++q) {
      fabric::RampFacts& facts = ramps[static_cast<std::size_t>(q)];
      const unsigned held = from.ramp.held.number(q);
      facts.color = held == 0 ? 0 : from.marks.color[q];
      facts.wavelets.clear();
      for (unsigned k = 0; k < held; ++k) {
        const pe::Wavelet w = from.wavelet(q, k);
        facts.wavelets.push_back({w.payload, w.control, all_seen || k < from.ramp.seen.number(q)});
      }
    }
  };
  set_ramps(state.input, pe::to_core(*at.arrays, at.n), false);
  set_ramps(state.output, pe::to_router(*at.arrays, at.n), true);
}

}  // namespace weft::test
