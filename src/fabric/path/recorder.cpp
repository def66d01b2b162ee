#include "fabric/path/recorder.hpp"

#include <algorithm>

#include "fabric/path/room.hpp"
#include "isa/table.hpp"
#include "weft/program.hpp"

namespace weft::fabric::path {
namespace {

template <class F>
void for_pes(const Rect& where, int width, F f) {
  for (int y = where.y; y < where.y + where.height; ++y)
    for (int x = where.x; x < where.x + where.width; ++x)
      f(static_cast<std::size_t>(std::int64_t{y} * width + x));
}

}  // namespace

Recorder::Recorder(const Layout& layout, const Machine& machine)
    : machine_(machine), width_(layout.width()), height_(layout.height()) {
  const auto pes = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  programs_.resize(pes);
  tracks_.resize(pes);
  for (const Layout::Placement& p : layout.placements()) {
    kept_.push_back(p.program);
    for_pes(p.where, width_, [&](std::size_t pe) { programs_[pe] = p.program.get(); });
  }
  for (const Layout::Routing& r : layout.routings()) {
    const auto color = static_cast<std::size_t>(r.color);
    colors_[color].resize(pes);
    const int swaps = (r.route.swap_north_south ? 1 : 0) + (r.route.swap_east_west ? 2 : 0);
    if (swaps == 0) continue;
    colors_[color ^ 1U].resize(pes);
    swaps_[color].resize(pes);
    for_pes(r.where, width_,
            [&](std::size_t pe) { swaps_[color][pe] = static_cast<std::uint8_t>(swaps); });
  }
}

void Recorder::take(std::span<const Event> events) {
  while (!events.empty()) {
    const Event& first = events.front();
    const auto end = std::ranges::find_if(events, [&](const Event& e) {
      return e.cycle != first.cycle || e.y != first.y || e.x != first.x;
    });
    const auto count = static_cast<std::size_t>(end - events.begin());
    take_pe(events.first(count));
    events = events.subspan(count);
  }
  check_room(records_.size(), instructions_, host_bytes_);
}

/// Of one PE in one cycle, in the order of the cycle's steps.
void Recorder::take_pe(std::span<const Event> events) {
  now_ = events.front().cycle;
  pe_ = events.front().y * width_ + events.front().x;
  track_ = &tracks_[static_cast<std::size_t>(pe_)];
  for_task_.reset();
  const auto each = [&](EventKind kind, auto f) {
    for (const Event& event : events)
      if (event.kind == kind) f(event);
  };
  std::vector<Leaving> gone = leaving(events);
  for (Leaving& wavelet : gone) leave(wavelet);
  each(EventKind::held, [&](const Event& e) {
    ColorTrack& color = color_track(pe_, e.number);
    color.held = static_cast<int>(e.value);
    color.held_at = e.from;
  });
  each(EventKind::switched, [&](const Event& e) { switch_color(e, gone); });
  each(EventKind::sent, [&](const Event& e) { send(e); });
  each(kElementEvent, [&](const Event& e) { do_element(e); });
  each(EventKind::microthread_end, [&](const Event& e) { end_microthread(e); });
  each(EventKind::task_start, [&](const Event& e) { start_task(e); });
  const bool starts = std::ranges::any_of(
      events, [](const Event& e) { return e.kind == EventKind::microthread_start; });
  each(EventKind::instruction, [&](const Event& e) { issue(e, starts); });
  each(EventKind::microthread_start, [&](const Event& e) { start_microthread(e); });
  each(EventKind::task_end, [&](const Event&) { track_->free = {core(), now_ + 1}; });
}

std::int32_t Recorder::beyond(Port link) const {
  constexpr int kX[] = {-1, 1, 0, 0}, kY[] = {0, 0, 1, -1};
  const auto n = static_cast<std::size_t>(link);
  const int x = pe_ % width_ + kX[n], y = pe_ / width_ + kY[n];
  return x < 0 || x >= width_ || y < 0 || y >= height_ ? -1 : y * width_ + x;
}

ColorTrack& Recorder::color_track(std::int32_t pe, int color) {
  auto& all = colors_[static_cast<std::size_t>(color)];
  if (all.empty()) all.resize(tracks_.size());
  return all[static_cast<std::size_t>(pe)];
}

/// The color that a wavelet has after it has come in there.
int Recorder::color_inside(std::int32_t pe, int color, Port port) const {
  const auto& swaps = swaps_[static_cast<std::size_t>(color)];
  if (swaps.empty()) return color;
  const int by = swaps[static_cast<std::size_t>(pe)];
  const bool does = port == Port::ramp                           ? by == 3
                    : port == Port::north || port == Port::south ? (by & 1) != 0
                                                                 : (by & 2) != 0;
  return does ? color ^ 1 : color;
}

/// The first that happens in the last cycle ends the path.
void Recorder::see(const Cause& cause) {
  if (last_.record != 0 && last_.left >= now_) return;
  last_ = {cause.record, now_};
  last_pe_ = pe_;
}

/// The core has done something.
void Recorder::touch(const Cause& cause, std::uint64_t since) {
  track_->touched = {cause, since};
  see(cause);
}

std::uint32_t Recorder::wait(const Wait& wait, Work work, int color, std::int32_t pc) {
  Record r{.cause = wait.since.cause.record,
           .pe = pe_,
           .via = wait.via < 0 ? pe_ : wait.via,
           .pc = pc,
           .left = wait.since.cause.left,
           .came = std::min(std::max(wait.since.cycle, std::uint64_t{1}) - 1, now_),
           .at = now_,
           .color = static_cast<std::int8_t>(color),
           .why = wait.why,
           .work = work};
  return records_.add(r);
}

// 1. Route.

std::vector<Recorder::Leaving> Recorder::leaving(std::span<const Event> events) const {
  std::vector<Leaving> gone;
  for (const Event& e : events) {
    if (e.kind != EventKind::hop && e.kind != EventKind::delivered && e.kind != EventKind::refused)
      continue;
    auto at = std::ranges::find(gone, static_cast<int>(e.number), &Leaving::color);
    if (at == gone.end()) at = gone.insert(at, {e.number, e.from, 0, -1, {}});
    if (e.kind == EventKind::hop) at->links |= 1U << e.value;
    if (e.kind == EventKind::delivered) at->queue = static_cast<int>(e.value);
  }
  return gone;
}

/// The first cycle in which something keeps a wavelet is the one after it was ready; what let it go
/// did so in the cycle before this one.
void Recorder::leave(Leaving& wavelet) {
  ColorTrack& color = color_track(pe_, wavelet.color);
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
    const auto hop = static_cast<std::uint64_t>(machine_.hop_cycles);
    color_track(to, inside)
        .queue[static_cast<std::size_t>(opposite(port))]
        .push_back({wavelet.cause, now_ + hop, static_cast<std::int8_t>(inside)});
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
    case 0:
      return wait_for_link(wavelet);
    case 1:
      return wait_for_room(wavelet);
    case 2: {
      const Since& taken = track_->taken[static_cast<std::size_t>(Port::ramp)].by(now_);
      if (taken.cycle == now_ || wavelet.queue < 0) return {taken, PathKind::ramp};
      return {track_->taken_off[static_cast<std::size_t>(wavelet.queue)].by(now_), PathKind::ramp};
    }
    case 3:
      return {{}, PathKind::rest};
    default:
      break;
  }
  const Since& before = color.left[from].by(now_);
  if (before.cycle == now_ || before.cycle >= color.switched.cycle)
    return {before, PathKind::order};
  return {color.switched, PathKind::closed};
}

