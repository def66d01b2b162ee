// Each exchange is entered twice in a trip. It ends in one task for both: a word of memory tells it
// whether the trip is on its way there or back. An exchange may begin while other PEs are still at
// the one before: a PE that has had its turn has its filter and its switch ready for the next one,
// and streams wait at the switches of those that have not.

#include "fft/wsfft/round_trips.hpp"

#include "fft/wsfft/product.hpp"
#include "fft/wsfft/supersteps.hpp"

namespace weft::wsfft {
namespace {

constexpr Reg kWord{0}, kWord2{4}, kWord3{5};
constexpr const char* kAlong[] = {"pencils along i", "pencils along j", "pencils along k"};
constexpr const char* kTranspose[] = {"transpose rows", "transpose columns"};
constexpr int kFirst = 0, kAfterRow = 1, kAfterColumn = 2;  // local tasks

/// The forward transform of the trips, for its division and numbers.
Transform forward_of(const RoundTrips& t) {
  return {t.division, t.numbers, FftDirection::forward, {t.scale[0], t.scale[0], t.scale[0], 1},
          t.form,     t.pencil};
}

}  // namespace

RoundTripsProgram build_round_trips(const RoundTrips& t) {
  ProgramBuilder p("wsfft round trips");
  const Transform forward = forward_of(t);
  const PencilCall pencil;
  const ExchangeCall call{pencil.pencil, pencil.aux, pencil.zero};
  const int n = t.division.sides[0];
  const auto bytes = static_cast<std::uint32_t>(t.division.numbers() * t.numbers.bytes());
  const Memory m = reserve_memory(p, forward, {n}, t.times);
  const MemorySpan back = p.reserve(
      "inverse twiddles", algorithm_of(t.pencil).root_bytes(t.numbers, n, t.division.least_roots));
  const MemorySpan symbol = t.product ? p.reserve("symbol", bytes) : MemorySpan{};
  const MemorySpan on_the_way_back = p.reserve("on the way back", 4);
  const MemorySpan left = p.reserve("trips left", 4);
  const std::array<MemorySpan, 2> rows = reserve_finish(p, t.form, Axis::row);
  const std::array<MemorySpan, 2> columns = reserve_finish(p, t.form, Axis::column);
  const Label to_frequency = p.label(), to_space = p.label();

  const auto exchange_along = [&](Axis axis) {
    const bool row = axis == Axis::row;
    const Arrangement before = row ? kSpace : kSpace.exchanged(Axis::row);
    return Exchange{t.form,
                    axis,
                    t.division,
                    blocks_of(t.division, before, axis),
                    t.numbers.words(),
                    {TaskKind::local, static_cast<std::uint8_t>(row ? kAfterRow : kAfterColumn)},
                    row ? rows : columns};
  };
  const Exchange row = exchange_along(Axis::row), column = exchange_along(Axis::column);
  const Arrangement after_rows = kSpace.exchanged(Axis::row);
  const std::array<Pencils, 3> pencils{pencils_of(t.division, after_rows),
                                       pencils_of(t.division, after_rows.exchanged(Axis::column)),
                                       pencils_of(t.division, kSpace)};
  const auto superstep = [&](std::size_t axis, bool in_second, Label subroutine) {
    emit_superstep(p, pencil, subroutine, pencils[axis], forward, m, in_second);
  };
  const auto go_to_if_back = [&](Label target) {
    p.lw(kWord, call.zero, address(on_the_way_back));
    p.bne(kWord, call.zero, target);
  };
  const auto turn = [&](int is_back) {
    p.li(kWord, is_back);
    p.sw(kWord, call.zero, address(on_the_way_back));
  };

  const Label trip = p.label();
  p.start(p.local_task(kFirst));
  p.li(pencil.zero, 0);
  p.li(kWord, t.times);
  p.sw(kWord, call.zero, address(left));
  p.place(trip);
  p.phase(kAlong[2]);
  superstep(2, false, to_frequency);
  p.phase(kTranspose[0]);
  emit_exchange_start(p, row, call);
  p.end();

  const Label home = p.label(), done = p.label();
  p.local_task(kAfterRow);
  go_to_if_back(home);
  p.phase(kAlong[0]);
  superstep(0, true, to_frequency);
  p.phase(kTranspose[1]);
  emit_exchange_start(p, column, call);
  p.end();
  p.place(home);
  p.phase(kAlong[2]);
  superstep(2, false, to_space);  // the end of a trip
  turn(0);
  p.lw(kWord, call.zero, address(left));
  p.shli(kWord2, kWord, 2);
  p.li(kWord3, address(m.stamps) + 4 * t.times);
  p.sub(kWord3, kWord3, kWord2);
  p.tsc(kWord2);
  p.sw(kWord2, kWord3, 0);
  p.addi(kWord, kWord, -1);
  p.sw(kWord, call.zero, address(left));
  p.beq(kWord, call.zero, done);
  p.jump(trip);
  p.place(done);
  p.end();

  const Label between = p.label();
  p.local_task(kAfterColumn);
  go_to_if_back(between);
  p.phase(kAlong[1]);
  superstep(1, false, to_frequency);
  if (t.product)
    emit_product(p, t.numbers, pencils[1].count * pencils[1].pitch, m.first, symbol, m.second);
  turn(1);
  superstep(1, false, to_space);
  p.phase(kTranspose[1]);
  emit_exchange_start(p, column, call);
  p.end();
  p.place(between);
  p.phase(kAlong[0]);
  superstep(0, true, to_space);
  p.phase(kTranspose[0]);
  emit_exchange_start(p, row, call);
  p.end();

  for (const Exchange& e : {row, column}) {
    p.phase(kTranspose[e.axis == Axis::row ? 0 : 1]);
    emit_exchange_tasks(p, e, call);
  }
  p.shared_by_phases();
  emit_pencil(p, to_frequency, pencil, t.pencil, {t.numbers, n, FftDirection::forward, t.scale[0]},
              roots_for(n, m.twiddles, forward));
  emit_pencil(p, to_space, pencil, t.pencil, {t.numbers, n, FftDirection::inverse, t.scale[1]},
              {back.address, n, t.division.least_roots});
  return {p.build(), m.first,
          symbol,    {m.twiddles.front().span, back},
          m.stamps,  {rows[0], rows[1], columns[0], columns[1]}};
}

Layout lay_out(const RoundTripsProgram& program, const RoundTrips& t) {
  return lay_out(program.program, forward_of(t));
}

}  // namespace weft::wsfft
