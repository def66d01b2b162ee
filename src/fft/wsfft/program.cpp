#include "fft/wsfft/program.hpp"

#include <algorithm>
#include <string>

#include "fft/wsfft/product.hpp"
#include "fft/wsfft/supersteps.hpp"

namespace weft::wsfft {
namespace {

/// The pencils of one length.
struct Pencils {
  int n;
  float scale;
  Label entry;             ///< of the subroutine for one pencil
  std::uint32_t twiddles;  ///< address
};

/// The lengths of the pencils of the first supersteps, each once.
std::vector<int> lengths_of(const Transform& t, int exchanges) {
  std::vector<int> all;
  for (const Arrangement& now : arrangements_of(t.division, t.direction)) {
    const int n = now.extents(t.division)[2];
    if (n > 1 && std::ranges::find(all, n) == all.end()) all.push_back(n);
    if (exchanges-- == 0) break;
  }
  return all;
}

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
  const Memory m = reserve_memory(p, t, lengths_of(t, exchanges), kStamps);
  const std::array<MemorySpan, 2> rows = reserve_finish(p, t.form, Axis::row);
  const std::array<MemorySpan, 2> columns = reserve_finish(p, t.form, Axis::column);
  std::vector<MemorySpan> roots;
  for (int superstep = 0; t.division.digits && superstep < exchanges; ++superstep)
    roots.push_back(p.reserve("roots " + std::to_string(superstep), m.first.bytes));
  std::vector<Pencils> pencils;
  pencils.reserve(m.twiddles.size());
  for (const Twiddles& twiddles : m.twiddles)
    pencils.push_back({twiddles.n, 1, p.label(), twiddles.span.address});

  const std::vector<Axis> order = exchanges_of(t.division, t.direction);
  const std::vector<Arrangement> arrangements = arrangements_of(t.division, t.direction);
  std::vector<Exchange> exchange;
  for (int superstep = 0; superstep <= exchanges; ++superstep) {
    const Task task = p.local_task(kPhaseTasks[superstep]);
    if (superstep == 0) {
      p.start(task);
      p.li(pencil.zero, 0);
    } else {
      emit_stamp(p, m, pencil, 2 * superstep - 1);
    }
    const Arrangement& now = arrangements[static_cast<std::size_t>(superstep)];
    const int n = now.extents(t.division)[2];
    const auto of_length = std::ranges::find(pencils, n, &Pencils::n);
    if (n > 1) of_length->scale = t.scale[static_cast<std::size_t>(now.axes[2])];
    // Each exchange leaves the data in the other half of the memory.
    const bool in_second = superstep % 2 != 0;
    emit_superstep(p, pencil, n > 1 ? of_length->entry : Label{}, n, t, m, in_second);
    if (t.division.digits && superstep < exchanges)
      emit_product(p, t.numbers, t.division.numbers(), in_second ? m.second : m.first,
                   roots[static_cast<std::size_t>(superstep)], in_second ? m.first : m.second);
    emit_stamp(p, m, pencil, 2 * superstep);
    if (superstep < exchanges) {
      const Axis axis = order[static_cast<std::size_t>(superstep)];
      exchange.push_back({t.form,
                          axis,
                          t.division,
                          blocks_of(t.division, now, axis),
                          t.numbers.words(),
                          {TaskKind::local, static_cast<std::uint8_t>(kPhaseTasks[superstep + 1])},
                          axis == Axis::row ? rows : columns});
      emit_exchange_start(p, exchange.back(), call);
    }
    p.end();
  }
  for (const Exchange& e : exchange) emit_exchange_tasks(p, e, call);
  for (const Pencils& each : pencils)
    emit_pencil(p, each.entry, pencil, t.numbers, each.n, each.scale, each.twiddles);
  return {p.build(),  m.first,  exchanges % 2 != 0 ? m.second : m.first,
          m.twiddles, m.stamps, {rows[0], rows[1], columns[0], columns[1]},
          roots};
}

}  // namespace

std::vector<RunPhase> phases(const Division& division, FftDirection direction) {
  std::vector<RunPhase> all;
  const std::vector<Axis> order = exchanges_of(division, direction);
  const std::vector<Arrangement> arrangements = arrangements_of(division, direction);
  for (std::size_t superstep = 0; superstep < arrangements.size(); ++superstep) {
    const auto axis = static_cast<std::size_t>(arrangements[superstep].axes[2]);
    const bool half_way = division.sides[axis] == 1;
    all.push_back({half_way ? "half way" : std::string("pencils along ") + "ijk"[axis], false, 0});
    if (superstep < order.size())
      all.push_back(
          {order[superstep] == Axis::row ? "transpose rows" : "transpose columns", true, 0});
  }
  return all;
}

TransformProgram build_transform(const Transform& t) {
  return build(t, static_cast<int>(exchanges_of(t.division, t.direction).size()));
}

TransformProgram build_first_exchange(const Transform& t) { return build(t, 1); }

TransformProgram build_pencil(const Transform& t) {
  ProgramBuilder p("pencil");
  const PencilCall pencil;
  const int n = t.division.sides[2];
  const Memory m = reserve_memory(p, t, {n}, kStamps);
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

/// The program on all PEs, with the routes of the first exchanges, so many.
Layout lay_out(const Program& program, const Transform& t, Rect all, std::size_t count) {
  const std::vector<Axis> order = exchanges_of(t.division, t.direction);
  const std::vector<Arrangement> arrangements = arrangements_of(t.division, t.direction);
  Layout layout(all.width, all.height);
  layout.place(all, program);
  for (std::size_t k = 0; k < count; ++k)
    lay_out_exchange(
        layout, t.form, order[k], t.division.along(order[k]),
        blocks_of(t.division, arrangements[k], order[k]).numbers() * t.numbers.words());
  return layout;
}

}  // namespace

Layout lay_out(const Program& program, const Transform& t) {
  return lay_out(program, t, {0, 0, t.division.width(), t.division.height()},
                 exchanges_of(t.division, t.direction).size());
}

Layout lay_out_line(const Program& program, const Transform& t) {
  return lay_out(program, t, line_of(t), 1);
}

Rect line_of(const Transform& t) {
  return exchanges_of(t.division, t.direction).front() == Axis::row ? Rect{0, 0, t.division.px, 1}
                                                                    : Rect{0, 0, 1, t.division.py};
}

std::vector<std::pair<MemorySpan, std::vector<std::uint32_t>>> finish_words(
    const std::array<MemorySpan, 4>& finish, Form form) {
  std::vector<std::pair<MemorySpan, std::vector<std::uint32_t>>> words;
  for (std::size_t i = 0; i < finish.size(); ++i)
    words.emplace_back(finish[i],
                       finish_wavelets(form, i < 2 ? Axis::row : Axis::column, i % 2 == 0));
  return words;
}

}  // namespace weft::wsfft
