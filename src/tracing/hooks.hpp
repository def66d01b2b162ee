#pragma once

#include "counting/routers.hpp"
#include "model/core/execute.hpp"
#include "model/router/route.hpp"
#include "model/state/event_tap.hpp"

/// The observer of a step that emits events (docs/model.md, "Events").
namespace weft::tracing {

using namespace model;

/// An event of each of these lanes. `value(lane)`.
template <class L, class F>
WEFT_INLINE void emit(const View& v, const Place& at, Mask lanes, std::uint64_t now, EventKind kind,
                      int number, Port from, F value) {
  for_each(lanes, [&](int lane) {
    v.events->add(v.events->to, at.row,
                  Event(now, L::Hooks::x(v, at, lane), L::Hooks::y(v, at, lane), kind, number,
                        static_cast<std::uint32_t>(value(lane)), from));
  });
}

/// The same of wavelets that leave or are held, by the ports that they came in by.
template <class L>
WEFT_INLINE void emit_by_port(const View& v, const Place& at, const Mask (&from)[kPorts],
                              Mask lanes, std::uint64_t now, EventKind kind, int color, int value) {
  for (int port = 0; port < kPorts; ++port)
    emit<L>(v, at, lanes & from[port], now, kind, color, static_cast<Port>(port),
            [=](int) { return value; });
}

/// An instruction by its number in the lane's program.
WEFT_INLINE std::uint32_t in_program(const View& v, const CoreState& core, int lane,
                                     std::uint32_t pc) {
  return pc - static_cast<std::uint32_t>(v.programs[core.program[lane]].first);
}

WEFT_INLINE HeldBefore& held_before(const View& v, const Place& at, int color) {
  return v.events->held[v.strip[at.index].color_state[color]];
}

/// The position of a switch, as an event has it.
WEFT_INLINE std::uint32_t emitted_position(const View& v, const Place& at, int color, int lane) {
  const std::int32_t index = v.strip[at.index].color_state[color];
  const bool torn_down = has(v.colors[index].torn_down, lane);
  return v.switches[index].position[lane] + (torn_down ? 8U : 0U);
}

template <class L>
[[gnu::noinline]] void emit_held(const View& v, const Place& at, int color, const Heads& heads,
                                 const counting::Held& held, Mask rest, std::uint64_t now) {
  HeldBefore& before = held_before(v, at, color);
  const Mask why[HeldBefore::kReasons] = {held.link, held.room, held.ramp, rest};
  Mask same_port = 0;
  for (int port = 0; port < kPorts; ++port) same_port |= before.from[port] & heads.from[port];
  for (int reason = 0; reason < HeldBefore::kReasons; ++reason) {
    emit_by_port<L>(v, at, heads.from, why[reason] & ~(before.why[reason] & same_port), now,
                    EventKind::held, color, reason);
    before.why[reason] = why[reason];
  }
  for (int port = 0; port < kPorts; ++port) before.from[port] = heads.from[port];
}

template <class L>
[[gnu::noinline]] void emit_left(const View& v, const Place& at, const ColorState& c, int color,
                                 Mask go, const Taps& taps, std::uint64_t now) {
  const auto& from = held_before(v, at, color).from;
  const auto emit_all = [&](Mask lanes, EventKind kind, int value) {
    if (lanes != 0) emit_by_port<L>(v, at, from, lanes, now, kind, color, value);
  };
  Mask by_link = 0;
  for_each(c.exits, [&](int link) {
    emit_all(go & c.tx[link], EventKind::hop, link);
    by_link |= c.tx[link];
  });
  for_each(c.inputs, [&](int queue) {
    emit_all(go & taps.accepted & c.to_queue[queue], EventKind::delivered, queue);
  });
  const Mask hidden = taps.to_ramp & ~taps.accepted & ~taps.refused;
  emit_all(go & taps.refused, EventKind::refused, 0);
  emit_all(go & hidden, EventKind::refused, 1);
  emit_all(go & ~by_link & ~taps.to_ramp, EventKind::refused, 2);
}

/// The hooks `Base`, with all events.
template <class Base>
struct Tracing : Base {
  template <class L, class Taken>
  WEFT_INLINE static void held(const View& v, const Place& at, const ColorState& c, int color,
                               const Heads& heads, const Taken& taken, Mask stuck, Mask rest,
                               std::uint64_t now) {
    Base::template held<L>(v, at, c, color, heads, taken, stuck, rest, now);
    emit_held<L>(v, at, color, heads, counting::reasons<L>(v, c, heads, stuck, taken), rest, now);
  }
  WEFT_INLINE static void none_held(const View& v, const Place& at, int color) {
    held_before(v, at, color) = {};
  }
  template <class L>
  WEFT_INLINE static void left(const View& v, const Place& at, const ColorState& c, int color,
                               Mask go, const Taps& taps, std::uint64_t now) {
    Base::template left<L>(v, at, c, color, go, taps, now);
    emit_left<L>(v, at, c, color, go, taps, now);
  }
  template <class L>
  WEFT_INLINE static void sent_color(const View& v, const Place& at, int queue, int color,
                                     Mask lanes, std::uint64_t now) {
    emit<L>(v, at, lanes, now, EventKind::sent, color, Port::ramp, [=](int) { return queue; });
  }
  template <class L>
  WEFT_INLINE static void switched(const View& v, const Place& at, int color, Mask lanes,
                                   std::uint64_t now) {
    emit<L>(v, at, lanes, now, EventKind::switched, color, Port::ramp,
            [&](int lane) { return emitted_position(v, at, color, lane); });
  }
  template <class L, class Took>
  WEFT_INLINE static void did_elements(const View& v, const Place& at, const CoreState& core, int u,
                                       const Took& took, Mask put, std::uint64_t now) {
    Mask lanes = put;
    for_each(core.inputs_held, [&](int q) { lanes |= took(q); });
    emit<L>(v, at, lanes, now, kElementEvent, u, Port::ramp, [&](int lane) {
      std::uint32_t queues = has(put, lane) ? kPut : 0;
      for_each(core.inputs_held, [&](int q) { queues |= has(took(q), lane) ? 1U << q : 0; });
      return queues;
    });
  }
  template <class L>
  WEFT_INLINE static void takes_wavelet(const View& v, const Place& at, int queue, Mask lanes,
                                        std::uint64_t now) {
    emit<L>(v, at, lanes, now, kElementEvent, kTakenByCore, Port::ramp,
            [=](int) { return 1U << queue; });
  }
  template <class L>
  WEFT_INLINE static void starts_task(const View& v, const Place& at, const CoreState& core,
                                      Mask lanes, int number, std::uint32_t pc, std::uint64_t now) {
    emit<L>(v, at, lanes, now, EventKind::task_start, number, Port::ramp,
            [&](int lane) { return in_program(v, core, lane, pc); });
  }
  template <class L>
  WEFT_INLINE static void issues_group(const Group& g) {
    Base::template issues_group<L>(g);
    emit<L>(g.v, g.at, g.lanes, g.now, EventKind::instruction, 0, Port::ramp,
            [&](int lane) { return in_program(g.v, g.core, lane, g.pc); });
  }
  template <class L, class Group>
  WEFT_INLINE static void starts_microthread(const Group& g, int u, Mask lanes) {
    emit<L>(g.v, g.at, lanes, g.now, EventKind::microthread_start, u, Port::ramp,
            [&](int lane) { return in_program(g.v, g.core, lane, g.pc); });
  }
  template <class L>
  WEFT_INLINE static void ends_microthread(const View& v, const Place& at, const CoreState& core,
                                           int u, Mask lanes, std::uint64_t now) {
    emit<L>(v, at, lanes, now, EventKind::microthread_end, u, Port::ramp,
            [&](int lane) { return in_program(v, core, lane, core.microthread[u].pc.at[lane]); });
  }
  template <class L>
  WEFT_INLINE static void ends_task_of(const Group& g) {
    emit<L>(g.v, g.at, g.lanes, g.now, EventKind::task_end, 0, Port::ramp, [](int) { return 0; });
  }
};

}  // namespace weft::tracing
