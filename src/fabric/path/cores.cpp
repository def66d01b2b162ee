// What lets cores and their streams go on: step 3 of a cycle.
#include <algorithm>

#include "fabric/path/recorder.hpp"
#include "isa/table.hpp"
#include "weft/program.hpp"

namespace weft::fabric::path {
namespace {

constexpr int kLocalTask = 32, kControlTask = 64;  ///< the first ones, as events.def numbers tasks

Since after(const Since& since) { return {since.cause, since.cycle + 1}; }

}  // namespace

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
    // There are fewer output queues than microthreads.
    const Since room = puts ? track_->known(track_->room[u]) : Since{};
    if (puts && room.cycle + 1 > why.since.cycle)
      why = {{room.cause, room.cycle + 1}, PathKind::room};
    const bool was_there = why.since.cycle <= m.next + 1;  // but for a FIFO, of its own core
    if (was_there && records_[m.record].work == Work::unknown)
      why.since = track_->unknown(now_);
    else if (was_there)
      why = {after(track_->known(track_->touched)), PathKind::core};
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
  const bool is_local = event.number >= kLocalTask && event.number < kControlTask;
  Wait why{track_->known(track_->free), PathKind::core};
  bool by_wavelet = false;
  const auto consider = [&](const Since& fact) {
    const Since since = track_->known(fact);
    const bool is_later = since.cycle <= now_ && since.cycle > why.since.cycle;
    if (is_later) why.since = since;
    return is_later;
  };
  if (is_local) {
    const auto id = static_cast<std::size_t>(event.number - kLocalTask);
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
