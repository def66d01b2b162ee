#pragma once

#include "model/core/core.hpp"
#include "model/router/deliver.hpp"
#include "model/router/route.hpp"

/// The cycle. docs/model.md has the same steps. Within a step, strips may be stepped in any order
/// and at the same time; between steps everybody waits for everybody (or for the strips beside
/// their own).
///
/// The steps are written here once. Two drivers say which strips step together, in which order, and
/// what comes between the steps: a row (rows.hpp, engine/wave.hpp) and a bundle of lines
/// (by_line/bundle_cycle.hpp). L is a LanePolicy (lanes/policy.hpp); `strips` is of the driver:
///   strips.due(wakes, now, f)    f(place) for its strips whose time has come
///   strips.did(step, at, moved)  a strip was stepped; whether anything moved in it
namespace weft::model {

enum class Step : std::uint8_t { route, deliver, core };

/// 1. Route: heads of the routers' queues leave for links and ramps.
template <class L, class Strips>
WEFT_INLINE void step_1(const View& v, Strips& strips, std::uint64_t now) {
  strips.due(v.route_wake, now, [&](const Place& at) {
    if (!L::Hooks::may_step(v, at, now)) return;
    Done did = L::Hooks::template route<L>(v, at, now);
    if (did == Done::no) did = route<L>(v, Place{at}, now) ? Done::moved : Done::idle;
    strips.did(Step::route, at, did == Done::moved);
  });
}

/// 2. Deliver: routers take what is on their links and on-ramps.
template <class L, class Strips>
WEFT_INLINE void step_2(const View& v, Strips& strips, std::uint64_t now) {
  strips.due(v.deliver_wake, now, [&](const Place& at) {
    if (!L::Hooks::may_step(v, at, now)) return;
    Done did = L::Hooks::template deliver<L>(v, at, now);
    if (did == Done::no) did = deliver<L>(v, Place{at}, now) ? Done::moved : Done::idle;
    strips.did(Step::deliver, at, did == Done::moved);
  });
}

/// 3. Core: microthreads, tasks, instructions.
template <class L, class Strips>
WEFT_INLINE void step_3(const View& v, Strips& strips, std::uint64_t now) {
  strips.due(v.core_wake, now, [&](const Place& at) {
    if (L::Hooks::may_step_cores(v, at, now)) strips.did(Step::core, at, step_core<L>(v, at, now));
  });
}

}  // namespace weft::model
