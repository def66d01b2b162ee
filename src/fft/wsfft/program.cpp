#include "fft/wsfft/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "fft/wsfft/butterflies.hpp"
#include "fft/wsfft/halves.hpp"
#include "fft/wsfft/pairs.hpp"
#include "fft/wsfft/product.hpp"
#include "fft/wsfft/supersteps.hpp"

namespace weft::wsfft {
namespace {

/// For pencils of one length, with one factor.
struct Subroutine {
  int n;
  float scale;
  Label entry;
};

/// The lengths of the pencils of these supersteps, each once.
std::vector<int> lengths_of(const Transform& t, int first, int last) {
  std::vector<int> all;
  const std::vector<Arrangement> arrangements = arrangements_of(t.division, t.direction);
  for (int superstep = first; superstep <= last; ++superstep) {
    const Arrangement& now = arrangements[static_cast<std::size_t>(superstep)];
    for (const Pencils& pass : passes_of(t.division, now, t.direction))
      if (pass.n > 1 && std::ranges::find(all, pass.n) == all.end()) all.push_back(pass.n);
  }
  return all;
}

/// After the pencils along an axis. Where two real pencils were transformed as one, the sums of
/// emit_separation are twice what they should be.
float factor_of(const Transform& t, std::size_t axis) {
  const bool halved = t.division.real && axis == 2 && t.direction == FftDirection::forward;
  return t.scale[axis] * (halved ? 0.5F : 1.0F);
}

void emit_stamp(ProgramBuilder& p, const Memory& m, const PencilCall& call, int number) {
  p.tsc({0});
  p.sw({0}, call.zero, address(m.stamps) + 4 * number);
}

/// By exchange; none unless these are butterflies.
std::vector<LevelRoots> reserve_level_roots(ProgramBuilder& p, const Transform& t,
                                            const std::vector<Axis>& order) {
  std::vector<LevelRoots> all;
  if (t.form != Form::butterflies) return all;
  for (const Axis along : order) {
    const bool rows = along == Axis::row;
    const int pes = t.division.along(along);
    all.push_back({along, level_scale(t.scale[rows ? 0 : 1], levels_of(pes)),
                   p.reserve(rows ? "roots of rows" : "roots of columns",
                             static_cast<std::uint32_t>(pes / 2 * t.numbers.bytes()))});
  }
  return all;
}

constexpr int kPhaseTasks[] = {0, 1, 2};  // local tasks: the three supersteps

/// The supersteps from `first` to `last`, with the exchanges between them.
TransformProgram build(const Transform& t, int first, int last) {
  ProgramBuilder p("wsfft");
  const PencilCall pencil;
  const ExchangeCall call{pencil.pencil, pencil.aux, pencil.zero};
  const std::vector<Axis> order = exchanges_of(t.division, t.direction);
  const std::vector<int> lengths = t.division.one_table()
                                       ? lengths_of(t, 0, static_cast<int>(order.size()))
                                       : lengths_of(t, first, last);
  const Memory m = reserve_memory(p, t, lengths, kStamps);
  const std::array<MemorySpan, 2> rows = reserve_finish(p, t.form, Axis::row);
  const std::array<MemorySpan, 2> columns = reserve_finish(p, t.form, Axis::column);
  const auto turns = [&](int superstep) {  // the numbers, by roots of unity
    return t.division.digits && superstep < static_cast<int>(order.size());
  };
  std::vector<MemorySpan> roots;
  for (int superstep = first; superstep <= last; ++superstep)
    if (turns(superstep))
      roots.push_back(p.reserve("roots " + std::to_string(superstep), m.first.bytes));
  const std::vector<LevelRoots> level_roots = reserve_level_roots(p, t, order);
  std::vector<Subroutine> subroutines;
  const auto subroutine = [&](int n, float scale) {
    const auto made = std::ranges::find_if(
        subroutines, [&](const Subroutine& s) { return s.n == n && s.scale == scale; });
    if (made != subroutines.end()) return made->entry;
    return subroutines.emplace_back(Subroutine{n, scale, p.label()}).entry;
  };

  const std::vector<Arrangement> arrangements = arrangements_of(t.division, t.direction);
  const bool forward = t.direction == FftDirection::forward;
  const Pairs pairs = pairs_of(t.division);
  const auto half = [&](bool second) -> const MemorySpan& { return second ? m.second : m.first; };
  // The exchange back is the same one again: a word tells it that it is.
  const bool twice = t.division.back && first < 2 && last == 2;
  const MemorySpan on_the_way_back = twice ? p.reserve("on the way back", 4) : MemorySpan{};
  const Label home = p.label();
  bool in_second = false;  // where the numbers are
  std::vector<Exchange> exchange;
  const std::vector<RunPhase> names = phases(t.division, t.direction);
  const auto name = [&](int phase) { return names[static_cast<std::size_t>(phase)].name; };
  for (int superstep = first; superstep <= last; ++superstep) {
    if (twice && superstep == 2) {
      p.phase(name(2 * superstep));
      p.place(home);
    } else {
      const Task task = p.local_task(kPhaseTasks[superstep]);
      p.phase(name(2 * superstep));
      if (superstep == first) {
        p.start(task);
        p.li(pencil.zero, 0);
      }
    }
    if (twice && superstep == 1) {
      p.lw({0}, pencil.zero, address(on_the_way_back));
      p.bne({0}, pencil.zero, home);
    }
    if (superstep > 0) emit_stamp(p, m, pencil, 2 * superstep - 1);
    const Arrangement& now = arrangements[static_cast<std::size_t>(superstep)];
    const bool in_pairs = t.division.real && now.axes[2] == 2;
    if (in_pairs && !forward) {
      emit_join(p, t.numbers, pairs, half(in_second), half(!in_second));
      in_second = !in_second;
    }
    const std::vector<Pencils> passes = passes_of(t.division, now, t.direction);
    for (const Pencils& pass : passes) {
      if (&pass != &passes.front()) {
        emit_turned_planes(p, t, pencils_of(t.division, now).count, half(in_second),
                           half(!in_second));
        in_second = !in_second;
      }
      const Label entry = pass.n > 1 ? subroutine(pass.n, factor_of(t, pass.axis)) : Label{};
      emit_superstep(p, pencil, entry, pass, t, m, in_second);
    }
    if (in_pairs && forward) {
      emit_separation(p, t.numbers, pairs, half(in_second), half(!in_second));
      in_second = !in_second;
      p.li(pencil.pencil, address(half(in_second)));
      p.li(pencil.aux, address(half(!in_second)));
    }
    if (turns(superstep))
      emit_product(p, t.numbers, passes.front().count * passes.front().pitch, half(in_second),
                   roots[static_cast<std::size_t>(superstep - first)], half(!in_second));
    emit_stamp(p, m, pencil, 2 * superstep);
    if (superstep < last) {
      const Axis along = order[static_cast<std::size_t>(superstep)];
      p.phase(name(2 * superstep + 1));
      if (twice && superstep == 1) {
        p.li({0}, 1);
        p.sw({0}, pencil.zero, address(on_the_way_back));
      } else {
        const LevelRoots of_levels =
            level_roots.empty() ? LevelRoots{} : level_roots[static_cast<std::size_t>(superstep)];
        exchange.push_back(
            {t.form,
             along,
             t.division,
             blocks_of(t.division, now, along),
             t.numbers.words(),
             {TaskKind::local, static_cast<std::uint8_t>(kPhaseTasks[superstep + 1])},
             along == Axis::row ? rows : columns,
             of_levels.span,
             of_levels.scale != 1});
      }
      emit_exchange_start(p, exchange.back(), call);
      if (!t.division.in_place) in_second = !in_second;
    }
    p.end();
  }
  for (int k = 0; k < static_cast<int>(exchange.size()); ++k) {
    twice ? p.shared_by_phases() : p.phase(name(2 * (first + k) + 1));
    emit_exchange_tasks(p, exchange[static_cast<std::size_t>(k)], call);
  }
  p.shared_by_phases();
  for (const Subroutine& each : subroutines)
    emit_pencil(p, each.entry, pencil, t.pencil, {t.numbers, each.n, t.direction, each.scale},
                roots_for(each.n, m.twiddles, t));
  return {p.build(),  m.first,    half(in_second),
          m.twiddles, m.stamps,   {rows[0], rows[1], columns[0], columns[1]},
          roots,      level_roots};
}

}  // namespace

std::vector<RunPhase> phases(const Division& division, FftDirection direction) {
  std::vector<RunPhase> all;
  const std::vector<Axis> order = exchanges_of(division, direction);
  const std::vector<Arrangement> arrangements = arrangements_of(division, direction);
  for (std::size_t superstep = 0; superstep < arrangements.size(); ++superstep) {
    const auto axis = static_cast<std::size_t>(arrangements[superstep].axes[2]);
    const bool after = arrangements[superstep].after, half_way = division.sides[axis] == 1;
    const std::string along =
        division.inner > 1 && axis == 2 ? "k and l" : std::string{"ijk"[axis]};
    all.push_back({after      ? "in place"
                   : half_way ? "half way"
                              : "pencils along " + along,
                   false, 0});
    if (superstep < order.size())
      all.push_back({fmt::format("{} {}", division.in_place ? "butterflies of" : "transpose",
                                 order[superstep] == Axis::row ? "rows" : "columns"),
                     true, 0});
  }
  return all;
}

PencilRoots roots_for(int n, const std::vector<Twiddles>& twiddles, const Transform& t) {
  const Twiddles& table =
      t.division.one_table() ? twiddles.front() : *std::ranges::find(twiddles, n, &Twiddles::n);
  return {table.span.address, table.n, t.division.least_roots};
}

std::vector<std::uint32_t> root_words(const Twiddles& table, const Transform& t) {
  return algorithm_of(t.pencil).roots(t.numbers, table.n, t.direction, t.division.least_roots);
}

TransformProgram build_transform(const Transform& t) {
  return build(t, 0, static_cast<int>(exchanges_of(t.division, t.direction).size()));
}

TransformProgram build_first_exchange(const Transform& t) { return build(t, 0, 1); }

TransformProgram build_superstep(const Transform& t, int superstep) {
  return build(t, superstep, superstep);
}

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
  emit_pencil(p, transform, pencil, t.pencil, {t.numbers, n, t.direction, t.scale[2]},
              roots_for(n, m.twiddles, t));
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
  const std::size_t exchanges = exchanges_of(t.division, t.direction).size();
  return lay_out(program, t, {0, 0, t.division.width(), t.division.height()},
                 t.division.back ? 1 : exchanges);
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
  for (std::size_t i = 0; i < finish.size(); ++i) {
    auto control = finish_wavelets(form, i < 2 ? Axis::row : Axis::column, i % 2 == 0);
    if (!control.empty()) words.emplace_back(finish[i], std::move(control));
  }
  return words;
}

}  // namespace weft::wsfft
