#pragma once

#include "model/lanes/loops.hpp"
#include "model/state/view.hpp"

/// Where accelerations, observers and other shapes of strips join the step. There are hooks of four
/// kinds, and a lane policy L (lanes/policy.hpp) has all of them as static functions of L::Hooks.
/// The functions here are those of a plain step, over blocks of a mesh. An acceleration is a struct
/// that inherits from the hooks before it and replaces some of their functions (fast/, by_line/).
namespace weft::model {

/// The answer of a hook that may do a strip's phase, or a part of it, another way.
enum class Done : std::uint8_t {
  no,     ///< nothing was done: the step does it
  idle,   ///< done, and nothing moved
  moved,  ///< done, and something moved
};

/// Geometry: which PE a lane is, and whose clock counts.
struct MeshGeometry {
  WEFT_INLINE static int x(const View& v, const Place& at, int lane) { return at.x(lane) - v.west; }
  WEFT_INLINE static int y(const View& v, const Place& at, int lane) {
    return at.y(lane) - v.north;
  }

  /// The lanes of which f(place, along_row) holds: x of a PE for a link along rows, else y.
  template <class F>
  WEFT_INLINE static Mask where_along(const View& v, const Place& at, Port link, F f) {
    const bool along_row = link == Port::west || link == Port::east;
    return where(kAllLanes, [&](int lane) {
      return f(along_row ? x(v, at, lane) : y(v, at, lane), along_row);
    });
  }

  /// A PE's clock, in this cycle of the step's.
  WEFT_INLINE static std::uint64_t clock(const View&, int /*lane*/, std::uint64_t cycle) {
    return cycle;
  }

  /// Lanes whose clock is in the cycles of a period in which links rest (Timing::rest_in).
  WEFT_INLINE static Mask while_links_rest(const View& v, std::uint64_t now) {
    return v.timing.rest_in(now) ? kAllLanes : 0;
  }

  /// f(lanes, their clock) for all lanes, in groups with clocks that are alike in how they order
  /// `numbers` (bits of a set) by (number xor clock). `contested()`: lanes in which the order
  /// matters.
  template <class Contested, class F>
  WEFT_INLINE static void by_clock(const View&, std::uint32_t /*numbers*/, Contested /*contested*/,
                                   std::uint64_t now, F f) {
    f(kAllLanes, now);
  }

  /// PEs in these lanes.
  WEFT_INLINE static std::uint64_t pes(const View&, Mask lanes) {
    return static_cast<std::uint64_t>(count(lanes));
  }

  /// Whether the strip may be stepped in this cycle; its cores, in step 3.
  WEFT_INLINE static bool may_step(const View&, const Place&, std::uint64_t) { return true; }
  WEFT_INLINE static bool may_step_cores(const View&, const Place&, std::uint64_t) { return true; }

  /// Whether a color leads out of the part of the mesh that is stepped.
  WEFT_INLINE static bool leads_out(const View&, int /*color*/) { return false; }

