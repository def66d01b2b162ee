#pragma once

#include "model/core/group.hpp"
#include "model/core/router_writes.hpp"
#include "model/core/vectors.hpp"

/// One executor per format of formats.def; instructions.def joins them with functions.
namespace weft::model::format {

using isa::Word;

template <class L, class F>
WEFT_INLINE void reg_imm(Group& g, const Instruction& i, F f) {
  const Word imm = static_cast<Word>(i.imm);
  Word* d = g.core.reg[i.d].at;
  map(g.lanes, d, d, d, [=](Word x, Word, Word) { return f(x, Word{0}, imm); });
}

template <class L, class F>
WEFT_INLINE void reg_reg(Group& g, const Instruction& i, F f) {
  map(g.lanes, g.core.reg[i.d].at, g.core.reg[i.a].at, g.core.reg[i.a].at, f);
}

template <class L, class F>
WEFT_INLINE void reg_reg_reg(Group& g, const Instruction& i, F f) {
  map(g.lanes, g.core.reg[i.d].at, g.core.reg[i.a].at, g.core.reg[i.b].at, f);
}

template <class L, class F>
WEFT_INLINE void reg_reg_imm(Group& g, const Instruction& i, F f) {
  const Word imm = static_cast<Word>(i.imm);
  map(g.lanes, g.core.reg[i.d].at, g.core.reg[i.a].at, g.core.reg[i.a].at,
      [=](Word x, Word a, Word) { return f(x, a, imm); });
}

WEFT_INLINE Word address_in(const Group& g, const Instruction& i, int lane) {
  return g.core.reg[i.a].at[lane] + static_cast<Word>(i.imm);
}

/// Takes the lanes whose address is bad out of the group. Returns whether the others are all at one
/// address, and not few.
template <class L>
WEFT_INLINE bool check_addresses(Group& g, const Instruction& i, std::uint32_t bytes) {
  const auto fault_in = [&](int lane) { return access_fault(g.v, address_in(g, i, lane), bytes); };
  const int lead = lowest(g.lanes);
  const Vector& base = g.core.reg[i.a];
  const bool alike = !few(g.lanes) && equal(g.lanes, base.at, base.at[lead]) == g.lanes;
  if (alike && fault_in(lead) == FaultKind::none) return true;
  const Mask bad = where(g.lanes, [&](int lane) { return fault_in(lane) != FaultKind::none; });
  for_each(bad, [&](int lane) {
    halt<L>(g.v, g.at, g.core, lane, fault_in(lane), g.time(lane), -1, address_in(g, i, lane),
            g.pc);
  });
  g.lanes &= ~bad;
  return false;
}

/// Words of memory at a lane's address, and the part that is meant of each.
struct Row {
  Word* words;
  WordPart part;
};

WEFT_INLINE Row row_at(const Group& g, const Instruction& i, std::uint32_t bytes, int lane) {
  const Word address = address_in(g, i, lane);
  return {memory_row(memory_of(g.v, g.at), address / 4), WordPart::at(address, bytes)};
}

/// to = f(memory word, its part), in the lanes whose address is good.
template <class L, class F>
WEFT_INLINE void load_as(Group& g, const Instruction& i, std::uint32_t bytes, Word* to, F f) {
  const auto value = [&](const Row& row, int lane) { return f(row.words[lane], row.part); };
  if (check_addresses<L>(g, i, bytes)) {
    const Row row = row_at(g, i, bytes, lowest(g.lanes));
    return assign(g.lanes, to, [&](int lane) { return value(row, lane); });
  }
  for_each(g.lanes, [&](int lane) { to[lane] = value(row_at(g, i, bytes, lane), lane); });
}

/// memory word = f(memory word, its part, d).
template <class L, class F>
WEFT_INLINE void store_as(Group& g, const Instruction& i, std::uint32_t bytes, F f) {
  const Word* const from = g.core.reg[i.d].at;
  const auto value = [&](const Row& row, int lane) {
    return f(row.words[lane], row.part, from[lane]);
  };
  if (check_addresses<L>(g, i, bytes)) {
    const Row row = row_at(g, i, bytes, lowest(g.lanes));
    return assign(g.lanes, row.words, [&](int lane) { return value(row, lane); });
  }
  for_each(g.lanes, [&](int lane) {
    const Row row = row_at(g, i, bytes, lane);
    row.words[lane] = value(row, lane);
  });
}

template <class L, class F>
WEFT_INLINE void load(Group& g, const Instruction& i, F) {
  load_as<L>(g, i, 4, g.core.reg[i.d].at, [](Word word, WordPart) { return word; });
}

template <class L, class F>
WEFT_INLINE void load_half(Group& g, const Instruction& i, F) {
  load_as<L>(g, i, 2, g.core.reg[i.d].at, [](Word word, WordPart part) { return part.get(word); });
}

template <class L, class F>
WEFT_INLINE void load_pair(Group& g, const Instruction& i, F) {
  Word *const low = g.core.reg[i.d].at, *const high = g.core.reg[i.d + 1].at;
  load_as<L>(g, i, 4, high, [](Word word, WordPart) { return word; });
  if (g.lanes == 0) return;
  map(g.lanes, low, high, high, [](Word, Word word, Word) { return word & 0xffffU; });
  map(g.lanes, high, high, high, [](Word, Word word, Word) { return word >> 16U; });
}

template <class L, class F>
WEFT_INLINE void store(Group& g, const Instruction& i, F) {
  store_as<L>(g, i, 4, [](Word, WordPart, Word value) { return value; });
}

template <class L, class F>
WEFT_INLINE void store_half(Group& g, const Instruction& i, F) {
  store_as<L>(g, i, 2, [](Word word, WordPart part, Word value) { return part.put(word, value); });
}

WEFT_INLINE void take(Group& g, std::int32_t target) {
  g.next = static_cast<std::uint32_t>(target);
  g.cost = g.v.timing.branch_taken;
}

template <class L, class F>
WEFT_INLINE void jump(Group& g, const Instruction& i, F) {
  take(g, i.imm);
}

template <class L, class F>
WEFT_INLINE void branch(Group& g, const Instruction& i, F f) {
  const Word* d = g.core.reg[i.d].at;
  const Word* a = g.core.reg[i.a].at;
  const Mask taken =
      which(g.lanes, [=](int lane) WEFT_INLINED { return f(d[lane], a[lane], Word{0}) != 0; });
  if (taken == g.lanes) return take(g, i.imm);
  // Lanes that part go on by themselves.
  schedule_issue<L>(g.v, g.core, taken, static_cast<std::uint32_t>(i.imm),
                    g.elapsed + g.v.timing.branch_taken);
  g.lanes &= ~taken;
}

template <class L, class F>
WEFT_INLINE void call(Group& g, const Instruction& i, F) {
  fill(g.lanes, g.core.reg[i.d].at, g.pc + 1);
  take(g, i.imm);
}

template <class L, class F>
WEFT_INLINE void ret(Group& g, const Instruction& i, F) {
  const auto target_in = [&](int lane) {
    return static_cast<std::int32_t>(g.core.reg[i.d].at[lane]);
  };
  const Mask bad = where(g.lanes, [&](int lane) {
    const TaskTable& program = g.v.programs[g.core.program[lane]];
    return target_in(lane) < program.first || target_in(lane) >= program.last;
  });
  for_each(bad, [&](int lane) {
    halt<L>(g.v, g.at, g.core, lane, FaultKind::ran_off_program, g.time(lane), -1, target_in(lane),
            g.pc);
  });
  for_each(g.lanes & ~bad, [&](int lane) {
    schedule_issue<L>(g.v, g.core, lane_bit(lane), static_cast<std::uint32_t>(target_in(lane)),
                      g.elapsed + g.v.timing.branch_taken);
  });
  g.lanes = 0;
}

template <class L, class F>
WEFT_INLINE void place(Group& g, const Instruction& i, F) {
  for_each(g.lanes, [&](int lane) {
    g.core.reg[i.d].at[lane] = static_cast<Word>(i.op == Op::xcoord ? L::Hooks::x(g.v, g.at, lane)
                                                                    : L::Hooks::y(g.v, g.at, lane));
  });
}

template <class L, class F>
WEFT_INLINE void clock(Group& g, const Instruction& i, F) {
  for_each(g.lanes, [&](int lane) {
    const std::uint64_t time = L::Hooks::clock(g.v, lane, g.time(lane));
    g.core.reg[i.d].at[lane] = static_cast<Word>(i.op == Op::tsc ? time : time >> 32U & 0xffffU);
  });
}

/// The descriptor names this from now on.
WEFT_INLINE void name(Group& g, int d, std::uint32_t where) {
  const auto set = [&](Mask& lanes, bool yes) { lanes = yes ? lanes | g.lanes : lanes & ~g.lanes; };
  const Operand::Kind kind = Operand::kind(where);
  set(g.core.shaped_dsr[d], kind == Operand::shaped);
  set(g.core.fabric_dsr[d], kind != Operand::shaped && kind != Operand::memory);
  fill(g.lanes, g.core.where[d].at, where);
}

template <class L, class F>
WEFT_INLINE void dsr_imm(Group& g, const Instruction& i, F) {
  const Word imm = static_cast<Word>(i.imm);
  if (i.op == Op::dlen) return fill(g.lanes, g.core.length[i.d].at, imm);
  if (i.op == Op::dstride) return fill(g.lanes, g.core.stride[i.d].at, imm);
  name(g, i.d, Operand::pack(Operand::memory));
  fill(g.lanes, g.core.base[i.d].at, imm);
}

template <class L, class F>
WEFT_INLINE void dsr_reg_imm(Group& g, const Instruction& i, F) {
  const Word imm = static_cast<Word>(i.imm);
  const Word* a = g.core.reg[i.a].at;
  const auto assign = [=](Word, Word x, Word) { return x + imm; };
  if (i.op == Op::dlenr) return map(g.lanes, g.core.length[i.d].at, a, a, assign);
  if (i.op == Op::dstrider) return map(g.lanes, g.core.stride[i.d].at, a, a, assign);
  if (i.op == Op::dadd)
    return map(g.lanes, g.core.base[i.d].at, a, a,
               [=](Word d, Word x, Word) { return d + x + imm; });
  name(g, i.d, Operand::pack(Operand::memory));
  map(g.lanes, g.core.base[i.d].at, a, a, assign);
}

template <class L, class F>
WEFT_INLINE void dsr_fabric_in(Group& g, const Instruction& i, F) {
  name(g, i.d, Operand::pack(Operand::fabric_in, i.a));
}

template <class L, class F>
WEFT_INLINE void dsr_fabric_out(Group& g, const Instruction& i, F) {
  name(g, i.d, Operand::pack(Operand::fabric_out, i.a, i.b, static_cast<std::uint32_t>(i.imm)));
}

template <class L, class F>
WEFT_INLINE void dsr_shape(Group& g, const Instruction& i, F) {
  const Word shape = static_cast<Word>(i.imm);
  name(g, i.d, Operand::pack(Operand::shaped, shape));
  fill(g.lanes, g.core.length[i.d].at, g.v.shapes[shape].elements);
}

template <class L, class F>
WEFT_INLINE void dsr_fifo(Group& g, const Instruction& i, F) {
  name(g, i.d, Operand::pack(Operand::fifo, i.a));
}

template <class L, class F>
WEFT_INLINE void fifo_read(Group& g, const Instruction& i, F) {
  copy(g.lanes, g.core.reg[i.d].at, g.v.fifos[g.core.fifo + i.a].held.at);
}

#define WEFT_FORMAT(...)
#define WEFT_VECTOR_FORMAT(name, ...)                        \
  template <class L, class F>                                \
  WEFT_INLINE void name(Group& g, const Instruction& i, F) { \
    run_vector<L>(g, i, operands_of(isa::Format::name, i));  \
  }
#include "isa/formats.def"
#include "model/lanes/lane_vectors.hpp"

template <class L, class F>
WEFT_INLINE void task(Group& g, const Instruction& i, F) {
  if (i.op == Op::activate) return activate_local(g.core, i.b, g.lanes);
  set_blocked(g.core, static_cast<TaskKind>(i.a), i.b, g.lanes, i.op == Op::block);
}

template <class L, class F>
WEFT_INLINE void end(Group& g, const Instruction&, F) {
  L::Hooks::ends_task(g);
  L::Hooks::template ends_task_of<L>(g);
  if (!L::Hooks::end_task(g)) g.core.running &= ~g.lanes;
  g.lanes = 0;
}

template <class L, class F>
WEFT_INLINE void pending(Group& g, const Instruction& i, F) {
  copy(g.lanes, g.core.reg[i.d].at, g.core.pending.at);
  fill(g.lanes, g.core.pending.at, 0);
}

}  // namespace weft::model::format
