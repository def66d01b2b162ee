#pragma once

#include <optional>

#include "pe/filters.hpp"
#include "pe/ramp.hpp"
#include "pe/switches.hpp"
#include "spec/core.hpp"

/// Step 3 of a PE that src/pe steps: a core of the specification, at the core's side of its ramp.
namespace weft::test {

/// The core's queues are those of the ramp.
template <class S>
void fill_queues(spec::Core& core, const pe::Pe<S>& at, const pe::Rules& rules,
                 std::uint64_t cycle) {
  const auto fill = [&](spec::Queue& queue, unsigned held, unsigned seen, auto wavelet) {
    queue.clear();
    for (unsigned k = 0; k < held; ++k) {
      const pe::Wavelet w = wavelet(k);
      queue.push_back({w.payload, w.control, w.color, k < seen ? 0 : cycle + 1});
    }
  };
  for (int q = 0; q < kInputQueues; ++q)
    fill(core.input[spec::index(q)], at.ramp->in_held.number(q), at.ramp->in_seen.number(q),
         [&](unsigned k) {
           const unsigned slot = pe::input_slot(rules, *at.ramp, q, k);
           return pe::Wavelet{at.in[rules.input_first[q] + slot], at.far->in_color[q],
                              (at.far->in_control[q] >> slot & 1U) != 0};
         });
  for (int q = 0; q < kOutputQueues; ++q)
    fill(core.output[spec::index(q)], at.ramp->out_held.number(q), at.ramp->out_seen.number(q),
         [&](unsigned k) {
           const unsigned slot = pe::output_slot(rules, *at.ramp, q, k);
           return pe::Wavelet{at.out[rules.output_first[q] + slot], at.far->out_color[q],
                              (at.far->out_control[q] >> slot & 1U) != 0};
         });
}

/// A write of the PE's own router, carried out on the state of src/pe. Nothing: it is none.
template <class S>
std::optional<bool> write_router(const Instruction& i, std::uint32_t value, const pe::Pe<S>& at,
                                 const pe::Rules& rules, const pe::Now& now) {
  const auto filter = [&](pe::FilterRegister which) {
    return pe::write_filter(at, rules, which, i.a, value);
  };
  const auto route = [&](pe::RouteRegister which) {
    return pe::write_route(at, rules, now, which, i.a, value);
  };
  switch (i.op) {
    case Op::fcount:
      return filter(pe::FilterRegister::counter);
    case Op::flimit:
      return filter(pe::FilterRegister::limit1);
    case Op::fmax:
      return filter(pe::FilterRegister::max_counter);
    case Op::setpos:
      return route(pe::RouteRegister::position);
    case Op::setroute:
      return route(pe::RouteRegister::route);
    case Op::setswitch:
      return route(pe::RouteRegister::positions);
    case Op::texit:
      return route(pe::RouteRegister::torn_down);
    default:
      return std::nullopt;
  }
}

/// 3.3, with router writes on the state of src/pe.
template <class S>
void issue(spec::Core& core, const pe::Pe<S>& at, const pe::Rules& rules, const pe::Now& now) {
  if (!core.running || core.waiting || core.wake > now.cycle || core.stopped) return;
  const Instruction& i = core.program->code[core.pc];
  const std::uint32_t value = core.reg[i.d % kRegisters];
  const std::optional<bool> allowed = write_router(i, value, at, rules, now);
  if (!allowed) {
    spec::Router none;
    return core.issue(now.cycle, none);
  }
  core.did_something = true;
  if (!*allowed) {
    const bool filter = i.op == Op::fcount || i.op == Op::flimit || i.op == Op::fmax;
    core.stopped = {filter ? FaultKind::bad_filter : FaultKind::bad_switch_position, i.a, value};
    core.running = core.waiting = false;
    return;
  }
  ++core.pc;
  core.wake = now.cycle + static_cast<std::uint64_t>(core.machine.router_write_cycles);
}

/// Step 3. Takes off the ramp what the core took, and puts on it what the core put.
template <class S>
void step_core(spec::Core& core, const pe::Pe<S>& at, const pe::Rules& rules, const pe::Now& now,
               std::uint32_t torn_down) {
  for (; torn_down != 0; torn_down &= torn_down - 1)
    core.tell_torn_down(std::countr_zero(torn_down));
  fill_queues(core, at, rules, now.cycle);
  core.did_something = core.looks_again = false;
  core.step_microthreads(now.cycle);
  core.pick_task(now.cycle);
  issue(core, at, rules, now);
  for (int q = 0; q < kInputQueues; ++q)
    while (at.ramp->in_held.number(q) > core.input[spec::index(q)].size())
      pe::take_in(at, rules, q);
  for (int q = 0; q < kOutputQueues; ++q) {
    const spec::Queue& queue = core.output[spec::index(q)];
    while (at.ramp->out_held.number(q) < queue.size()) {
      const spec::Wavelet& w = queue[at.ramp->out_held.number(q)];
      pe::put_out(at, rules, q, {w.payload, w.color, w.control}, now.cycle);
    }
  }
}

}  // namespace weft::test