Recorder::Wait Recorder::wait_for_link(const Leaving& wavelet) const {
  Wait latest{{}, PathKind::link};
  for (std::size_t link = 0; link < kLinks; ++link) {
    if ((wavelet.links >> link & 1U) == 0) continue;
    const Since& taken = track_->taken[link].by(now_);
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
    const Since& left = to < 0 ? track_->taken[static_cast<std::size_t>(link)].by(now_)
                               : color_track(to, color_inside(to, wavelet.color, opposite(port)))
                                     .left[static_cast<std::size_t>(opposite(port))]
                                     .by(now_);
    if (left.cycle <= latest.since.cycle) continue;
    latest = {left, to < 0 ? PathKind::host : PathKind::room, to};
  }
  return latest;
}

void Recorder::switch_color(const Event& event, std::span<const Leaving> gone) {
  const auto by = std::ranges::find(gone, static_cast<int>(event.number), &Leaving::color);
  const Cause cause = by == gone.end() ? core() : by->cause;
  color_track(pe_, event.number).switched = {cause, now_ + 1};
  constexpr std::uint32_t kTornDown = 8;
  constexpr std::size_t kHandler = 29;  // fixed by the machine
  if (by != gone.end() && event.value >= kTornDown) track_->activated[kHandler] = {cause, now_};
}

