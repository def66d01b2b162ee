#pragma once

#include <array>
#include <bit>
#include <optional>

#include "pe/filters.hpp"
#include "pe/ramp.hpp"
#include "pe/switches.hpp"
#include "spec/core.hpp"

/// Step 3 of a PE that src/pe steps: a core of the specification, at the core's side of its ramp.
namespace weft::test {

/// The core's queues are those of the ramp.
template <std::size_t queues>
void fill_queues(std::array<spec::Queue, queues>& into, const pe::RampQueues& from,
                 std::uint64_t cycle) {
  for (int q = 0; q < static_cast<int>(queues); ++q) {
    spec::Queue& queue = into[spec::index(q)];
    queue.clear();
    for (unsigned k = 0; k < from.ramp.held.number(q); ++k) {
      const pe::Wavelet w = from.wavelet(q, k);
      queue.push_back(
          {w.payload, w.control, w.color, k < from.ramp.seen.number(q) ? 0 : cycle + 1});
    }
  }
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
  const pe::RampQueues inputs = pe::to_core(at, rules), outputs = pe::to_router(at, rules);
  fill_queues(core.input, inputs, now.cycle);
  fill_queues(core.output, outputs, now.cycle);
  core.did_something = core.looks_again = false;
  core.step_microthreads(now.cycle);
  core.pick_task(now.cycle);
  issue(core, at, rules, now);
  for (int q = 0; q < kInputQueues; ++q)
    while (inputs.ramp.held.number(q) > core.input[spec::index(q)].size()) pe::pop(inputs, q);
  for (int q = 0; q < kOutputQueues; ++q) {
    const spec::Queue& queue = core.output[spec::index(q)];
    while (outputs.ramp.held.number(q) < queue.size()) {
      const spec::Wavelet& w = queue[outputs.ramp.held.number(q)];
      outputs.marks.color[q] = static_cast<std::uint8_t>(w.color);
      pe::push(outputs, q, {w.payload, w.color, w.control}, w.ready);
    }
  }
}

}  // namespace weft::test
