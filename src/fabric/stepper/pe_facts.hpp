#pragma once

#include <vector>

#include "fabric/stepper/pe_state.hpp"
#include "pe/core_view.hpp"
#include "pe/filters.hpp"
#include "pe/switches.hpp"

/// PEs as the PE step has them (src/pe).
namespace weft::fabric {

/// All of a channel but what its router holds. `color`: the real one.
Channel pe_channel(const pe::Switch& s, int color);
FilterFacts pe_filter(const pe::Filter& filter, bool tally);
/// Queues on the ramp, microthreads, and of a PE with a program its core, before c.cycle is
/// stepped. `programs`: by number, as program_facts gives them.
void add_pe_core(PeState& state, pe::CoreView c, const std::vector<ProgramFacts>& programs);

/// What a router's queue holds, with what came in the last cycle and stands in the inbox still.
template <class S>
std::vector<HeldWavelet> held_in(pe::Pe<S> at, const pe::Inbox<S>& inbox, int port, int color) {
  const pe::Router<S>& r = at.router();
  const auto own = S::Ports::one(port, pe::color_bit(color));
  const unsigned head = r.head.number(own), known = r.held.number(own);
  const bool came = port != pe::kRamp && (inbox.came[port] >> color & 1U) != 0;
  std::vector<HeldWavelet> held;
  for (unsigned k = 0; k < known + (came ? 1U : 0U); ++k) {
    const unsigned slot = (head + k) % S::kSlots;
    const bool control = k < known ? (at.far().control[slot].colors_at(port) >> color & 1U) != 0
                                   : (inbox.note[port] & pe::Note::kControl) != 0;
    held.push_back({pe::slot_of(at, own, slot), control, true});
  }
  return held;
}

/// One PE before `cycle` is stepped. `inbox`: the one that neighbours wrote in the last cycle.
template <class S>
PeState pe_state(pe::Pe<S> at, const pe::Inbox<S>& inbox, const std::vector<ProgramFacts>& programs,
                 std::uint64_t cycle) {
  PeState state;
  state.x = at.far_core().x;
  state.y = at.far_core().y;
  const pe::Router<S>& r = at.router();
  for (int real = 0; real < kColors; ++real) {
    const std::uint8_t color = at.rules().number[real];
    if (color == pe::kNone || !at.far().switches[color].routed) continue;
    Channel channel = pe_channel(at.far().switches[color], real);
    const std::uint8_t queue = at.far().queue[color];
    channel.input_queue = queue == pe::kNone ? -1 : queue;
    channel.rx = pe::ports_with(r.rx, color);
    channel.tx = pe::ports_with(r.tx, color);
    for (int port = 0; port < kPorts; ++port)
      channel.queue[static_cast<std::size_t>(port)] = held_in(at, inbox, port, color);
    channel.torn_down = (r.marked(pe::Mark::torn_down) >> color & 1U) != 0;
    if ((r.marked(pe::Mark::filtered) >> color & 1U) != 0)
      channel.filter = pe_filter(at.far().filter[color], at.rules().tally);
    state.channels.push_back(std::move(channel));
  }
  add_pe_core(state, pe::core_of(at, cycle), programs);
  return state;
}

}  // namespace weft::fabric