  /// A wavelet that leads out has come from a core: the strip stops in step 2 of this cycle.
  /// `moved`: something else came to its routers, or left them.
  WEFT_INLINE static void stop(const View&, const Place&, bool /*moved*/, std::uint64_t) {}
};

/// Interceptors: a part of the step may be done another way.
struct NoInterceptors {
  /// Step 1 of a strip.
  template <class L>
  WEFT_INLINE static Done route(const View&, const Place&, std::uint64_t) {
    return Done::no;
  }
  /// Step 2 of a strip.
  template <class L>
  WEFT_INLINE static Done deliver(const View&, const Place&, std::uint64_t) {
    return Done::no;
  }
  /// Step 1 of one color, in the lanes `among`. `taken`: of the strip's outputs.
  template <class L, class Taken>
  WEFT_INLINE static Done route_color(const View&, const Place&, StripState&, ColorState&,
                                      int /*color*/, Mask /*among*/, Taken& /*taken*/,
                                      std::uint64_t) {
    return Done::no;
  }
  /// Wavelets of a color, in the lanes `go`, leave the strip: the link by which somebody else takes
  /// them along, so that they are not put on it; -1: nobody does. `from`: by input.
  WEFT_INLINE static int take_along(const View&, const Place&, int /*color*/, const Mask* /*from*/,
                                    Mask /*go*/, Mask /*control*/, std::uint64_t) {
    return -1;
  }
  /// Step 3.1: an element of microthread u in some of the lanes `ready`. Returns these.
  template <class L>
  WEFT_INLINE static Mask move_elements(const View&, const Place&, CoreState&, int /*u*/,
                                        Mask /*ready*/, std::uint64_t) {
    return 0;
  }
  /// Step 3.3: a vector instruction whose operands name a queue in all lanes of the group starts
  /// its microthread. Returns whether it was done.
  template <class L, class Group, class Operands>
  WEFT_INLINE static bool start_microthreads(Group&, const Operands&, const Instruction&) {
    return false;
  }
  /// Whether a vector instruction would start the microthreads of all these lanes by
  /// start_microthreads, without a fault.
  template <class Operands>
  WEFT_INLINE static bool may_start_microthreads(const View&, const CoreState&, Mask,
                                                 const Operands&, const Instruction&) {
    return false;
  }
  /// The task's end, by a group that executes it, in its cycle or before. Returns whether it was
  /// done.
  template <class Group>
  WEFT_INLINE static bool end_task(Group&) {
    return false;
  }
  /// Step 3.3: the group's instruction. Returns whether it was done.
  template <class Group>
  WEFT_INLINE static bool executes(Group&) {
    return false;
  }
  /// Instructions of this cycle and of later ones are not executed before it. At least `now`.
  WEFT_INLINE static std::uint64_t early_until(const View&, std::uint64_t now) { return now; }
  /// Whether a group executes the instruction that it has come to now, before its cycle. Lanes of
  /// which the hook does more itself, it takes out.
  template <class L, class Group>
  WEFT_INLINE static bool executes_early(Group&) {
    return false;
  }
  /// Whether cores that come to an instruction may wait for others there (schedule_issue).
  WEFT_INLINE static bool may_wait(const View&, const CoreState&, Mask, std::uint32_t /*pc*/) {
    return true;
  }
  /// Whether a microthread may start without a visit to its strip, where its queue is not ready.
  WEFT_INLINE static bool starts_unnoticed(const View&) { return false; }
  /// The next cycle in which one of the other functions here wants a strip's cores to be visited.
  WEFT_INLINE static std::uint64_t next_wake(CoreState&, std::uint64_t) { return kNever; }
};

/// Events: something is about to happen, or has.
struct NoEvents {
  /// A filter's counter is about to be read, to count or to be written: as before the cycle.
  WEFT_INLINE static void before_filter(const View&, int /*strip*/, int /*color*/, std::uint64_t) {}
  /// A program writes a filter, switch or route of these colors.
  WEFT_INLINE static void written(const View&, int /*strip*/, std::uint32_t /*colors*/) {}
  /// A switch or a route of the strip has changed, or may have.
  WEFT_INLINE static void router_changed(StripState&) {}
  /// After step 1 of a color. `changed`: its switch, or its filter's counter.
  WEFT_INLINE static void routed(const View&, int /*strip*/, int /*color*/, bool /*changed*/) {}
  /// After step 1 of a strip: its wavelets stay where they are until something else happens.
  WEFT_INLINE static void stays(const View&, StripState&) {}
  /// A strip's room is published, after wavelets of the colors `came` to it and `left` it, or a
  /// core wrote to the route of the color `left`.
  WEFT_INLINE static void published(StripState&, std::uint32_t /*came*/, std::uint32_t /*left*/,
                                    std::uint64_t) {}
  /// Cores of the strip have taken wavelets off an input queue.
  WEFT_INLINE static void took_input(CoreState&, std::uint64_t) {}
  /// Something may have left strips of the row in this cycle.
  WEFT_INLINE static void left_row(const View&, int /*row*/, std::uint64_t) {}
  /// Lanes are about to execute an instruction in its cycle.
  WEFT_INLINE static void issues(const View&, std::uint32_t /*pc*/, std::uint64_t) {}
  /// Step 3 of a strip begins.
  WEFT_INLINE static void before_cores(CoreState&, std::uint64_t) {}
  /// Cores of a strip move elements of vectors in this cycle, or idle ones have a task to take.
  WEFT_INLINE static void cores_act(const View&, std::uint64_t) {}
  /// A lane starts a microthread by itself.
  WEFT_INLINE static void starts_alone(const View&, Microthread&) {}
  /// A strip has a fault, or a new one, in the cycle.
  WEFT_INLINE static void faulted(const View&, const Place&, std::uint64_t) {}
};

/// An observer: it sees what happens, and changes nothing (counting/hooks.hpp counts). Templates
/// and types of the step that come later are named by their parameters here.
struct NoObserver {
  /// Step 1 of a color, before its wavelets leave: the lanes whose wavelet is stuck, and those in
  /// which it waits for a link that rests. `taken`: by colors before it.
  template <class L, class Heads, class Taken>
  WEFT_INLINE static void held(const View&, const Place&, const ColorState&, int /*color*/,
                               const Heads&, const Taken& /*taken*/, Mask /*stuck*/, Mask /*rest*/,
                               std::uint64_t) {}
  /// Step 1 of a color finds no wavelet that wants to leave.
  WEFT_INLINE static void none_held(const View&, const Place&, int /*color*/) {}
  /// Wavelets of a color leave in the lanes `go`, before the routers obey them.
  template <class L, class Taps>
  WEFT_INLINE static void left(const View&, const Place&, const ColorState&, int /*color*/,
                               Mask /*go*/, const Taps&, std::uint64_t) {}
  /// The same of a color whose wavelets go straight by one link, or to the cores (`out`: the port):
  /// the lanes that another color keeps from it, those without room there, and those that leave.
  template <class L>
  WEFT_INLINE static void passes(const View&, const Place&, int /*color*/, int /*out*/,
                                 Mask /*taken*/, Mask /*no_room*/, Mask /*go*/, std::uint64_t) {}
  /// Step 2: these routers take a wavelet from their cores.
  template <class L>
  WEFT_INLINE static void sent(const View&, const Place&, Mask, std::uint64_t) {}
  /// The same of one color from one output queue.
  template <class L>
  WEFT_INLINE static void sent_color(const View&, const Place&, int /*queue*/, int /*color*/, Mask,
                                     std::uint64_t) {}
  /// Switches have changed, by control wavelets or by their cores.
  template <class L>
  WEFT_INLINE static void switched(const View&, const Place&, int /*color*/, Mask, std::uint64_t) {}

