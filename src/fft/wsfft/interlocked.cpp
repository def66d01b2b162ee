// The interlocked form: no limit is lowered, and no stream comes before its filter is ready.
//
// One control wavelet ends stream s. On its way it advances every switch from {west -> east, ramp}
// to {ramp -> east, ramp}, and every core past s sees it. In order, at each PE j > s:
// 1. The router lets nothing more in from the west once the control wavelet has left it. So the
//    filter has counted all of stream s, and nothing of stream s + 1.
// 2. The core looks at the control wavelet after the message of stream s: they stand in one queue,
//    and the color is blocked until the microthread has taken the message.
// 3. Then it writes the counter that every stream is to begin with, and only after that opens the
//    switch again (position 0); PE s + 1 instead goes on to position 2, {ramp -> east}, and sends.
//    Both are writes of one task, in its order, and a router obeys them in the same order.
// So stream s + 1 meets a filter that begins anew, whatever any core, link or task takes: an early
// wavelet waits at a closed input. The sender's own switch is a ring, and its control wavelet takes
// it back to position 0 behind all that the PE has sent.
//
// It ends on every machine: no core waits while it puts something out, not even the control wavelet
// that ends its stream. (An unused wavelet that is put out alone finds its output queue empty: the
// core has sent nothing since its last turn.) So each opens its switches, and what is stuck before
// them goes on.

#include "fft/wsfft/transpose_form.hpp"

namespace weft::wsfft {
namespace {
namespace interlocked {

constexpr const Reg (&kTurnPosition)[2] = kOwn;  // the switch's position in this PE's turn

std::vector<SwitchPosition> passing(const Stream& s) {
  return {SwitchPosition::receive(Port::ramp), SwitchPosition::send(s.to)};
}

std::vector<SwitchPosition> last(const Stream&) { return {SwitchPosition::receive(Port::ramp)}; }

std::vector<std::uint32_t> finish(const Stream& s) {
  ControlWavelet end;
  end.entry = s.end_entry;
  end.slots[0] = {ControlWavelet::Command::advance, false};
  return {end.payload()};
}

void start(ProgramBuilder& p, const Stream& s) {
  // The last PE of the direction sends nothing: it opens its switch for the next exchange.
  const Label last = p.label();
  p.li(kTurnPosition[s.side], 0);
  p.beq(kStart[1 - s.side], kTurnPosition[s.side], last);
  p.li(kTurnPosition[s.side], 2);
  p.place(last);
}

void take(ProgramBuilder& p, const Stream& s) {
  p.vmov32(kCatchTo[s.side], kCatchFrom[s.side],
           {.async = true,
            .at_end = VectorOptions::AtEnd::unblock,
            .task_kind = TaskKind::data,
            .task_id = static_cast<std::uint8_t>(s.color)});
}

void tasks(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call, const Stream& s,
           Label send, Label sent) {
  const Label turn = p.label();
  p.control_task(s.end_entry, TaskPriority::high);
  p.block(s.data());
  p.fcount(s.color, kStart[s.side]);
  p.addi(kToCatch[s.side], kToCatch[s.side], -1);
  p.beq(kToCatch[s.side], call.zero, turn);
  p.setpos(s.color, call.zero);
  emit_next_place(p, exchange, call, s);
  take(p, s);
  p.end();
  p.place(turn);
  p.setpos(s.color, kTurnPosition[s.side]);
  p.bne(kStart[1 - s.side], call.zero, send);
  p.jump(sent);  // nobody is left to send to
}

}  // namespace interlocked
}  // namespace

const FormParts kInterlocked{PopMode::no_pop,
                             true,
                             interlocked::passing,
                             interlocked::last,
                             interlocked::finish,
                             interlocked::start,
                             interlocked::take,
                             interlocked::tasks,
                             true};

}  // namespace weft::wsfft
