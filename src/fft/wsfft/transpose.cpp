// One redistribution among p PEs of a row (columns the same), all in wavelets:
//
// Each direction has a color. Eastward, PE 0 sends first, then PE 1, ... A stream is one unused
// wavelet, then the sender's numbers for PEs p - 1, p - 2, ..., farthest first, r wavelets each.
// Every stream runs to the end of the row; counter filters hand each core the one number meant for
// it. They reach every PE past s, so PE j takes r wavelets of each, from wavelet 1 + r (p - 1 - j)
// on. From one such number to the next stream's the filter sees 1 + r (p - 1 - s) wavelets, its
// period; a short task lowers limit1 after each number. The unused wavelet gives the last PE time
// to do so. Two control wavelets end a stream. Both pass the sender's router (the first does
// nothing there, the second resets its switch) and advance the next router, from {west -> east,
// ramp} over {west -> east} to {ramp -> east}; the first also starts the next core's turn.

#include "fft/wsfft/transpose.hpp"

#include <string>

namespace weft::wsfft {
namespace {

/// One direction of an exchange.
struct Stream {
  int color;
  int queue;  ///< its input and its output queue
  Port from, to;
  int turn_entry;                         ///< control task
  int caught_task, turn_task, sent_task;  ///< local tasks
};

Stream stream(Axis axis, bool plus) {
  const int n = (axis == Axis::row ? 0 : 2) + (plus ? 0 : 1);
  constexpr Port kTo[] = {Port::east, Port::west, Port::south, Port::north};
  const int task = 4 + 3 * n;  // ids 0 to 3 are the transform's own
  return {n, 2 + n, opposite(kTo[n]), kTo[n], n, task, task + 1, task + 2};
}

// Registers, beside those of ExchangeCall. Index 0: plus, 1: minus.
constexpr Reg kPlace{4};                // this PE's number along the axis
constexpr Reg kLimit[] = {{5}, {7}};    // limit1 after the next catch
constexpr Reg kToCatch[] = {{6}, {8}};  // numbers still to come
constexpr Reg kTurns{9};                // of both directions, still to be taken
constexpr Reg kStart[] = {{10}, {11}};  // the filter's first counter: words before this PE's stream
constexpr Reg kFirstLimit{12};
constexpr Reg kTemporary{0}, kTemporary2{14};

// Descriptors.
constexpr Dsr kCatchTo[] = {{0}, {4}}, kCatchFrom[] = {{1}, {5}};
constexpr Dsr kSendFrom[] = {{2}, {6}}, kSendTo[] = {{3}, {7}};
constexpr Dsr kFinishFrom[] = {{8}, {10}}, kFinishTo[] = {{9}, {11}};

VectorOptions then_activate(int task) {
  VectorOptions options;
  options.async = true;
  options.at_end = VectorOptions::AtEnd::activate;
  options.task_id = static_cast<std::uint8_t>(task);
  return options;
}

void emit_catch(ProgramBuilder& p, const Stream& s, int side) {
  p.vmov32(kCatchTo[side], kCatchFrom[side], then_activate(s.caught_task));
}

/// The PEs at place `at` along the axis.
Rect across(Axis axis, int at, int p) {
  return axis == Axis::row ? Rect{at, 0, 1, p} : Rect{0, at, p, 1};
}

}  // namespace

void lay_out_exchange(Layout& layout, Axis axis, int p, int words) {
  for (const bool plus : {true, false}) {
    const Stream s = stream(axis, plus);
    for (int place = 0; place < p; ++place) {
      const int order = plus ? place : p - 1 - place;  // whose turn it is
      const Rect where = across(axis, place, p);
      Route route;
      route.pop = PopMode::always_pop;
      route.input_queue = s.queue;
      if (order == 0) {
        route.rx = Port::ramp;
        route.tx = s.to;
      } else if (order == p - 1) {
        route.rx = s.from;
        route.tx = Port::ramp;
      } else {
        route.rx = s.from;
        route.tx = {s.to, Port::ramp};
        route.positions = {SwitchPosition::send(s.to), SwitchPosition::receive(Port::ramp)};
      }
      layout.route(where, s.color, route);
      if (order == 0) continue;
      CounterFilter filter;
      filter.counter = static_cast<std::uint32_t>(words * order);
      filter.limit1 = static_cast<std::uint32_t>(words * (p - 1));
      filter.max_counter = static_cast<std::uint32_t>(words - 1);
      layout.filter(where, s.color, filter);
    }
  }
}

std::array<Span, 2> reserve_finish(ProgramBuilder& p, Axis axis) {
  const std::string name = axis == Axis::row ? "finish row " : "finish column ";
  return {p.reserve(name + "plus", 8), p.reserve(name + "minus", 8)};
}

std::array<std::uint32_t, 2> finish_wavelets(Axis axis, bool plus) {
  ControlWavelet first;
  first.entry = stream(axis, plus).turn_entry;
  first.slots[1] = {ControlWavelet::Command::advance, false};
  ControlWavelet second;
  second.slots[0] = {ControlWavelet::Command::reset, true};
  second.slots[1] = {ControlWavelet::Command::advance, true};
  return {first.payload(), second.payload()};
}

void emit_exchange_start(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  const int n = exchange.p;
  const int words = exchange.words;
  const int shift = words == 2 ? 1 : 0;
  const int bytes = n * 4 * words;
  if (exchange.axis == Axis::row)
    p.xcoord(kPlace);
  else
    p.ycoord(kPlace);
  p.shli(kStart[0], kPlace, shift);
  p.li(kFirstLimit, words * (n - 1));
  p.sub(kStart[1], kFirstLimit, kStart[0]);

  // The number for this PE itself stays.
  p.shli(kTemporary, kPlace, 2 + shift);
  p.add(kTemporary2, call.from, kTemporary);
  for (int word = 0; word < words; ++word) p.lw(kLimit[word], kTemporary2, 4 * word);
  p.add(kTemporary2, call.to, kTemporary);
  for (int word = 0; word < words; ++word) p.sw(kLimit[word], kTemporary2, 4 * word);

  p.li(kTurns, 2);
  p.mov(kToCatch[0], kPlace);
  p.shri(kToCatch[1], kStart[1], shift);
  for (int side = 0; side < 2; ++side) {
    const Stream s = stream(exchange.axis, side == 0);
    p.mov(kLimit[side], kFirstLimit);
    p.dfabin(kCatchFrom[side], s.queue);
    p.dlen(kCatchFrom[side], words);
    p.dfabout(kSendTo[side], s.queue, s.color);
    p.dbase(kFinishFrom[side],
            static_cast<std::int32_t>(exchange.finish[static_cast<std::size_t>(side)].address));
    p.dstride(kFinishFrom[side], 1);
    p.dlen(kFinishFrom[side], 2);
    p.dfabout(kFinishTo[side], s.queue, s.color, true);
  }
  // Plus streams run from the pencil's end to its start, and are caught backwards too.
  p.dbaser(kCatchTo[0], call.to, 4 * (words - 1));
  p.dstride(kCatchTo[0], -1);
  p.dbaser(kSendFrom[0], call.from, bytes);
  p.dstride(kSendFrom[0], -1);
  p.dlenr(kSendFrom[0], kStart[1], 1);
  p.dbaser(kCatchTo[1], call.to, bytes - 4 * words);
  p.dstride(kCatchTo[1], 1);
  p.dbaser(kSendFrom[1], call.from, -static_cast<int>(kPadBytes));
  p.dstride(kSendFrom[1], 1);
  p.dlenr(kSendFrom[1], kStart[0], 1);

  for (int side = 0; side < 2; ++side) {
    const Stream s = stream(exchange.axis, side == 0);
    const Label first = p.label(), armed = p.label();
    p.beq(kToCatch[side], call.zero, first);
    emit_catch(p, s, side);
    p.jump(armed);
    p.place(first);  // nobody sends before this PE
    p.activate({TaskKind::local, static_cast<std::uint8_t>(s.turn_task)});
    p.place(armed);
  }
}

void emit_exchange_tasks(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  for (int side = 0; side < 2; ++side) {
    const Stream s = stream(exchange.axis, side == 0);
    const Label last = p.label(), send = p.label(), taken = p.label(), done = p.label();
    const Task color{TaskKind::data, static_cast<std::uint8_t>(s.color)};

    // A number has come: lower the filter's limit, wait for the next.
    p.local_task(s.caught_task);
    p.addi(kToCatch[side], kToCatch[side], -1);
    p.beq(kToCatch[side], call.zero, last);
    p.flimit(s.color, kLimit[side]);
    p.addi(kLimit[side], kLimit[side], -exchange.words);
    p.dadd(kCatchTo[side], call.zero, (side == 0 ? 4 : -4) * exchange.words);
    emit_catch(p, s, side);
    p.end();
    p.place(last);
    p.unblock(color);  // the next wavelet here is the control wavelet that gives the turn
    p.end();

    // The first PE of the direction takes its turn unasked.
    p.local_task(s.turn_task, Priority::high);
    p.jump(send);

    // This PE's turn: the filter is made ready for the next exchange, then the stream starts.
    p.control_task(s.turn_entry, Priority::high);
    p.block(color);
    p.flimit(s.color, kFirstLimit);
    p.fcount(s.color, kStart[side]);
    p.beq(kStart[1 - side], call.zero, taken);  // nobody is left to send to
    p.place(send);
    p.vmov32(kSendTo[side], kSendFrom[side], then_activate(s.sent_task));
    p.end();

    // All is on its way: end the stream.
    p.local_task(s.sent_task, Priority::high);
    p.vmov32(kFinishTo[side], kFinishFrom[side]);
    p.place(taken);
    p.addi(kTurns, kTurns, -1);
    p.bne(kTurns, call.zero, done);
    p.activate(exchange.next);
    p.place(done);
    p.end();
  }
}

}  // namespace weft::wsfft
