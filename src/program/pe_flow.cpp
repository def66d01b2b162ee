#include <fmt/format.h>

#include <utility>

#include "program/number_text.hpp"
#include "program/pe_impl.hpp"
#include "program/vector_forms.hpp"
#include "weft/error.hpp"
#include "weft/pe_program.hpp"

/// Loops and conditions of a PeProgram.
namespace weft::inline v0 {
namespace {

Op opposite_branch(Op op) {
  constexpr Op kOpposite[][2] = {{Op::beq, Op::bne}, {Op::blt, Op::bge}, {Op::bltu, Op::bgeu}};
  for (const auto& [one, other] : kOpposite) {
    if (op == one) return other;
    if (op == other) return one;
  }
  return op;
}

/// As the user may have written it.
std::string text_of(const PeProgramAccess::Impl& impl, const PeCondition& c) {
  std::string text;
  if (c.joined == PeCondition::Joined::no) {
    const bool is_equal = c.branch == Op::beq, differs = c.branch == Op::bne,
               less = c.branch == Op::blt || c.branch == Op::bltu;
    const char* sign = is_equal ? "==" : differs ? "!=" : less ? "<" : ">=";
    if (c.swapped) sign = less ? ">" : "<=";
    text = fmt::format(
        "{} {} {}", impl.register_text(c.a), sign,
        c.b ? impl.register_text(*c.b) : number_text(c.value->bits(c.type), c.type).text);
  }
  for (const PeCondition& part : c.parts)
    text += fmt::format("{}({})",
                        text.empty()                           ? ""
                        : c.joined == PeCondition::Joined::all ? " & "
                                                               : " | ",
                        text_of(impl, part));
  return c.negated ? fmt::format("~({})", text) : text;
}

void check(const PeCondition& c) {
  if (c.b && c.b->type != c.type && (is_float(c.type) || is_float(c.b->type)))
    throw Error(ErrorCategory::program,
                fmt::format("invalid comparison: a register of type {} with one of type {}",
                            to_string(c.type), to_string(c.b->type)),
                "the core's branches compare bits", "declare them with one type");
}

/// A branch to the label if the one question is answered so.
void branch_on_one(PeProgram& p, const PeCondition& c, bool holds, Label target) {
  check(c);
  auto& impl = PeProgramAccess::impl(p);
  std::optional<Literal> literal;
  if (!c.b) literal = impl.literal(*c.value, c.type);
  impl.check(c.a);
  if (c.b) impl.check(*c.b);
  Reg a = c.a, b = c.b ? c.b->reg : literal->scalar.reg;
  if (c.swapped) std::swap(a, b);
  bool second_is_literal = !c.swapped;
  const bool by_order = c.branch != Op::beq && c.branch != Op::bne;
  if (is_float(c.type) && by_order) {  // first 1 or 0; a >= b is b <= a
    const bool less = c.branch == Op::blt, f32 = c.type == ElementType::f32;
    if (!less) {
      std::swap(a, b);
      second_is_literal = !second_is_literal;
    }
    const Op op = less ? (f32 ? Op::flts : Op::flth) : (f32 ? Op::fles : Op::fleh);
    const Reg yes = impl.scratch();
    p.instruction({.op = op, .d = yes.index, .a = a.index, .b = b.index});
    if (literal) impl.mark(*literal, second_is_literal ? 2 : 1);
    const Literal zero = impl.literal(0, ElementType::i32);
    holds ? p.bne(yes, zero.scalar, target) : p.beq(yes, zero.scalar, target);
    return impl.mark(zero, 1);
  }
  const Op op = holds ? c.branch : opposite_branch(c.branch);
  p.instruction({.op = op, .d = a.index, .a = b.index, .imm = target.index});
  if (literal) impl.mark(*literal, second_is_literal ? 1 : 0);
}

}  // namespace

void put_branch(PeProgram& p, const PeCondition& c, bool holds, Label target) {
  if (c.negated) holds = !holds;
  if (c.joined == PeCondition::Joined::no) return branch_on_one(p, c, holds, target);
  // Any part that holds answers "any"; any that does not answers "all".
  const bool answer = c.joined == PeCondition::Joined::any;
  if (answer == holds) {
    for (const PeCondition& part : c.parts) put_branch(p, part, holds, target);
    return;
  }
  auto& impl = PeProgramAccess::impl(p);
  const Label past = impl.builder.label();
  for (const PeCondition& part : c.parts)
    if (&part != &c.parts.back()) put_branch(p, part, answer, past);
  put_branch(p, c.parts.back(), holds, target);
  impl.put_label(past);
}

void PeProgram::Impl::enter_loop(PeBlock& b) {
  b.again = builder.label();
  put_label(b.again);
  ++at.depth;
  enter(b);
  at.loops.push_back({section().size()});
}

PeBlock PeProgram::open_count_down(PeScalar left) {
  PeBlock b;
  b.kind = PeBlock::Kind::count_down;
  b.what = impl_->saying;
  b.counter = left;
  impl_->expect_literal(0, ElementType::i32);  // of the branch at its end
  impl_->enter_loop(b);
  return b;
}

PeBlock PeProgram::open_repeat(int times, CallLine) {
  if (times < 1)
    impl_->refuse(fmt::format("invalid count of a loop: {}", times), "allowed: 1 or more",
                  "leave it out where there is nothing to do");
  const PeScalar left = impl_->loop_counter();
  const Says says(impl_->saying, fmt::format("repeat({})", times));
  set(left, times);
  return open_count_down(left);
}

PeBlock PeProgram::open_repeat(PeScalar times, CallLine) {
  impl_->check(times);
  const PeScalar left = impl_->loop_counter();
  const Label out = impl_->builder.label();
  const Says says(impl_->saying, impl_->text_of("repeat", {times}));
  set(left, times);
  const Literal zero = impl_->literal(0, ElementType::i32);
  beq(left, zero.scalar, out);
  impl_->mark(zero, 1);
  PeBlock b = open_count_down(left);
  b.out = out;
  return b;
}

PeBlock PeProgram::open_range(PeScalar i, int first, int end, int step, CallLine) {
  if (step < 1 || first >= end)
    impl_->refuse(fmt::format("invalid range: from {} to {} by {}", first, end, step),
                  "it counts up, and goes once or more", "swap its ends, or leave it out");
  // The count goes past the end, and must not wrap around there.
  const std::int64_t rounds = (std::int64_t{end} - first + step - 1) / step;
  (void)PeValue(first + rounds * step).bits(i.type);
  PeBlock b;
  b.kind = PeBlock::Kind::range;
  b.counter = i;
  b.end = end;
  b.step = step;
  impl_->expect_literal(end, i.type);  // of the branch at its end
  const Says says(impl_->saying, fmt::format("range({}, {}, {}{})", impl_->register_text(i), first,
                                             end, step == 1 ? "" : fmt::format(", {}", step)));
  b.what = impl_->saying;
  set(i, first);
  impl_->enter_loop(b);
  return b;
}

PeBlock PeProgram::open_repeat_while(const PeCondition& condition, CallLine) {
  PeBlock b;
  b.kind = PeBlock::Kind::repeat_while;
  b.what = fmt::format("repeat_while({})", text_of(*impl_, condition));
  const Says says(impl_->saying, b.what);
  b.condition = condition;
  b.out = impl_->builder.label();
  put_branch(*this, condition, false, b.out);
  impl_->enter_loop(b);
  return b;
}

PeBlock PeProgram::open_when(const PeCondition& condition, CallLine) {
  PeBlock b;
  b.kind = PeBlock::Kind::when;
  const Says says(impl_->saying, fmt::format("when({})", text_of(*impl_, condition)));
  b.out = impl_->builder.label();
  put_branch(*this, condition, false, b.out);
  impl_->enter(b);
  return b;
}

PeBlock PeProgram::open_otherwise(PeBlock& when, CallLine) {
  Section& section = impl_->section();
  const bool follows = when.kind == PeBlock::Kind::when && when.closed && !section.empty() &&
                       section.back().kind == Item::Kind::label &&
                       section.back().label.index == when.out.index;
  if (!follows)
    impl_->refuse("otherwise does not follow a condition", "it stands right after its end, once",
                  "write nothing between the two");
  section.pop_back();
  PeBlock b;
  b.kind = PeBlock::Kind::otherwise;
  b.out = impl_->builder.label();
  jump(b.out);
  impl_->put_label(when.out);
  when.kind = PeBlock::Kind::otherwise;
  impl_->enter(b);
  return b;
}

void PeProgram::close(PeBlock& b) {
  if (std::exchange(b.closed, true))
    impl_->refuse("a block is closed twice", "each has one end", "close it once");
  if (b.kind == PeBlock::Kind::phase) {
    if (!impl_->end_phase(b.outer)) impl_->refuse_crossed_phases();
    return;
  }
  if (b.number != impl_->at.block)
    impl_->refuse("a block is closed in which another one is open", "they end from the inside out",
                  "close the inner one first");
  set_call_line(b.line);
  const Says says(impl_->saying, b.what);
  switch (b.kind) {
    case PeBlock::Kind::count_down:
      addi(*b.counter, *b.counter, -1);
      put_branch(*this, *b.counter != 0, true, b.again);
      impl_->free_counters[impl_->at.section].push_back(*b.counter);
      break;
    case PeBlock::Kind::range:
      add(*b.counter, *b.counter, b.step);
      put_branch(*this, *b.counter < b.end, true, b.again);
      break;
    case PeBlock::Kind::repeat_while:
      put_branch(*this, *b.condition, true, b.again);
      break;
    case PeBlock::Kind::scope:
      impl_->close_scope();
      break;
    default:
      break;
  }
  impl_->at.block = b.outer;
  Label behind;
  if (b.again.index >= 0) {
    --impl_->at.depth;
    impl_->check_waited_for(impl_->at.loops.back().first);
    behind = impl_->at.loops.back().behind;
    impl_->at.loops.pop_back();
  }
  for (const Label label : {b.out, behind})
    if (label.index >= 0) impl_->put_label(label);
}

void PeProgram::leave(CallLine) {
  Writing& at = impl_->at;
  if (at.loops.empty())
    impl_->refuse("leave stands in no loop",
                  "it goes on behind the innermost loop of its task or subroutine",
                  "write it in a repeat, range or repeat_while");
  OpenLoop& loop = at.loops.back();
  if (loop.behind.index < 0) loop.behind = impl_->builder.label();
  impl_->leaves.push_back({at.section, loop.first, impl_->section().size()});
  jump(loop.behind);
}

void PeProgram::repeat(int times, const std::function<void()>& body, CallLine) {
  if (times < 1) return;
  PeBlock b = open_repeat(times);
  body();
  close(b);
}
void PeProgram::repeat(PeScalar times, const std::function<void()>& body, CallLine) {
  PeBlock b = open_repeat(times);
  body();
  close(b);
}
void PeProgram::range(PeScalar i, int first, int end, int step, const std::function<void()>& body,
                      CallLine) {
  PeBlock b = open_range(i, first, end, step);
  body();
  close(b);
}
void PeProgram::repeat_while(const PeCondition& condition, const std::function<void()>& body,
                             CallLine) {
  PeBlock b = open_repeat_while(condition);
  body();
  close(b);
}
void PeProgram::when(const PeCondition& condition, const std::function<void()>& then,
                     const std::function<void()>& otherwise, CallLine) {
  PeBlock b = open_when(condition);
  then();
  close(b);
  if (!otherwise) return;
  PeBlock other = open_otherwise(b);
  otherwise();
  close(other);
}

}  // namespace weft::inline v0
