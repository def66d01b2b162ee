#include "fft/wsfft/program.hpp"

namespace weft::wsfft {
namespace {

/// Two pencils and what else a PE holds.
struct Memory {
  MemorySpan first, second;  ///< pencils
  MemorySpan twiddles, stamps;
};

Memory reserve(ProgramBuilder& p, const Transform& transform) {
  const auto pencil = static_cast<std::uint32_t>(transform.n * transform.numbers.bytes());
  Memory m;
  p.reserve("pad 0", kPadBytes);
  m.first = p.reserve("pencil 0", pencil);
  p.reserve("pad 1", kPadBytes);
  m.second = p.reserve("pencil 1", pencil);
  p.reserve("pad 2", kPadBytes);
  m.twiddles = p.reserve("twiddles", pencil / 2);
  m.stamps = p.reserve("stamps", 4 * kStamps);
  return m;
}

std::int32_t address(const MemorySpan& span) { return static_cast<std::int32_t>(span.address); }

void emit_stamp(ProgramBuilder& p, const Memory& m, const PencilCall& call, int number) {
  p.tsc({0});
  p.sw({0}, call.zero, address(m.stamps) + 4 * number);
}

constexpr int kPhaseTasks[] = {0, 1, 2};  // local tasks: the three supersteps

/// Supersteps with so many exchanges between them.
TransformProgram build(const Transform& t, int exchanges) {
  ProgramBuilder p("wsfft");
  const PencilCall pencil;
  const ExchangeCall call{pencil.pencil, pencil.aux, pencil.zero};
  const Memory m = reserve(p, t);
  const std::array<MemorySpan, 2> rows = reserve_finish(p, t.form, Axis::row);
  const std::array<MemorySpan, 2> columns = reserve_finish(p, t.form, Axis::column);
  const Label transform = p.label();

  std::vector<Exchange> exchange;
  for (int i = 0; i < exchanges; ++i) {
    const Axis axis = exchange_order(t.direction)[static_cast<std::size_t>(i)];
    exchange.push_back({t.form,
                        axis,
                        t.n,
                        t.numbers.words(),
                        {TaskKind::local, static_cast<std::uint8_t>(kPhaseTasks[i + 1])},
                        axis == Axis::row ? rows : columns});
  }
  for (int superstep = 0; superstep <= exchanges; ++superstep) {
    const Task task = p.local_task(kPhaseTasks[superstep]);
    if (superstep == 0) {
      p.start(task);
      p.li(pencil.zero, 0);
    } else {
      emit_stamp(p, m, pencil, 2 * superstep - 1);
    }
    // Each exchange leaves the data in the other pencil.
    const bool swapped = superstep % 2 != 0;
    p.li(pencil.pencil, address(swapped ? m.second : m.first));
    p.li(pencil.aux, address(swapped ? m.first : m.second));
    p.call(pencil.link, transform);
    emit_stamp(p, m, pencil, 2 * superstep);
    if (superstep < exchanges)
      emit_exchange_start(p, exchange[static_cast<std::size_t>(superstep)], call);
    p.end();
  }
  for (const Exchange& e : exchange) emit_exchange_tasks(p, e, call);
  emit_pencil(p, transform, pencil, t.numbers, t.n, t.scale, m.twiddles.address);
  return {p.build(),  m.first,  m.first,
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

std::array<Axis, 2> exchange_order(FftDirection direction) {
  return direction == FftDirection::forward ? std::array{Axis::row, Axis::column}
                                            : std::array{Axis::column, Axis::row};
}

TransformProgram build_transform(const Transform& t) { return build(t, 2); }

TransformProgram build_first_exchange(const Transform& t) { return build(t, 1); }

TransformProgram build_pencil(const Transform& t) {
  ProgramBuilder p("pencil");
  const PencilCall pencil;
  const Memory m = reserve(p, t);
  const Label transform = p.label();
  p.start(p.local_task(kPhaseTasks[0]));
  p.li(pencil.zero, 0);
  emit_stamp(p, m, pencil, 0);
  p.li(pencil.pencil, address(m.first));
  p.li(pencil.aux, address(m.second));
  p.call(pencil.link, transform);
  emit_stamp(p, m, pencil, 1);
  p.end();
  emit_pencil(p, transform, pencil, t.numbers, t.n, t.scale, m.twiddles.address);
  return {p.build(), m.first, m.first, m.twiddles, m.stamps, {}};
}

Layout lay_out(const TransformProgram& program, const Transform& t) {
  Layout layout(t.n, t.n);
  layout.place({0, 0, t.n, t.n}, program.program);
  for (const Axis axis : {Axis::row, Axis::column})
    lay_out_exchange(layout, t.form, axis, t.n, t.numbers.words(), t.n);
  return layout;
}

Layout lay_out_line(const TransformProgram& program, const Transform& t) {
  const Rect line = line_of(t);
  Layout layout(line.width, line.height);
  layout.place(line, program.program);
  lay_out_exchange(layout, t.form, exchange_order(t.direction)[0], t.n, t.numbers.words(), 1);
  return layout;
}

Rect line_of(const Transform& t) {
  return exchange_order(t.direction)[0] == Axis::row ? Rect{0, 0, t.n, 1} : Rect{0, 0, 1, t.n};
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