// 2. Deliver.

void Recorder::send(const Event& event) {
  const auto q = static_cast<std::size_t>(event.value);
  Waiting wavelet = pop(track_->output[q]);
  const int inside = color_inside(pe_, event.number, Port::ramp);
  ColorTrack& color = color_track(pe_, inside);
  constexpr auto kRamp = static_cast<std::size_t>(Port::ramp);
  if (now_ > wavelet.ready) {
    Wait why{color.left[kRamp].by(now_), PathKind::room};
    if (track_->sent.by(now_).cycle == now_) why = {track_->sent.by(now_), PathKind::ramp};
    if (track_->sent_by[q].by(now_).cycle == now_)
      why = {track_->sent_by[q].by(now_), PathKind::order};
    if (why.since.cycle == 0) why.since = {wavelet.cause, wavelet.ready + 1};
    wavelet.cause = {wait(why, Work::going, event.number), now_};
  }
  track_->sent.note({wavelet.cause, now_ + 1});
  track_->sent_by[q].note({wavelet.cause, now_ + 1});
  track_->room[q] = {wavelet.cause, now_};
  color.queue[kRamp].push_back({wavelet.cause, now_ + 1, static_cast<std::int8_t>(inside)});
  see(wavelet.cause);
}

// 3. Core.

/// Takes the heads of input queues off. Returns the one that was ready last.
std::optional<Waiting> Recorder::take_off(std::uint32_t queues) {
  std::optional<Waiting> latest;
  for (std::size_t q = 0; q < kInputQueues; ++q) {
    if ((queues >> q & 1U) == 0) continue;
    const Waiting head = pop(track_->input[q]);
    if (!latest || head.ready > latest->ready) latest = head;
  }
  return latest;
}

void Recorder::note_room(std::uint32_t queues, const Cause& by) {
  for (std::size_t q = 0; q < kInputQueues; ++q)
    if ((queues >> q & 1U) != 0) track_->taken_off[q].note({by, now_ + 1});
}

void Recorder::do_element(const Event& event) {
  const std::optional<Waiting> latest = take_off(event.value);
  if (event.number == kTakenByCore) {
    for_task_ = latest;
    for_task_queues_ = event.value;
    return note_room(event.value, latest->cause);
  }
  const std::size_t u = event.number;
  MicrothreadTrack& m = track_->microthread[u];
  const bool puts = (event.value & kPut) != 0;
  if (now_ > m.next) {
    Wait why;
    if (latest) why.since = {latest->cause, latest->ready + 1};
    if (puts && track_->room[u].cycle + 1 > why.since.cycle)
      why = {{track_->room[u].cause, track_->room[u].cycle + 1}, PathKind::room};
    if (why.since.cycle <= m.next + 1)  // all was there: but for a FIFO, of its own core
      why = {{track_->touched.cause, track_->touched.cycle + 1}, PathKind::core};
    else if (why.why == PathKind::room)
      why.since.cycle = why.since.cause.left + 1;
    m.record = wait(why, Work::streaming, latest ? latest->color : -1, records_[m.record].pc);
  }
  m.next = now_ + 1;
  const Cause me{m.record, now_};
  note_room(event.value, me);
  const auto ramp = static_cast<std::uint64_t>(machine_.ramp_cycles);
  if (puts) track_->output[u].push_back({me, now_ + ramp});
  touch(me, now_);
}

