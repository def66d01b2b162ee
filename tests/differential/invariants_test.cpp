// The invariants of the lane state: each kind of wrong state is found, and named.
#include "support/invariants.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "differential/every_cycle.hpp"
#include "differential/valid_case.hpp"
#include "model/core/group.hpp"
#include "model/ramp/ramp_queue.hpp"

namespace weft::test::invariants_test {
namespace {

using model::CoreState;
using model::Mask;
using model::Microthread;
using model::View;

constexpr std::uint64_t kLate = std::uint64_t{1} << 40U;

/// A way to spoil a state, and the field that is named then. `spoil` returns false where there is
/// nothing to spoil.
struct Spoiled {
  const char* name;
  std::function<bool(const View&, std::uint64_t now)> spoil;
};

/// spoil(core) for some strip's cores.
template <class F>
auto of_cores(F spoil) {
  return [spoil](const View& v, std::uint64_t) {
    for (std::size_t i = 0; i < v.strip_count(); ++i)
      if (spoil(v.core[i])) return true;
    return false;
  };
}

/// spoil(view, router, color, its number) for some strip's color.
template <class F>
auto of_colors(F spoil) {
  return [spoil](const View& v, std::uint64_t) {
    for (std::size_t i = 0; i < v.strip_count(); ++i)
      for (std::uint32_t rest = v.strip[i].colors; rest != 0; rest &= rest - 1) {
        const int color = model::lowest(rest);
        if (spoil(v, v.strip[i], v.colors[v.strip[i].color_state[color]], color)) return true;
      }
    return false;
  };
}

/// spoil(view, router, color, its number, port) for a color of some strip that holds a wavelet
/// there.
template <class F>
auto of_held_colors(F spoil) {
  return of_colors([spoil](const View& v, model::StripState& strip, model::ColorState& c, int n) {
    for (int port = 0; port < kPorts; ++port)
      if (c.queue[port] >= 0 && v.port_queues[c.queue[port]].valid[0] != 0)
        return spoil(v, strip, c, n, port);
    return false;
  });
}

template <class F>
auto of_microthreads(F spoil) {
  return of_cores([spoil](CoreState& core) {
    for (Microthread& t : core.microthread)
      if (t.live != 0 && spoil(core, t)) return true;
    return false;
  });
}

/// A wake is put off where that is too late.
bool put_off(std::uint64_t& wake) {
  if (wake == model::kNever) return false;
  wake = kLate;
  return true;
}

const Spoiled kSpoiled[] = {
    {"StripState::busy",
     of_held_colors([](const View&, model::StripState& strip, model::ColorState&, int color, int) {
       if ((strip.busy >> color & 1U) == 0) return false;
       strip.busy &= ~(1U << color);
       return true;
     })},
    {"ColorState::filled",
     of_held_colors([](const View&, model::StripState&, model::ColorState& c, int, int port) {
       c.filled = static_cast<std::uint8_t>(c.filled & ~(1U << port));
       return true;
     })},
    {"ColorState::room",
     of_held_colors([](const View&, model::StripState&, model::ColorState& c, int, int port) {
       if (c.opens[port] == 0) return false;
       c.room[port] ^= c.opens[port];
       return true;
     })},
    {"PortQueue::valid",
     of_held_colors([](const View& v, model::StripState&, model::ColorState& c, int, int port) {
       model::PortQueue& q = v.port_queues[c.queue[port]];
       if (q.valid[0] == model::kAllLanes) return false;
       q.valid[1] |= ~q.valid[0];
       return true;
     })},
    {"PortQueue::more_room",
     of_held_colors([](const View& v, model::StripState&, model::ColorState& c, int, int port) {
       model::PortQueue& q = v.port_queues[c.queue[port]];
       if (q.far == 0) return false;
       q.more_room ^= v.far_queues[q.far - 1].lanes;
       return true;
     })},
    {"FarQueue::shown",
     of_held_colors([](const View& v, model::StripState&, model::ColorState& c, int, int port) {
       const model::PortQueue& q = v.port_queues[c.queue[port]];
       if (q.far == 0) return false;
       model::FarQueue& far = v.far_queues[q.far - 1];
       ++far.shown[model::lowest(far.lanes)];
       return true;
     })},
    {"ColorState::opens", of_colors([](const View&, model::StripState&, model::ColorState& c, int) {
       c.opens[0] ^= 1;
       return true;
     })},
    {"ColorState::rx", of_colors([](const View&, model::StripState&, model::ColorState& c, int) {
       c.rx[0] ^= 1;
       return true;
     })},
    {"FilterState::in_window",
     of_colors([](const View& v, model::StripState&, model::ColorState& c, int) {
       if (c.filter < 0 || (c.filtered & ~v.filters[c.filter].range) == 0) return false;
       v.filters[c.filter].in_window ^= c.filtered;
       return true;
     })},
    {"StripState::outputs_held",
     [](const View& v, std::uint64_t) {
       for (std::size_t i = 0; i < v.strip_count(); ++i)
         for (const model::RampQueue& out : v.core[i].out)
           if (out.valid[0] != 0) {
             v.strip[i].outputs_held = 0;
             return true;
           }
       return false;
     }},
    {"CoreState::inputs_held", of_cores([](CoreState& core) {
       for (const model::RampQueue& in : core.in)
         if (in.seen[0] != 0) {
           core.inputs_held = 0;
           return true;
         }
       return false;
     })},
    {"RampQueue::seen", of_cores([](CoreState& core) {
       if ((core.in[0].valid[1] & 1U) != 0) return false;
       core.in[0].seen[1] |= 1;
       return true;
     })},
    {"CoreState::inputs_arriving", of_cores([](CoreState& core) {
       for (model::RampQueue& in : core.in)
         if (in.valid[0] != in.seen[0]) {
           for (Mask& lanes : in.arriving) lanes = 0;
           return true;
         }
       return false;
     })},
    {"RampQueue::arriving",
     [](const View& v, std::uint64_t now) {
       v.core[0].in[0].arriving[model::delay_slot(now)] |= 1;
       return true;
     }},
    {"CoreState::queue_blocked", of_cores([](CoreState& core) {
       core.queue_blocked[0] ^= 1;
       return true;
     })},
    {"CoreState::live", of_microthreads([](CoreState& core, Microthread&) {
       core.live = 0;
       return true;
     })},
    {"Microthread::soonest", of_microthreads([](CoreState&, Microthread& t) {
       if (t.starting == 0) return false;
       t.soonest += 1;
       return true;
     })},
    {"Microthread::input_only", of_microthreads([](CoreState&, Microthread& t) {
       t.input_only ^= t.live;
       return true;
     })},
    {"CoreState::input_claimed", of_cores([](CoreState& core) {
       if (core.placed == 0) return false;
       core.input_claimed[7] ^= core.placed;
       return true;
     })},
    {"CoreState::waiting", of_cores([](CoreState& core) {
       const Mask idle = core.running & ~core.waiting & ~core.ending;
       if (idle == 0) return false;
       core.waiting |= idle;
       return true;
     })},
    {"CoreState::local_any", of_cores([](CoreState& core) {
       for (const Mask active : core.local_active)
         if (active != 0) {
           core.local_any = 0;
           return true;
         }
       return false;
     })},
    {"CoreState::next_issue", of_cores([](CoreState& core) {
       if (model::in_code(core) == 0) return false;
       core.next_issue = kLate;
       return true;
     })},
    {"CoreState::next_end", of_cores([](CoreState& core) {
       if (core.ending == 0) return false;
       core.next_end = kLate;
       return true;
     })},
    {"CoreState::fabric_dsr", of_cores([](CoreState& core) {
       core.fabric_dsr[3] ^= 1;
       return true;
     })},
    {"route_wake",
     [](const View& v, std::uint64_t) {
       for (std::size_t i = 0; i < v.strip_count(); ++i)
         if (v.strip[i].busy != 0) return put_off(v.route_wake[i]);
       return false;
     }},
    {"StripState::stuck",
     [](const View& v, std::uint64_t now) {
       for (std::size_t i = 0; i < v.strip_count(); ++i)
         for (int color = 0; color < kColors; ++color)
           if (could_leave(v, i, color) != 0 && !looks_again(v, i, now))
             return v.strip[i].stuck = true;
       return false;
     }},
    {"deliver_wake", [](const View& v, std::uint64_t) { return put_off(v.deliver_wake[0]); }},
    {"core_wake",
     [](const View& v,
        std::uint64_t) { return model::in_code(v.core[0]) != 0 && put_off(v.core_wake[0]); }},
    {"core_row", [](const View& v, std::uint64_t) { return put_off(v.core_row[0]); }},
    {"deliver_row", [](const View& v, std::uint64_t) { return put_off(v.deliver_row[0]); }},
    {"route_row", [](const View& v, std::uint64_t) { return put_off(v.route_row[0]); }},
};

/// The words for a state that was spoiled as soon as that is possible; empty: it never is.
std::string said_of(const Spoiled& spoiled) {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    std::string said;
    after_each_cycle(valid_case(seed), 300, [&](fabric::State& state, std::uint64_t now) {
      if (!spoiled.spoil(state.view(), now)) return true;
      said = broken_invariant(state, now);
      if (said.empty()) said = "nothing";
      return false;
    });
    if (!said.empty()) return said;
  }
  return {};
}

TEST(Invariants, FindEachWrongState) {
  for (const Spoiled& spoiled : kSpoiled)
    EXPECT_EQ(said_of(spoiled).rfind(spoiled.name, 0), 0U)
        << spoiled.name << ": " << said_of(spoiled);
}

}  // namespace
}  // namespace weft::test::invariants_test
