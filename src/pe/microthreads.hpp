#pragma once

#include "pe/elements.hpp"

/// 3.1. Microthreads, vector instructions with a fabric operand: each does at most one element a
/// cycle.
namespace weft::pe {

/// A microthread has the number of its output queue, else of its first input queue; -1: neither.
WEFT_HD int microthread_of(const Work& w) {
  int number = -1;
  for (int k = 2; k >= 0; --k)
    if (w.name[k].kind() == Kind::input) number = w.name[k].number();
  for (const Name name : w.name)
    if (name.is_output()) number = name.number();
  return number;
}

/// Something will come of it in this cycle, be it only that a FIFO is found empty or full.
WEFT_HD_RARE bool acts(CoreArgs args, int number) {
  const CoreView c = args.view();
  const Work& w = c.work(number);
  bool control = false;
  for (const Name name : w.name) {
    if (name.kind() == Kind::input) {
      if ((c.in().ramp.ready >> name.number() & 1U) == 0) return false;
      control |= c.in().wavelet(name.number(), 0).control;
    }
    if (name.is_output() && (c.out().ramp.full >> name.number() & 1U) != 0) return false;
  }
  return control || !fifos_lack(c, w) || !VectorOptions::unpack(c.code(w.pc).imm).async ||
         !knows_lack(c, w);
}

/// A control wavelet that stands where the next element should is taken off its queue, and starts
/// nothing.
WEFT_HD bool drop_control(CoreView c, const Work& w) {
  bool dropped = false;
  for (const Name name : w.name) {
    if (name.kind() != Kind::input || !c.in().wavelet(name.number(), 0).control) continue;
    pop(c.in(), name.number());
    dropped = true;
  }
  return dropped;
}

/// The microthread's queues are free again, and what it was to do at its end is done.
WEFT_HD_RARE void finish(CoreArgs args, int number) {
  const CoreView c = args.view();
  const Work& w = c.work(number);
  for (std::uint8_t* bits :
       {&c.near().live, &c.near().starting, &c.near().takes, &c.near().puts, &c.near().moves})
    set_bit(*bits, number, false);
  for (const Name name : w.name) {
    if (name.kind() == Kind::input) set_bit(c.near().claimed, name.number(), false);
    if (name.is_output()) set_bit(c.far().claimed_outputs, name.number(), false);
  }
  const VectorOptions options = VectorOptions::unpack(c.code(w.pc).imm);
  if (!options.async) {
    c.near().waiting = false;
    c.near().due = static_cast<std::uint32_t>(c.cycle) + c.rules().timing.scalar;
  } else if (options.at_end == VectorOptions::AtEnd::activate) {
    activate(c, options.task_id);
  } else if (options.at_end == VectorOptions::AtEnd::unblock) {
    set_blocked(c, options.task_kind, options.task_id, false);
  }
}

/// It copies words between memory, all of which can be accessed, and the queue of its number.
WEFT_HD bool moves_words(CoreView c, const Work& w, bool sends) {
  const int k = sends ? 1 : 0;
  if (!c.rules().data || c.code(w.pc).op() != Op::vmov32 || w.name[k].kind() != Kind::memory)
    return false;
  const std::int64_t last =
      w.at[k] + std::int64_t{static_cast<std::int32_t>(w.step[k])} * (w.left - 1U);
  return w.at[k] % 4 == 0 && last >= 0 && last < c.rules().timing.memory_bytes &&
         w.at[k] < c.rules().timing.memory_bytes;
}

/// An element as most elements are: what step_any does, in fewer instructions. False: it is
/// another, and nothing was done.
WEFT_HD bool move_word(CoreView c, int queue, Work& w, bool sends) {
  Progress now = w;
  const std::uint32_t address = sends ? now.at[1] : now.at[0];
  std::uint32_t& word = memory_word(c.memory(), address);
  if (sends) {
    const RampQueues out = c.out();
    const Name to = w.name[0];
    std::uint8_t& color = out.marks.color[queue];
    if (color != to.color()) {
      if (out.ramp.held(queue) != 0) return false;
      color = static_cast<std::uint8_t>(to.color());
    }
    push(out, queue, {word, to.color(), to.kind() == Kind::control_output},
         c.cycle + c.rules().timing.ramp);
  } else {
    const RampQueues in = c.in();
    if (in.wavelet(queue, 0).control) return false;
    word = pop(in, queue).payload;
  }
  (sends ? now.at[1] : now.at[0]) = address + w.step[sends ? 1 : 0];
  --now.left;
  static_cast<Progress&>(w) = now;
  return true;
}

WEFT_HD_RARE void step_any(CoreArgs args, int number) {
  const CoreView c = args.view();
  Work& w = c.work(number);
  const Code& i = c.code(w.pc);
  if (drop_control(c, w)) return;
  if (fifos_lack(c, w)) {
    note_lack(c, w);
    if (!VectorOptions::unpack(i.imm).async) finish(c, number);
    return;
  }
  if (do_element(c, i, number) && --w.left == 0) finish(c, number);
}

/// Those whose first element may come now do not start any more.
WEFT_HD_RARE void end_starts(CoreArgs args) {
  const CoreView c = args.view();
  Core& core = c.near();
  core.note(Did::timed);
  for (std::uint32_t rest = core.starting; rest != 0; rest &= rest - 1U)
    if (reached(c.work(lowest(rest)).first, c.cycle)) set_bit(core.starting, lowest(rest), false);
  for (std::uint32_t rest = core.starting; rest != 0; rest &= rest - 1U) {
    const std::uint32_t first = c.work(lowest(rest)).first;
    if (rest == core.starting || reached(first, core.first)) core.first = first;
  }
}

/// Who would watch a core, of PEs that do not count: as CoreWatch (counting.hpp).
struct NoWatch {
  WEFT_HD void begin(CoreView) {}
  WEFT_HD void before(CoreView, int) {}
  WEFT_HD void after(CoreView, int) {}
  WEFT_HD static void issues(CoreView, std::uint32_t, std::uint64_t) {}
  WEFT_HD static void issued(CoreView, const Code&, std::uint64_t) {}
  WEFT_HD static bool stops(CoreView, std::uint32_t) { return false; }
};

/// By number: each that has its data and its room does one element. Returns whether any did.
template <class Watch>
WEFT_HD bool step_microthreads(CoreView c, Watch& watch) {
  Core& core = c.near();
  if (core.live == 0) return false;
  if (core.starting != 0 && reached(core.first, c.cycle)) end_starts(c);
  watch.begin(c);
  const std::uint32_t takes = core.takes, puts = core.puts, moves = core.moves;
  const std::uint32_t able =
      (takes & c.in().ramp.ready) | (puts & ~std::uint32_t{c.out().ramp.full});
  std::uint32_t rest = core.live & ~core.starting & (able | ~(takes | puts));
  bool moved = false;
  for (; rest != 0; rest &= rest - 1U) {
    const int number = lowest(rest);
    const std::uint32_t bit = rest & (0U - rest);
    watch.before(c, number);
    if (((takes | puts) & bit) == 0 && !acts(c, number)) continue;
    moved = true;
    Work& w = c.work(number);
    if ((moves & bit) == 0 || !move_word(c, number, w, (puts & bit) != 0))
      step_any(c, number);
    else if (w.left == 0)
      finish(c, number);
    watch.after(c, number);
  }
  return moved;
}

/// The queues that a microthread will use, a bit each, or why it cannot: sources come from the
/// fabric, destinations go to it, and each queue has one user.
struct Claim {
  FaultKind fault;
  std::uint32_t inputs, outputs;
};

WEFT_HD Claim find_claim(CoreView c, const Work& w, int number) {
  Claim claim{FaultKind::none, 0, 0};
  const auto fail = [&](FaultKind why) { return Claim{why, 0, 0}; };
  if ((c.near().live >> number & 1U) != 0) return fail(FaultKind::microthread_in_use);
  for (int k = 0; k < 3; ++k) {
    const Name name = w.name[k];
    if (!name.is_fabric()) continue;
    if (name.is_output() != (k == 0)) return fail(FaultKind::bad_operands);
    const std::uint32_t bit = 1U << name.number();
    const std::uint32_t claimed = name.is_output() ? c.far().claimed_outputs : c.near().claimed;
    std::uint32_t& queues = name.is_output() ? claim.outputs : claim.inputs;
    if (((queues | claimed) & bit) != 0) return fail(FaultKind::microthread_in_use);
    queues |= bit;
  }
  return claim;
}

/// Starts a microthread. The core goes on, or waits for its end.
WEFT_HD_RARE void start_microthread(CoreArgs args, const Code& i) {
  const CoreView c = args.view();
  const Work& w = c.work(kOwnWork);
  Core& core = c.near();
  const int number = microthread_of(w);
  const Claim claim = find_claim(c, w, number);
  if (claim.fault != FaultKind::none) return halt(c, claim.fault, -1, number);
  const model::Timing& t = c.rules().timing;
  Work& work = c.work(number);
  work = w;
  work.first =
      static_cast<std::uint32_t>(c.cycle) + (t.microthread_start > 0 ? t.microthread_start : 1U);
  core.claimed = static_cast<std::uint8_t>(core.claimed | claim.inputs);
  c.far().claimed_outputs = static_cast<std::uint8_t>(c.far().claimed_outputs | claim.outputs);
  bool fifo = false;
  for (const Name name : w.name) fifo |= name.kind() == Kind::fifo;
  const bool alone = !fifo && count(claim.inputs) + count(claim.outputs) == 1;
  set_bit(core.takes, number, alone && claim.inputs != 0);
  set_bit(core.puts, number, alone && claim.outputs != 0);
  set_bit(core.moves, number, alone && moves_words(c, work, claim.outputs != 0));
  if (core.starting == 0 || reached(work.first, core.first)) core.first = work.first;
  set_bit(core.live, number, true);
  set_bit(core.starting, number, true);
  core.waiting = !VectorOptions::unpack(i.imm).async;
  if (w.left == 0) finish(c, number);
}

}  // namespace weft::pe