  /// Step 3 of a strip begins.
  template <class L>
  WEFT_INLINE static void begin_cores(const View&, const Place&, const CoreState&, std::uint64_t) {}
  /// Microthread u has its turn. Returns the lanes that will do an element, if it is not at fault.
  WEFT_INLINE static Mask begin_elements(const View&, const Place&, const CoreState&, int /*u*/) {
    return 0;
  }
  /// It had its turn. `lanes`: what begin_elements returned.
  WEFT_INLINE static void end_elements(const View&, const Place&, const CoreState&, int /*u*/, Mask,
                                       std::uint64_t) {}
  /// Elements of microthread u are done in some lanes: those that took a wavelet off each queue,
  /// and those that put one into queue u.
  template <class L, class Took>
  WEFT_INLINE static void did_elements(const View&, const Place&, const CoreState&, int /*u*/,
                                       const Took& /*took(queue)*/, Mask /*put*/, std::uint64_t) {}
  /// A core takes a wavelet off an input queue, for a task or for nothing.
  template <class L>
  WEFT_INLINE static void takes_wavelet(const View&, const Place&, int /*queue*/, Mask,
                                        std::uint64_t) {}
  /// Step 3.1 ends.
  template <class L>
  WEFT_INLINE static void end_microthreads(const View&, const Place&, const CoreState&,
                                           std::uint64_t) {}
  /// Lanes, of one program, take a task that begins at `pc`.
  template <class L>
  WEFT_INLINE static void takes_task(const View&, const Place&, Mask, std::uint32_t /*pc*/,
                                     std::uint64_t) {}
  /// The same. `number`: the color of a data task, 32 + the id of a local one, 64 + that of a
  /// control task.
  template <class L>
  WEFT_INLINE static void starts_task(const View&, const Place&, const CoreState&, Mask,
                                      int /*number*/, std::uint32_t /*pc*/, std::uint64_t) {}
  /// A group is about to execute an instruction, each lane at its own time.
  template <class L, class Group>
  WEFT_INLINE static void issues_group(const Group&) {}
  /// Lanes of a group wait from now on for a microthread, which begins at Microthread::first.
  template <class Group>
  WEFT_INLINE static void waits(const Group&, const Microthread&, Mask) {}
  /// Lanes of a group start microthread u, which has elements.
  template <class L, class Group>
  WEFT_INLINE static void starts_microthread(const Group&, int /*u*/, Mask) {}
  /// Microthread u ends, at its element's turn.
  template <class L>
  WEFT_INLINE static void ends_microthread(const View&, const Place&, const CoreState&, int /*u*/,
                                           Mask, std::uint64_t) {}
  /// A group's task ends: both are called.
  template <class L, class Group>
  WEFT_INLINE static void ends_task_of(const Group&) {}
  template <class Group>
  WEFT_INLINE static void ends_task(const Group&) {}
  /// A lane is about to halt.
  WEFT_INLINE static void halts(const View&, const Place&, int /*lane*/, std::uint64_t) {}
  /// Step 3 of a strip ends. `wake`: when its cores have something to do by themselves.
  template <class L>
  WEFT_INLINE static void end_cores(const View&, const Place&, const CoreState&, std::uint64_t,
                                    std::uint64_t /*wake*/) {}
};

/// The hooks of a plain step.
struct PlainHooks : MeshGeometry, NoInterceptors, NoEvents, NoObserver {};

}  // namespace weft::model
