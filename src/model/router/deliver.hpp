#pragma once

#include "model/router/from_cores.hpp"
#include "model/router/room.hpp"

/// Step 2 of the cycle: deliver.
namespace weft::model {

/// Step 2. Pulls wavelets into the routers' queues and publishes their room for the next cycle.
/// Returns whether any came.
template <class L>
[[gnu::noinline]] bool deliver(const View& v, const Place& at, std::uint64_t now) {
  StripState& strip = v.strip[at.index];
  CoreState& core = v.core[at.index];
  // Cores before links, other than in the model: the strip may have to stop here. The order cannot
  // matter, as both look at the room that was there when the cycle began.
  const FromCores from = strip.outputs_held != 0 ? pull_ramp<L>(v, at, now) : FromCores{};
  const std::uint32_t left = strip.left_cycle == now ? strip.left : 0;
  const std::uint32_t came = from.came | pull_links<L>(v, at, left != 0, now);
  if (from.leads_out) {
    L::Hooks::stop(v, at, (came | left) != 0, now);
    return false;
  }
  if (v.timing.far_link != 0) [[unlikely]]
    show_far(v, strip, came | left);
  publish_rooms(v, strip, came | left);
  L::Hooks::published(strip, came, left, now);
  v.route_wake[at.index] = strip.busy != 0 ? now + 1 : kNever;

  // Wavelets that are still on the ramp: again next cycle if its router can take it then, else when
  // it comes.
  std::uint64_t wake =
      strip.outputs_held != 0 ? next_arrival(core.outputs_arriving, now, v.timing.ramp) : kNever;
  for (std::uint32_t rest = strip.outputs_held; rest != 0 && wake > now + 1; rest &= rest - 1) {
    const RampQueue& out = core.out[lowest(rest)];
    by_color(out, out.seen[0], [&](int color, Mask lanes) {
      if (on_ramp_room(v, strip, color, lanes) != 0) earlier(wake, now + 1);
    });
  }
  v.deliver_wake[at.index] = wake;
  return came != 0;
}

}  // namespace weft::model
