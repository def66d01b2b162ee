#pragma once

#include "pe/ramp.hpp"

/// A core and all that it reaches: its own state, PE memory, and its ends of the ramp.
namespace weft::pe {

struct CoreView;

/// The same in few words, for functions that are called: a GPU passes more of them in memory.
struct CoreArgs {
  const CoreArrays* arrays;
  std::uint32_t n;
  std::uint64_t cycle;

  WEFT_HD CoreView view() const;
};

struct CoreView {
  const CoreArrays* arrays;
  std::uint32_t n;
  const Rules* common;
  Core* own_core;
  std::uint64_t cycle;  ///< in which it does what it does

  WEFT_HD operator CoreArgs() const { return {arrays, n, cycle}; }
  WEFT_HD const Rules& rules() const { return *common; }
  WEFT_HD Core& near() const { return *own_core; }
  WEFT_HD FarCore& far() const { return arrays->far_core[n]; }
  WEFT_HD std::uint32_t* memory() const { return arrays->memory_of(n, rules()); }
  WEFT_HD std::uint32_t& reg(int number) const { return arrays->reg(n, number); }
  WEFT_HD RampQueues in() const { return ramp_queues(*arrays, n, near(), 0, rules()); }
  WEFT_HD RampQueues out() const { return ramp_queues(*arrays, n, near(), 1, rules()); }
  WEFT_HD const model::TaskTable& tasks() const { return rules().programs.programs[far().program]; }
  WEFT_HD const Code& code(std::uint32_t pc) const { return rules().programs.code[pc]; }
  WEFT_HD Work& work(int number) const { return far().work[number]; }
  WEFT_HD void did(Did what) const { near().note(what); }
};

WEFT_HD CoreView CoreArgs::view() const {
  return {arrays, n, arrays->rules, &arrays->core[n], cycle};
}

template <class S>
WEFT_HD CoreView core_of(Pe<S> pe, std::uint64_t cycle) {
  return {pe.arrays, pe.n, pe.common, pe.own_core, cycle};
}

/// Of several faults in a cycle the lowest kind counts.
WEFT_HD_RARE void record(Core& core, FarCore& far, FaultKind kind, int color, std::int64_t detail) {
  if (core.has(Did::fault) && far.fault.kind <= kind) return;
  core.note(Did::fault);
  far.fault = {kind, color, detail};
}

/// A core that faulted runs no more; the run ends with the fault's cycle.
WEFT_HD_RARE void halt(CoreArgs args, FaultKind kind, int color, std::int64_t detail) {
  const CoreView c = args.view();
  record(c.near(), c.far(), kind, color, detail);
  c.near().placed = c.near().running = c.near().waiting = false;
}

/// The fault of an access of two or four bytes, or none.
WEFT_HD FaultKind access_fault(const Rules& rules, std::uint32_t address, std::uint32_t bytes) {
  if (address % bytes != 0) return FaultKind::memory_misaligned;
  return address >= rules.timing.memory_bytes ? FaultKind::memory_out_of_range : FaultKind::none;
}

/// Whether it can be accessed; if not, the core halts.
WEFT_HD bool access(CoreView c, std::uint32_t address, std::uint32_t bytes) {
  const FaultKind fault = access_fault(c.rules(), address, bytes);
  if (fault != FaultKind::none) halt(c, fault, -1, address);
  return fault == FaultKind::none;
}

WEFT_HD std::uint32_t& memory_word(std::uint32_t* memory, std::uint32_t address) {
  const std::uint32_t at = address / 4 * kPatch;
  return memory[at];
}

WEFT_HD std::uint32_t load(std::uint32_t* memory, std::uint32_t address, std::uint32_t bytes) {
  const std::uint32_t word = memory_word(memory, address);
  return bytes == 4 ? word : word >> (address & 2U) * 8U & 0xffffU;
}

WEFT_HD void store(std::uint32_t* memory, std::uint32_t address, std::uint32_t bytes,
                   std::uint32_t value) {
  std::uint32_t& word = memory_word(memory, address);
  if (bytes == 4) {
    word = value;
    return;
  }
  const std::uint32_t shift = (address & 2U) * 8U;
  word = (word & ~(0xffffU << shift)) | (value & 0xffffU) << shift;
}

}  // namespace weft::pe