void Recorder::end_microthread(const Event& event) {
  const MicrothreadTrack& m = track_->microthread[event.number];
  const Cause me{m.record, now_};
  const Instruction& i = programs_[static_cast<std::size_t>(pe_)]->code[event.value];
  const VectorOptions options = VectorOptions::unpack(i.imm);
  touch(me, now_);
  if (options.async) return at_end(options, {me, now_});
  track_->task = wait({{me, now_ + 1}, PathKind::core}, Work::computing, -1,
                      static_cast<std::int32_t>(event.value));
}

void Recorder::at_end(const VectorOptions& options, const Since& since) {
  const std::size_t id = options.task_id;
  if (options.at_end == VectorOptions::AtEnd::activate)
    track_->activated[id] = since;
  else if (options.at_end == VectorOptions::AtEnd::unblock)
    (options.task_kind == TaskKind::local ? track_->unblocked[id]
                                          : track_->color_unblocked[id % kColors]) = since;
}

void Recorder::start_task(const Event& event) {
  constexpr int kLocal = 32, kControl = 64;  // as events.def numbers tasks
  const bool is_local = event.number >= kLocal && event.number < kControl;
  Wait why{track_->free, PathKind::core};
  bool by_wavelet = false;
  const auto consider = [&](const Since& since) {
    const bool is_later = since.cycle <= now_ && since.cycle > why.since.cycle;
    if (is_later) why.since = since;
    return is_later;
  };
  if (is_local) {
    const auto id = static_cast<std::size_t>(event.number - kLocal);
    consider(track_->activated[id]);
    consider(track_->unblocked[id]);
  } else if (for_task_) {
    by_wavelet = consider({for_task_->cause, for_task_->ready});
    const std::int8_t color = for_task_->color;
    if (color >= 0 && consider(track_->color_unblocked[static_cast<std::uint8_t>(color)]))
      by_wavelet = false;
  }
  if (why.since.cycle < now_ && consider(track_->touched)) by_wavelet = false;
  if (why.since.cycle == 0) why.why = PathKind::host;
  if (by_wavelet) ++why.since.cycle;  // it was on the way up to the end of its ramp
  if (why.since.cycle >= now_) why.why = PathKind::task_start;
  track_->task = wait(why, Work::task, by_wavelet ? for_task_->color : -1,
                      static_cast<std::int32_t>(event.value));
  if (!is_local) note_room(for_task_queues_, core());
}

void Recorder::issue(const Event& event, bool starts_stream) {
  track_->issued.push_back(PeTrack::entry(now_, event.value));
  ++instructions_;
  const Instruction& i = programs_[static_cast<std::size_t>(pe_)]->code[event.value];
  const Since since{core(), now_ + 1};
  if (i.op == Op::activate) track_->activated[i.b] = since;
  if (i.op == Op::unblock)
    (static_cast<TaskKind>(i.a) == TaskKind::local ? track_->unblocked[i.b]
                                                   : track_->color_unblocked[i.b % kColors]) =
        since;
  // A stream without elements ends as it is issued. Other instructions mean nothing by these bits.
  if (!starts_stream && isa::is_vector(isa::format_of(i.op)))
    at_end(VectorOptions::unpack(i.imm), since);
  touch(core(), now_ + 1);
}

void Recorder::start_microthread(const Event& event) {
  const auto start = static_cast<std::uint64_t>(std::max(1, machine_.microthread_start_cycles));
  MicrothreadTrack& m = track_->microthread[event.number];
  m.record = records_.add({.cause = track_->task,
                           .pe = pe_,
                           .via = pe_,
                           .pc = static_cast<std::int32_t>(event.value),
                           .left = now_,
                           .came = now_,
                           .at = now_ + start,
                           .why = PathKind::computing,
                           .work = Work::streaming});
  m.next = now_ + start;
}

}  // namespace weft::fabric::path
