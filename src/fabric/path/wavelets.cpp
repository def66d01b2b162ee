// What lets wavelets go on: Route and Deliver, steps 1 and 2 of a cycle.
#include <algorithm>

#include "fabric/path/recorder.hpp"

namespace weft::fabric::path {
namespace {

/// Reasons to be held, as EventKind::held numbers them.
enum Held : int { by_link = 0, for_room = 1, at_ramp = 2, at_rest = 3 };

constexpr std::uint32_t kTornDown = 8;  ///< added to the position of a switch
constexpr std::size_t kHandler = 29;    ///< of colors that are torn down: fixed by the machine

}  // namespace

void Recorder::find_leaving(std::span<const Event> events) {
  gone_.clear();
  for (const Event& e : events) {
    if (e.kind != EventKind::hop && e.kind != EventKind::delivered && e.kind != EventKind::refused)
      continue;
    auto at = std::ranges::find(gone_, static_cast<int>(e.number), &Leaving::color);
    if (at == gone_.end()) at = gone_.insert(at, {e.number, e.from, 0, -1, {}});
    if (e.kind == EventKind::hop) at->links |= 1U << e.value;
    if (e.kind == EventKind::delivered) at->queue = static_cast<int>(e.value);
  }
}

/// The first cycle in which something keeps a wavelet is the one after it was ready; what let it go
/// did so in the cycle before this one.
void Recorder::leave(Leaving& wavelet) {
  ColorTrack& color = track_->color(wavelet.color);
  const auto from = static_cast<std::size_t>(wavelet.from);
  const bool from_host = color.queue[from].empty();
  const Waiting head = pop(color.queue[from]);
  wavelet.cause = head.cause;
  if (from_host) {  // its words come without an event
    const Since& before = color.left[from].by(now_);
    const auto record = wait({before, PathKind::host}, Work::going, wavelet.color);
    wavelet.cause = {record, now_};
  } else if (now_ > head.ready) {
    Wait why = wait_to_leave(wavelet, color);
    if (why.since.cycle == 0) why = {{head.cause, head.ready + 1}, why.why};
    wavelet.cause = {wait(why, Work::going, wavelet.color), now_};
  }
  color.held = -1;
  color.left[from].note({wavelet.cause, now_ + 1});
  for (int link = 0; link < kLinks; ++link) {
    if ((wavelet.links >> link & 1U) == 0) continue;
    const auto port = static_cast<Port>(link);
    track_->taken[static_cast<std::size_t>(link)].note({wavelet.cause, now_ + 1});
    const std::int32_t to = beyond(port);
    if (to < 0) continue;
    const int inside = color_inside(to, wavelet.color, opposite(port));
    const bool far = timing_.is_far(pe_ % width_, pe_ / width_, port);
    const std::uint64_t way = timing_.hop + (far ? timing_.far_link : 0U);
    track_of(to).color(inside).queue[static_cast<std::size_t>(opposite(port))].push_back(
        {wavelet.cause, now_ + way, static_cast<std::int8_t>(inside)});
  }
  if (wavelet.queue >= 0) {
    track_->taken[static_cast<std::size_t>(Port::ramp)].note({wavelet.cause, now_ + 1});
    const auto ramp = static_cast<std::uint64_t>(machine_.ramp_cycles);
    track_->input[static_cast<std::size_t>(wavelet.queue)].push_back(
        {wavelet.cause, now_ + ramp, static_cast<std::int8_t>(wavelet.color)});
  }
  see(wavelet.cause);
}

Recorder::Wait Recorder::wait_to_leave(const Leaving& wavelet, const ColorTrack& color) {
  const auto from = static_cast<std::size_t>(wavelet.from);
  const bool held = color.held >= 0 && color.held_at == wavelet.from;
  switch (held ? color.held : -1) {
    case Held::by_link:
      return wait_for_link(wavelet);
    case Held::for_room:
      return wait_for_room(wavelet);
    case Held::at_ramp: {
      const Since taken =
          track_->known(track_->taken[static_cast<std::size_t>(Port::ramp)].by(now_));
      if (taken.cycle == now_ || wavelet.queue < 0) return {taken, PathKind::ramp};
      const auto queue = static_cast<std::size_t>(wavelet.queue);
      return {track_->known(track_->taken_off[queue].by(now_)), PathKind::ramp};
    }
    case Held::at_rest:
      return {{}, PathKind::rest};
    default:
      break;
  }
  const Since before = track_->known(color.left[from].by(now_));
  const Since switched = track_->known(color.switched);
  if (before.cycle == now_ || before.cycle >= switched.cycle) return {before, PathKind::order};
  return {switched, PathKind::closed};
}

Recorder::Wait Recorder::wait_for_link(const Leaving& wavelet) const {
  Wait latest{{}, PathKind::link};
  for (std::size_t link = 0; link < kLinks; ++link) {
    if ((wavelet.links >> link & 1U) == 0) continue;
    const Since taken = track_->known(track_->taken[link].by(now_));
    if (taken.cycle > latest.since.cycle) latest.since = taken;
  }
  return latest;
}

Recorder::Wait Recorder::wait_for_room(const Leaving& wavelet) {
  Wait latest{{}, PathKind::room};
  for (int link = 0; link < kLinks; ++link) {
    if ((wavelet.links >> link & 1U) == 0) continue;
    const auto port = static_cast<Port>(link);
    const std::int32_t to = beyond(port);
    const Since left = to < 0 ? track_->taken[static_cast<std::size_t>(link)].by(now_)
                              : left_beyond(to, wavelet.color, opposite(port));
    if (left.cycle <= latest.since.cycle) continue;
    latest = {left, to < 0 ? PathKind::host : PathKind::room, to};
  }
  return latest;
}

/// The last wavelet of a color that left a queue of the PE beyond a link.
Since Recorder::left_beyond(std::int32_t to, int color, Port port) {
  PeTrack& there = track_of(to);
  const ColorTrack& track = there.color(color_inside(to, color, port));
  return there.known(track.left[static_cast<std::size_t>(port)].by(now_));
}

void Recorder::switch_color(const Event& event) {
  const auto by = std::ranges::find(gone_, static_cast<int>(event.number), &Leaving::color);
  const Cause cause = by == gone_.end() ? core() : by->cause;
  track_->color(event.number).switched = {cause, now_ + 1};
  if (by != gone_.end() && event.value >= kTornDown) track_->activated[kHandler] = {cause, now_};
}

void Recorder::send(const Event& event) {
  const auto q = static_cast<std::size_t>(event.value);
  Waiting wavelet = pop(track_->output[q]);
  const int inside = color_inside(pe_, event.number, Port::ramp);
  ColorTrack& color = track_->color(inside);
  constexpr auto kRamp = static_cast<std::size_t>(Port::ramp);
  if (now_ > wavelet.ready) {
    Wait why{track_->known(color.left[kRamp].by(now_)), PathKind::room};
    const Since sent = track_->known(track_->sent.by(now_));
    const Since by_queue = track_->known(track_->sent_by[q].by(now_));
    if (sent.cycle == now_) why = {sent, PathKind::ramp};
    if (by_queue.cycle == now_) why = {by_queue, PathKind::order};
    if (why.since.cycle == 0) why.since = {wavelet.cause, wavelet.ready + 1};
    wavelet.cause = {wait(why, Work::going, event.number), now_};
  }
  track_->sent.note({wavelet.cause, now_ + 1});
  track_->sent_by[q].note({wavelet.cause, now_ + 1});
  track_->room[q] = {wavelet.cause, now_};
  color.queue[kRamp].push_back({wavelet.cause, now_ + 1, static_cast<std::int8_t>(inside)});
  see(wavelet.cause);
}

}  // namespace weft::fabric::path
