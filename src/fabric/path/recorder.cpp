#include "fabric/path/recorder.hpp"

#include <algorithm>

#include "fabric/build/timing.hpp"
#include "fabric/path/room.hpp"
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
    : machine_(machine),
      timing_(timing_of(machine)),
      width_(layout.width()),
      height_(layout.height()) {
  const auto pes = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  programs_.resize(pes);
  tracks_.resize(pes);
  for (const Layout::Placement& p : layout.placements()) {
    kept_.push_back(p.program);
    for_pes(p.where, width_, [&](std::size_t pe) { programs_[pe] = p.program.get(); });
  }
  for (const Layout::Routing& r : layout.routings()) {
    const auto color = static_cast<std::size_t>(r.color);
    const int swaps = (r.route.swap_north_south ? 1 : 0) + (r.route.swap_east_west ? 2 : 0);
    if (swaps == 0) continue;
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

void Recorder::begin(const Unknown& pe) {
  PeTrack& track = track_of(pe.pe);
  PeTrack fresh;
  fresh.issued = std::move(track.issued);
  fresh.stretches = std::move(track.stretches);
  const auto cycles = [](int n) { return static_cast<std::uint64_t>(std::max(1, n)); };
  // What was done before may be known to others so many cycles later.
  fresh.bound =
      pe.from + std::max({std::uint64_t{timing_.hop} + timing_.far_link,
                          cycles(machine_.ramp_cycles), cycles(machine_.microthread_start_cycles)});
  const auto unknown = [&](std::int32_t pc) {
    return records_.add({.pe = pe.pe, .via = pe.before, .pc = pc, .work = Work::unknown});
  };
  fresh.task = unknown(-1);
  fresh.stretches.push_back({pe.from, fresh.task});
  const auto fill = [&](std::vector<Waiting>& queue, const Unknown::Queue& held) {
    queue.assign(static_cast<std::size_t>(held.wavelets),
                 {{fresh.task, fresh.bound}, fresh.bound, static_cast<std::int8_t>(held.color)});
  };
  for (std::size_t q = 0; q < kInputQueues; ++q) {
    fill(fresh.input[q], pe.input[q]);
    if (pe.microthread[q] >= 0) fresh.microthread[q] = {unknown(pe.microthread[q]), fresh.bound};
  }
  for (std::size_t q = 0; q < kOutputQueues; ++q) fill(fresh.output[q], pe.output[q]);
  track = std::move(fresh);
}

/// Of one PE in one cycle, in the order of the cycle's steps.
void Recorder::take_pe(std::span<const Event> events) {
  now_ = events.front().cycle;
  pe_ = events.front().y * width_ + events.front().x;
  track_ = &track_of(pe_);
  for_task_.reset();
  std::uint32_t kinds = 0;
  for (const Event& event : events) kinds |= 1U << static_cast<unsigned>(event.kind);
  const auto has = [&](EventKind kind) { return (kinds >> static_cast<unsigned>(kind) & 1U) != 0; };
  const auto each = [&](EventKind kind, auto f) {
    if (!has(kind)) return;
    for (const Event& event : events)
      if (event.kind == kind) f(event);
  };
  find_leaving(events);
  for (Leaving& wavelet : gone_) leave(wavelet);
  each(EventKind::held, [&](const Event& e) {
    ColorTrack& color = track_->color(e.number);
    color.held = static_cast<int>(e.value);
    color.held_at = e.from;
  });
  each(EventKind::switched, [&](const Event& e) { switch_color(e); });
  each(EventKind::sent, [&](const Event& e) { send(e); });
  each(kElementEvent, [&](const Event& e) { do_element(e); });
  each(EventKind::microthread_end, [&](const Event& e) { end_microthread(e); });
  each(EventKind::task_start, [&](const Event& e) { start_task(e); });
  const bool starts = has(EventKind::microthread_start);
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

PeTrack& Recorder::track_of(std::int32_t pe) {
  auto& track = tracks_[static_cast<std::size_t>(pe)];
  if (!track) track = std::make_unique<PeTrack>();
  return *track;
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

/// The first that happens in the last cycle, by row and column, ends the path.
void Recorder::see(const Cause& cause) {
  const bool is_later = now_ != last_.left ? now_ > last_.left : pe_ < last_pe_;
  if (last_.record != 0 && !is_later) return;
  last_ = {cause.record, now_};
  last_pe_ = pe_;
}

/// The core has done something.
void Recorder::touch(const Cause& cause, std::uint64_t since) {
  track_->touched = {cause, since};
  see(cause);
}

std::uint32_t Recorder::wait(Wait wait, Work work, int color, std::int32_t pc) {
  if (!track_->stretches.empty() && now_ <= track_->bound) wait.since = track_->unknown(now_);
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

}  // namespace weft::fabric::path
