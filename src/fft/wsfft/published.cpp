// The published form (Orenes-Vera et al., section 4.3): a limit in time.
//
// From a message that PE j catches to the next one its filter sees 1 + r (p - 1 - s) wavelets, its
// period, where s is the sender; a short task lowers limit1 after each message. The unused wavelet
// gives the last PE time to do so. Two control wavelets end a stream. Both pass the sender's router
// (the first does nothing there, the second resets its switch) and advance the next router, from
// {west -> east, ramp} over {west -> east} to {ramp -> east}; the first also starts the next core's
// turn.
//
// Nothing makes a stream wait for the limit. It is early enough if the task that lowers it is
// quicker than the next PE's turn begins, which depends on the machine. If it is late, the counter
// has passed it and the filter never opens again: PE j then lacks a message, never has its turn,
// and the exchange cannot end. So an exchange that ends has all limits in time, and is right.
//
// A PE makes its filter ready for the next exchange before it sends, and its router lets nothing in
// until it has sent. The last PE sends nothing. Where the same axis is exchanged again (in turn), a
// stream of the next exchange could come too early there. So the two control wavelets close its
// router, {west -> ramp} to {ramp -> ramp}, and its core opens it when the filter is ready.

#include "fft/wsfft/transpose_form.hpp"

namespace weft::wsfft {
namespace {
namespace published {

constexpr const Reg (&kNextLimit)[2] = kOwn;  // limit1 after the next catch

std::vector<SwitchPosition> passing(const Stream& s) {
  return {SwitchPosition::send(s.to), SwitchPosition::receive(Port::ramp)};
}

std::vector<SwitchPosition> last(const Stream&) { return {}; }

std::vector<SwitchPosition> last_in_turn(const Stream&) {
  return {SwitchPosition::receive(Port::ramp)};
}

std::vector<std::uint32_t> finish(const Stream& s) {
  ControlWavelet first;
  first.entry = s.end_entry;
  first.slots[1] = {ControlWavelet::Command::advance, false};
  ControlWavelet second;
  second.slots[0] = {ControlWavelet::Command::reset, true};
  second.slots[1] = {ControlWavelet::Command::advance, true};
  return {first.payload(), second.payload()};
}

void start(ProgramBuilder& p, const Stream& s) { p.mov(kNextLimit[s.side], kLimit); }

void take(ProgramBuilder& p, const Stream& s) {
  p.vmov32(kCatchTo[s.side], kCatchFrom[s.side], then_activate(s.caught_task));
}

void tasks(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call, const Stream& s,
           Label, Label sent) {
  const Label last = p.label(), end = p.label();
  const bool in_turn = exchange.form == Form::published_in_turn;
  // A message has come: lower the filter's limit, wait for the next.
  p.local_task(s.caught_task);
  p.addi(kToCatch[s.side], kToCatch[s.side], -1);
  p.beq(kToCatch[s.side], call.zero, last);
  p.flimit(s.color, kNextLimit[s.side]);
  p.addi(kNextLimit[s.side], kNextLimit[s.side], -exchange.message());
  emit_next_place(p, exchange, call, s);
  take(p, s);
  p.end();
  p.place(last);
  p.unblock(s.data());  // the next wavelet here is the control wavelet that gives the turn
  p.end();
  if (in_turn) {
    p.place(end);
    p.setpos(s.color, call.zero);
    p.jump(sent);
  }

  // This PE's turn: the filter is made ready for the next exchange, then the stream starts.
  p.control_task(s.end_entry, TaskPriority::high);
  p.block(s.data());
  p.flimit(s.color, kLimit);
  p.fcount(s.color, kStart[s.side]);
  p.beq(kStart[1 - s.side], call.zero, in_turn ? end : sent);  // nobody is left to send to
}

}  // namespace published
}  // namespace

const FormParts kPublished{PopMode::always_pop,
                           false,
                           published::passing,
                           published::last,
                           published::finish,
                           published::start,
                           published::take,
                           published::tasks,
                           false};
const FormParts kPublishedInTurn{PopMode::always_pop,
                                 false,
                                 published::passing,
                                 published::last_in_turn,
                                 published::finish,
                                 published::start,
                                 published::take,
                                 published::tasks,
                                 false};

}  // namespace weft::wsfft
