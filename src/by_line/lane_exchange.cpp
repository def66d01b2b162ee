#include "by_line/lane_exchange.hpp"

#include <utility>

#include "by_line/shared_execution.hpp"

namespace weft::by_line {
namespace {

using model::Mask;

template <Way way>
void move_ramp(const LaneCopy& lanes, model::RampQueue& own,
               const LaneCopy::Theirs<model::RampQueue>& theirs) {
  lanes.fields<way>(kRampFields, own, theirs);
  if (own.valid[0] != 0) lanes.fields<way>(kRampWavelets, own, theirs);
  if (way == Way::take)
    for (Mask& arriving : own.arriving) arriving = 0;
  for (std::size_t pe = 0; pe < lanes.addresses.size(); ++pe) {
    const Mask bit = model::lane_bit(lanes.addresses[pe].lane);
    for (unsigned slot = 0; slot < model::kDelaySlots; ++slot) {
      Mask& here = own.arriving[slot];
      Mask& there = theirs[pe]->arriving[(slot - lanes.clock_lag[pe]) % model::kDelaySlots];
      if (way == Way::take) {
        if ((there & bit) != 0) here |= Mask{1} << lanes.lanes[pe];
      } else {
        there = (here >> lanes.lanes[pe] & 1U) != 0 ? there | bit : there & ~bit;
      }
    }
  }
}

template <Way way>
void move_microthread(const LaneCopy& lanes, model::Microthread& own,
                      const LaneCopy::Theirs<model::Microthread>& theirs) {
  if (way == Way::give && own.alike != 0) spread(own);
  own.alike = 0;
  if (way == Way::take) own.formed = 0;
  lanes.fields<way>(kMicrothreadFields, own, theirs);
  if (way == Way::give)  // also where the microthread has ended; find_shared forms lanes anew
    for (std::size_t pe = 0; pe < lanes.addresses.size(); ++pe)
      theirs[pe]->formed &= ~model::lane_bit(lanes.addresses[pe].lane);
  if (own.live == 0) return;
  lanes.fields<way>(kFirstElement, own, theirs);
  for (std::size_t pe = 0; pe < lanes.addresses.size(); ++pe) {
    const int here = lanes.lanes[pe], there = lanes.addresses[pe].lane;
    if (!model::has(own.live, here)) continue;
    if (way == Way::take)
      model::keep_work(own, here, model::work_in(*theirs[pe], there));
    else
      model::keep_work(*theirs[pe], there, model::work_in(own, here));
  }
}

/// The present color of an input queue.
template <Way way>
void move_present(const LaneCopy& lanes, std::uint8_t* own, int q,
                  const LaneCopy::Theirs<model::CoreState>& theirs) {
  for (std::size_t pe = 0; pe < lanes.addresses.size(); ++pe) {
    std::uint8_t& here = own[lanes.lanes[pe]];
    std::uint8_t& there = theirs[pe]->queue_color[q][lanes.addresses[pe].lane];
    if (way == Way::take)
      here = there;
    else if ((lanes.unread >> here & 1U) == 0)
      there = here;
  }
}

}  // namespace

template <Way way>
void move_core(const LaneCopy& lanes, model::CoreState& own,
               const LaneCopy::Theirs<model::CoreState>& theirs) {
  const auto part = [&]<class T>(T& mine, auto of) {
    LaneCopy::Theirs<T> parts{};
    for (std::size_t pe = 0; pe < lanes.addresses.size(); ++pe) parts[pe] = &of(*theirs[pe]);
    return std::pair<T&, LaneCopy::Theirs<T>>(mine, parts);
  };
  lanes.fields<way>(kCoreFields, own, theirs);
  for (int u = 0; u < model::kMicrothreads; ++u) {
    const auto [mine, parts] = part(
        own.microthread[u], [&](model::CoreState & c) -> auto& { return c.microthread[u]; });
    move_microthread<way>(lanes, mine, parts);
  }
  for (int q = 0; q < kInputQueues; ++q) {
    move_present<way>(lanes, own.queue_color[q], q, theirs);
    const auto [mine, parts] = part(
        own.in[q], [&](model::CoreState & c) -> auto& { return c.in[q]; });
    move_ramp<way>(lanes, mine, parts);
  }
  for (int q = 0; q < kOutputQueues; ++q) {
    const auto [mine, parts] = part(
        own.out[q], [&](model::CoreState & c) -> auto& { return c.out[q]; });
    move_ramp<way>(lanes, mine, parts);
  }
}

template void move_core<Way::take>(const LaneCopy&, model::CoreState&,
                                   const LaneCopy::Theirs<model::CoreState>&);
template void move_core<Way::give>(const LaneCopy&, model::CoreState&,
                                   const LaneCopy::Theirs<model::CoreState>&);

void find_shared(const model::View& v, model::StripState& strip, model::CoreState& core) {
  strip.outputs_held = 0;
  core.next_end = core.next_issue = 0;  // to be looked at
  core.inputs_held = core.live = core.local_any = 0;
  for (int slot = 0; slot < model::kDelaySlots; ++slot)
    core.inputs_arriving[slot] = core.outputs_arriving[slot] = 0;
  const auto ramp = [](const model::RampQueue& queue, int q, std::uint32_t& held,
                       std::uint32_t* arriving) {
    if (queue.valid[0] != 0) held |= 1U << q;
    for (int slot = 0; slot < model::kDelaySlots; ++slot)
      if (queue.arriving[slot] != 0) arriving[slot] |= 1U << q;
  };
  for (int q = 0; q < kInputQueues; ++q)
    ramp(core.in[q], q, core.inputs_held, core.inputs_arriving);
  for (int q = 0; q < kOutputQueues; ++q)
    ramp(core.out[q], q, strip.outputs_held, core.outputs_arriving);
  for (int id = 0; id < kLocalTasks; ++id)
    if (core.local_active[id] != 0) core.local_any |= 1U << id;
  for (int u = 0; u < model::kMicrothreads; ++u) {
    model::Microthread& t = core.microthread[u];
    if (t.live != 0) core.live |= 1U << u;
    t.soonest = 0;  // to be looked at
    find_form(v, t);
  }
}

}  // namespace weft::by_line
