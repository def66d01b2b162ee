// One redistribution among p PEs of a row (columns the same), all in wavelets:
//
// Each direction has a color. Eastward, PE 0 sends first, then PE 1, ... A stream is one unused
// wavelet, then the sender's messages to PEs p - 1, p - 2, ..., farthest first, r wavelets each.
// The stream of a PE runs to the end of the row, through every PE j beyond. The counter filter of
// PE j hands its core the message meant for it, those from wavelet 1 + r (p - 1 - j) on: its
// counter begins at r j, and r (p - 1) is its limit. Control wavelets end a stream and give the
// next PE its turn.
//
// With one pencil in each PE a message is a number, and the numbers for all PEs stand one after the
// other. Else a message is an array of up to three axes, part of the pencils of its sender and of
// its receiver: descriptors of several dimensions take it apart and put it together, at no cost.
//
// Streams become shorter, so a filter must be told of each: after it has let its message through,
// and before it counts the next stream too far. There are two forms, published.cpp's and
// interlocked.cpp's. The first is faster and has to be in time; the second cannot be late.

#include "fft/wsfft/transpose.hpp"

#include <bit>

#include "fft/wsfft/transpose_form.hpp"

namespace weft::wsfft {
namespace {

constexpr Reg kTurns{9};  // of both directions, still to be taken
constexpr Reg kScratch2{14};
constexpr Reg kNumber[] = {{5}, {7}};  // a number's words, before kOwn is set

constexpr Dsr kFinishFrom[] = {{8}, {10}}, kFinishTo[] = {{9}, {11}};
constexpr Dsr kUnusedFrom{12};  // the unused wavelet, where none stands before the messages

const FormParts& parts(Form form) {
  return form == Form::published     ? kPublished
         : form == Form::interlocked ? kInterlocked
                                     : kPublishedInTurn;
}

/// The route of the PE that has `order` PEs before it along the stream, of p.
Route route_of(Form form, const Stream& s, int order, int p) {
  const FormParts& f = parts(form);
  const bool is_first = order == 0, is_last = order == p - 1;
  Route route;
  route.pop = f.pop;
  route.ring = f.ring;
  route.input_queue = s.queue;
  route.rx = is_first ? Port::ramp : s.from;
  if (is_first) {
    route.tx = s.to;
  } else if (is_last) {
    route.tx = Port::ramp;
    route.positions = f.last(s);
  } else {
    route.tx = {s.to, Port::ramp};
    route.positions = f.passing(s);
  }
  return route;
}

/// Whether the messages of a PE are numbers that stand one after the other, at both ends.
bool are_numbers(const Exchange& exchange) { return exchange.blocks.numbers() == 1; }

/// The number for this PE itself stays.
void emit_own_number(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  const int words = exchange.words;
  p.shli(kScratch, kPlace, words == 2 ? 3 : 2);
  p.add(kScratch2, call.from, kScratch);
  for (int word = 0; word < words; ++word) p.lw(kNumber[word], kScratch2, 4 * word);
  p.add(kScratch2, call.to, kScratch);
  for (int word = 0; word < words; ++word) p.sw(kNumber[word], kScratch2, 4 * word);
}

/// Plus streams run from the pencil's end to its start, and are caught backwards too.
void emit_number_streams(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  const int words = exchange.words, bytes = exchange.p() * 4 * words;
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
}

/// The messages to all PEs, the farthest one or the nearest first. The innermost axis of a message
/// is part of a pencil of its sender, so its numbers stand side by side there.
ShapeId stream_shape(ProgramBuilder& p, const Exchange& exchange, bool from_the_end) {
  const Blocks& blocks = exchange.blocks;
  const int words = exchange.words, step = blocks.from_step * words;
  return p.shape({dimension(exchange.p(), from_the_end ? -step : step),
                  dimension(blocks.extents[0], blocks.from[0] * words),
                  dimension(blocks.extents[1], blocks.from[1] * words),
                  dimension(blocks.extents[2] * words, 1)});
}

void emit_block_streams(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  const Blocks& blocks = exchange.blocks;
  const int bytes = 4 * exchange.words, last = exchange.p() - 1;
  const ShapeId caught = message_shape(p, exchange, blocks.to);
  p.dbaser(kUnusedFrom, call.from);
  p.dstride(kUnusedFrom, 1);
  p.dlen(kUnusedFrom, 1);
  for (const int side : {0, 1}) {
    const bool plus = side == 0;
    p.dbaser(kCatchTo[side], call.to, plus ? 0 : last * blocks.to_step * bytes);
    p.dshape(kCatchTo[side], caught);
    p.dbaser(kSendFrom[side], call.from, plus ? last * blocks.from_step * bytes : 0);
    p.dshape(kSendFrom[side], stream_shape(p, exchange, plus));
    p.dlenr(kSendFrom[side], kStart[1 - side]);
  }
}

/// This PE's turn, from `send` on, and its end, from `sent` on.
void emit_sending(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call,
                  const Stream& s, Label send, Label sent) {
  const Label done = p.label();
  p.place(send);
  if (!are_numbers(exchange)) p.vmov32(kSendTo[s.side], kUnusedFrom);
  p.vmov32(kSendTo[s.side], kSendFrom[s.side], then_activate(s.sent_task));
  p.end();

  // All is on its way: end the stream.
  p.local_task(s.sent_task, TaskPriority::high);
  if (parts(exchange.form).core_goes_on) {
    p.vmov32(kFinishTo[s.side], kFinishFrom[s.side], then_activate(s.caught_task));
    p.end();
    p.local_task(s.caught_task, TaskPriority::high);
  } else {
    p.vmov32(kFinishTo[s.side], kFinishFrom[s.side]);
  }
  p.place(sent);
  p.addi(kTurns, kTurns, -1);
  p.bne(kTurns, call.zero, done);
  p.activate(exchange.next);
  p.place(done);
  p.end();
}

}  // namespace

VectorOptions then_activate(int task) {
  return {.async = true,
          .at_end = VectorOptions::AtEnd::activate,
          .task_id = static_cast<std::uint8_t>(task)};
}

Stream stream(Axis axis, bool plus) {
  const int n = (axis == Axis::row ? 0 : 2) + (plus ? 0 : 1);
  constexpr Port kTo[] = {Port::east, Port::west, Port::south, Port::north};
  // Queues that take a wavelet in every cycle: those from 4 on are too short for that.
  constexpr int kQueue[] = {2, 3, 0, 1};
  const int task = 4 + 3 * n;  // ids 0 to 3 are the transform's own
  return {plus ? 0 : 1, n, kQueue[n], opposite(kTo[n]), kTo[n], n, task, task + 1, task + 2};
}

void emit_next_place(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call,
                     const Stream& s) {
  const int step = 4 * exchange.words * exchange.blocks.to_step;
  p.dadd(kCatchTo[s.side], call.zero, s.side == 0 ? step : -step);
}

namespace {

void lay_out_turns(Layout& layout, Form form, Axis axis, int p, int message) {
  const int lines = axis == Axis::row ? layout.width() : layout.height();
  for (const bool plus : {true, false}) {
    const Stream s = stream(axis, plus);
    for (int place = 0; place < p; ++place) {
      const int order = plus ? place : p - 1 - place;  // whose turn it is
      CounterFilter filter;
      filter.counter = static_cast<std::uint32_t>(message * order);
      filter.limit1 = static_cast<std::uint32_t>(message * (p - 1));
      filter.max_counter = static_cast<std::uint32_t>(message - 1);
      for (int line = place; line < lines; line += p) {
        const Rect where = across(layout, axis, line);
        layout.route(where, s.color, route_of(form, s, order, p));
        if (order != 0) layout.filter(where, s.color, filter);
      }
    }
  }
}

std::vector<std::uint32_t> finish_turns(Form form, Axis axis, bool plus) {
  return parts(form).finish(stream(axis, plus));
}

void emit_turns_start(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  const int message = exchange.message();
  const auto size = static_cast<unsigned>(message);
  const bool shifts = std::has_single_bit(size);  // quicker than a product
  const int shift = std::countr_zero(size);
  emit_place(p, exchange);
  if (shifts)
    p.shli(kStart[0], kPlace, shift);
  else
    p.muli(kStart[0], kPlace, message);
  p.li(kLimit, message * (exchange.p() - 1));
  p.sub(kStart[1], kLimit, kStart[0]);
  if (are_numbers(exchange))
    emit_own_number(p, exchange, call);
  else
    emit_own_block(p, exchange, call);

  p.li(kTurns, 2);
  p.mov(kToCatch[0], kPlace);
  if (shifts) {
    p.shri(kToCatch[1], kStart[1], shift);
  } else {
    p.li(kToCatch[1], exchange.p() - 1);
    p.sub(kToCatch[1], kToCatch[1], kPlace);
  }
  for (const int side : {0, 1}) {
    const Stream s = stream(exchange.axis, side == 0);
    const MemorySpan& finish = exchange.finish[static_cast<std::size_t>(side)];
    parts(exchange.form).start(p, s);
    p.dfabin(kCatchFrom[side], s.queue);
    p.dlen(kCatchFrom[side], message);
    p.dfabout(kSendTo[side], s.queue, s.color);
    p.dbase(kFinishFrom[side], static_cast<std::int32_t>(finish.address));
    p.dstride(kFinishFrom[side], 1);
    p.dlen(kFinishFrom[side], static_cast<std::int32_t>(finish.bytes / 4));
    p.dfabout(kFinishTo[side], s.queue, s.color, true);
  }
  if (are_numbers(exchange))
    emit_number_streams(p, exchange, call);
  else
    emit_block_streams(p, exchange, call);

  for (const int side : {0, 1}) {
    const Stream s = stream(exchange.axis, side == 0);
    const Label first = p.label(), armed = p.label();
    p.beq(kToCatch[side], call.zero, first);
    parts(exchange.form).take(p, s);
    p.jump(armed);
    p.place(first);  // nobody sends before this PE
    p.activate({TaskKind::local, static_cast<std::uint8_t>(s.turn_task)});
    p.place(armed);
  }
}

void emit_turns_tasks(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  for (const bool plus : {true, false}) {
    const Stream s = stream(exchange.axis, plus);
    const Label send = p.label(), sent = p.label();
    // The first PE of the direction takes its turn unasked.
    p.local_task(s.turn_task, TaskPriority::high);
    p.jump(send);
    parts(exchange.form).tasks(p, exchange, call, s, send, sent);
    emit_sending(p, exchange, call, s, send, sent);
  }
}

}  // namespace

const ExchangeCode kTurns{lay_out_turns, finish_turns, emit_turns_start, emit_turns_tasks};

}  // namespace weft::wsfft
