#include "fft/wsfft/program.hpp"

#include <algorithm>
#include <string>

namespace weft::wsfft {
namespace {

/// The numbers of a PE, twice, and what else it holds.
struct Memory {
  MemorySpan first, second;
  std::vector<Twiddles> twiddles;
  MemorySpan stamps;
};

/// The pencils of one length.
struct Pencils {
  int n;
  float scale;
  Label entry;             ///< of the subroutine for one pencil
  std::uint32_t twiddles;  ///< address
};

/// The lengths of the pencils that are transformed, each once.
std::vector<int> lengths_of(const Transform& t, int exchanges) {
  std::vector<int> all;
  Arrangement now = arrangement_before(t.direction);
  for (int superstep = 0; superstep <= exchanges; ++superstep) {
    const int n = now.extents(t.division)[2];
    if (std::ranges::find(all, n) == all.end()) all.push_back(n);
    if (superstep < exchanges)
      now = now.exchanged(exchange_order(t.direction)[static_cast<std::size_t>(superstep)]);
  }
  return all;
}

Memory reserve(ProgramBuilder& p, const Transform& t, const std::vector<int>& lengths) {
  const auto bytes = static_cast<std::uint32_t>(t.division.numbers() * t.numbers.bytes());
  Memory m;
  p.reserve("pad 0", kPadBytes);
  m.first = p.reserve("numbers 0", bytes);
  p.reserve("pad 1", kPadBytes);
  m.second = p.reserve("numbers 1", bytes);
  p.reserve("pad 2", kPadBytes);
  for (const int n : lengths)
    m.twiddles.push_back({n, p.reserve("twiddles " + std::to_string(n),
                                       static_cast<std::uint32_t>(n * t.numbers.bytes() / 2))});
  m.stamps = p.reserve("stamps", 4 * kStamps);
  return m;
}

std::int32_t address(const MemorySpan& span) { return static_cast<std::int32_t>(span.address); }

void emit_stamp(ProgramBuilder& p, const Memory& m, const PencilCall& call, int number) {
  p.tsc({0});
  p.sw({0}, call.zero, address(m.stamps) + 4 * number);
}

/// Transforms all pencils of the PE, of n numbers each. Leaves `call.pencil` as it was.
void emit_superstep(ProgramBuilder& p, const PencilCall& call, Label pencil, int n,
                    const Transform& t, const MemorySpan& numbers) {
  const int all = t.division.numbers(), bytes = t.numbers.bytes();
  const Label again = p.label();
  constexpr Reg kEnd{0};
  p.place(again);
  p.call(call.link, pencil);
  if (all == n) return;
  p.addi(call.pencil, call.pencil, n * bytes);
  p.li(kEnd, address(numbers) + all * bytes);
  p.bne(call.pencil, kEnd, again);
  p.li(call.pencil, address(numbers));
}

constexpr int kPhaseTasks[] = {0, 1, 2};  // local tasks: the three supersteps

/// Supersteps with so many exchanges between them.
TransformProgram build(const Transform& t, int exchanges) {
  ProgramBuilder p("wsfft");
  const PencilCall pencil;
  const ExchangeCall call{pencil.pencil, pencil.aux, pencil.zero};
  const Memory m = reserve(p, t, lengths_of(t, exchanges));
  const std::array<MemorySpan, 2> rows = reserve_finish(p, t.form, Axis::row);
  const std::array<MemorySpan, 2> columns = reserve_finish(p, t.form, Axis::column);
  std::vector<Pencils> pencils;
  for (const Twiddles& twiddles : m.twiddles)
    pencils.push_back({twiddles.n, 1, p.label(), twiddles.span.address});

  std::vector<Exchange> exchange;
  Arrangement now = arrangement_before(t.direction);
  for (int superstep = 0; superstep <= exchanges; ++superstep) {
    const Task task = p.local_task(kPhaseTasks[superstep]);
    if (superstep == 0) {
      p.start(task);
      p.li(pencil.zero, 0);
    } else {
      emit_stamp(p, m, pencil, 2 * superstep - 1);
    }
    // Each exchange leaves the data in the other half of the memory.
    const MemorySpan& here = superstep % 2 != 0 ? m.second : m.first;
    p.li(pencil.pencil, address(here));
    p.li(pencil.aux, address(superstep % 2 != 0 ? m.first : m.second));
    const int n = now.extents(t.division)[2];
    Pencils& of_length = *std::ranges::find(pencils, n, &Pencils::n);
    of_length.scale = t.scale[static_cast<std::size_t>(now.axes[2])];
    emit_superstep(p, pencil, of_length.entry, n, t, here);
    emit_stamp(p, m, pencil, 2 * superstep);
    if (superstep < exchanges) {
      const Axis axis = exchange_order(t.direction)[static_cast<std::size_t>(superstep)];
      exchange.push_back({t.form,
                          axis,
                          t.division.along(axis),
                          blocks_of(t.division, now, axis),
                          t.numbers.words(),
                          {TaskKind::local, static_cast<std::uint8_t>(kPhaseTasks[superstep + 1])},
                          axis == Axis::row ? rows : columns});
      emit_exchange_start(p, exchange.back(), call);
      now = now.exchanged(axis);
    }
    p.end();
  }
  for (const Exchange& e : exchange) emit_exchange_tasks(p, e, call);
  for (const Pencils& each : pencils)
    emit_pencil(p, each.entry, pencil, t.numbers, each.n, each.scale, each.twiddles);
  return {p.build(),  m.first,  exchanges % 2 != 0 ? m.second : m.first,
          m.twiddles, m.stamps, {rows[0], rows[1], columns[0], columns[1]}};
}

}  // namespace

std::array<RunPhase, kStamps> phases(FftDirection direction) {
  const bool forward = direction == FftDirection::forward;
  const auto along = [](const char* axis) {
    return RunPhase{std::string("pencils along ") + axis, false, 0};
  };
  const auto swap = [](const char* axes) {
    return RunPhase{std::string("transpose ") + axes, true, 0};
  };
  return forward ? std::array{along("k"), swap("rows"), along("i"), swap("columns"), along("j")}
                 : std::array{along("j"), swap("columns"), along("i"), swap("rows"), along("k")};
}

TransformProgram build_transform(const Transform& t) { return build(t, 2); }

TransformProgram build_first_exchange(const Transform& t) { return build(t, 1); }

TransformProgram build_pencil(const Transform& t) {
  ProgramBuilder p("pencil");
  const PencilCall pencil;
  const int n = t.division.sides[2];
  const Memory m = reserve(p, t, {n});
  const Label transform = p.label();
  p.start(p.local_task(kPhaseTasks[0]));
  p.li(pencil.zero, 0);
  emit_stamp(p, m, pencil, 0);
  p.li(pencil.pencil, address(m.first));
  p.li(pencil.aux, address(m.second));
  p.call(pencil.link, transform);
  emit_stamp(p, m, pencil, 1);
  p.end();
  emit_pencil(p, transform, pencil, t.numbers, n, t.scale[2], m.twiddles.front().span.address);
  return {p.build(), m.first, m.first, m.twiddles, m.stamps, {}};
}

namespace {

/// Of the exchange along the axis.
int message_of(const Transform& t, Axis axis) {
  Arrangement before = arrangement_before(t.direction);
  for (const Axis each : exchange_order(t.direction)) {
    if (each == axis) break;
    before = before.exchanged(each);
  }
  return blocks_of(t.division, before, axis).numbers() * t.numbers.words();
}

}  // namespace

Layout lay_out(const TransformProgram& program, const Transform& t) {
  const auto& [sides, px, py] = t.division;
  Layout layout(px, py);
  layout.place({0, 0, px, py}, program.program);
  lay_out_exchange(layout, t.form, Axis::row, px, message_of(t, Axis::row), py);
  lay_out_exchange(layout, t.form, Axis::column, py, message_of(t, Axis::column), px);
  return layout;
}

Layout lay_out_line(const TransformProgram& program, const Transform& t) {
  const Rect line = line_of(t);
  const Axis axis = exchange_order(t.direction)[0];
  Layout layout(line.width, line.height);
  layout.place(line, program.program);
  lay_out_exchange(layout, t.form, axis, t.division.along(axis), message_of(t, axis), 1);
  return layout;
}

Rect line_of(const Transform& t) {
  return exchange_order(t.direction)[0] == Axis::row ? Rect{0, 0, t.division.px, 1}
                                                     : Rect{0, 0, 1, t.division.py};
}

std::vector<std::pair<MemorySpan, std::vector<std::uint32_t>>> finish_words(
    const TransformProgram& program, Form form) {
  std::vector<std::pair<MemorySpan, std::vector<std::uint32_t>>> words;
  for (std::size_t i = 0; i < program.finish.size(); ++i)
    words.emplace_back(program.finish[i],
                       finish_wavelets(form, i < 2 ? Axis::row : Axis::column, i % 2 == 0));
  return words;
}

}  // namespace weft::wsfft
