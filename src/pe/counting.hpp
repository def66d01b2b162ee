#pragma once

#include "pe/decide.hpp"
#include "pe/fifos.hpp"
#include "pe/phases.hpp"

/// What a step counts where a PE does it. Steps of shapes that do not count have none of it.
namespace weft::pe {

template <class S>
WEFT_HD PeCounts counts_of(Pe<S> pe) {
  return PeCounts::of(pe.arrays, pe.n);
}

/// Why wavelets that are granted nothing cannot leave.
template <class S>
WEFT_HD Held held_of(Pe<S> pe, const Router<S>& r, const Requests<S>& requests,
                     const Grants& grants, const Now& now) {
  Held held{};
  if ((requests.any & ~grants.granted) == 0) return held;
  constexpr unsigned kRampBit = 1U << kRamp;
  const Colors no_room = (r.tx & full_beyond(pe, r)).fold();
  const std::uint32_t full = pe.to_core().full;
  unsigned taken = 0;
  for (Colors rest = requests.any; rest != 0;) {
    const int color = first_color<S>(pe.rules(), rest, now.turn());
    const Colors bit = color_bit(color);
    rest &= ~bit;
    const bool accepted = (requests.accept & bit) != 0;
    const unsigned links = ports_with(r.tx, color) & ~kRampBit;
    if ((grants.granted & bit) != 0) {
      taken |= links | (accepted ? kRampBit : 0U);
      continue;
    }
    const bool no_ramp =
        accepted && ((taken & kRampBit) != 0 || !has_room_in(full, pe.far().queue[color]));
    ((links & taken) != 0   ? held.link
     : (no_room & bit) != 0 ? held.room
     : no_ramp              ? held.ramp
                            : held.rest) |= bit;
  }
  return held;
}

/// Of colors, by the links that they leave by and the ramp.
template <class S>
WEFT_HD void count_left(PeCounts c, const typename S::Ports& sent, Colors tapped,
                        std::uint64_t cycle) {
  for (int link = 0; link < kLinks; ++link)
    if (const Colors out = sent.colors_at(link); out != 0) add_left(c, lowest(out), link, cycle);
  if (tapped != 0) add_left(c, lowest(tapped), kRamp, cycle);
}

/// Watches the microthreads of a core in step 3.1, and what comes of its cycle.
struct CoreWatch {
  bool computes, waits;  ///< waits: for a microthread
  bool lacks_data, lacks_room;
  std::uint32_t elements, left;  ///< left: of the microthread whose turn it is

  WEFT_HD static CoreWatch of(CoreView c) {
    return {c.near().goes_on(), c.near().running && c.near().waiting, false, false, 0, 0};
  }

  /// Each that uses one queue lacks something if that does.
  WEFT_HD void begin(CoreView c) {
    const Core& core = c.near();
    computes |= waits && core.starting != 0;
    const std::uint32_t begun = core.live & ~std::uint32_t{core.starting};
    lacks_data |= (core.takes & begun & ~std::uint32_t{c.in().ramp.ready}) != 0;
    lacks_room |= (core.puts & begun & c.out().ramp.full) != 0;
  }
  WEFT_HD void before(CoreView c, int number) {
    const Work& w = c.work(number);
    left = w.left;
    for (int k = 0; k < 3; ++k) {
      const Name name = w.name[k];
      if (name.kind() == Kind::input)
        lacks_data |= (c.in().ramp.ready >> name.number() & 1U) == 0 ||
                      c.in().wavelet(name.number(), 0).control;
      if (name.is_output()) lacks_room |= (c.out().ramp.full >> name.number() & 1U) != 0;
      if (lacks(c, w, k)) (k == 0 ? lacks_room : lacks_data) = true;
    }
  }
  WEFT_HD void after(CoreView c, int number) {
    if (c.work(number).left != left) ++elements;
  }

  WEFT_HD Count state() const {
    return computes       ? Count::computing
           : elements > 0 ? Count::moving
           : lacks_data   ? Count::waits_data
           : lacks_room   ? Count::waits_room
                          : Count::idle;
  }

  /// An instruction is issued in this cycle, by the task that began before it.
  WEFT_HD static void issues(CoreView c, std::uint32_t pc, std::uint64_t cycle) {
    const PeCounts counts = counts_of(c);
    come_to_phase(counts, pc, cycle, true);
    count_instruction(counts, cycle);
    counts.at(row::instruction) = pc - static_cast<std::uint32_t>(c.tasks().first);
  }
  /// It has been executed, and was none that writes the router.
  WEFT_HD static void issued(CoreView c, const Code& i, std::uint64_t cycle) {
    const PeCounts counts = counts_of(c);
    if (i.has(Is::vector)) {
      bool fabric = false;
      for (const Name name : c.work(kOwnWork).name) fabric |= name.is_fabric();
      count_one(counts, fabric ? Count::streams : Count::vectors);
      note_streams(counts, c.near().live);
    } else {
      count_one(counts, i.cost() == isa::Cost::branch ? Count::branches : Count::scalars);
    }
    if (c.near().running) return;
    count_instruction(counts, cycle + 1);
    note_last(counts, counts.at(row::phase), cycle);
  }
  /// The next one is not executed ahead of the clock.
  WEFT_HD static bool stops(CoreView c, std::uint32_t pc) { return leaves_phase(counts_of(c), pc); }
};

/// The core takes a task in this cycle.
WEFT_HD void count_task(CoreView c) {
  const PeCounts counts = counts_of(c);
  come_to_phase(counts, c.near().pc, c.cycle, false);
  count_one(counts, Count::tasks);
  counts.at(row::instruction) = c.near().pc - static_cast<std::uint32_t>(c.tasks().first);
  counts.at(row::instruction_since) = static_cast<std::uint32_t>(c.cycle);
}

}  // namespace weft::pe
