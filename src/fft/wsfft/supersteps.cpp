#include "fft/wsfft/supersteps.hpp"

#include <algorithm>
#include <string>

#include "fft/wsfft/transpose_form.hpp"

namespace weft::wsfft {

Memory reserve_memory(ProgramBuilder& p, const Transform& t, const std::vector<int>& lengths,
                      int stamps) {
  const auto bytes = static_cast<std::uint32_t>(t.division.numbers() * t.numbers.bytes());
  Memory m;
  p.reserve("pad 0", kPadBytes);
  m.first = p.reserve("numbers 0", bytes);
  p.reserve("pad 1", kPadBytes);
  m.second = p.reserve("numbers 1", bytes);
  p.reserve("pad 2", kPadBytes);
  for (const int n : lengths)
    if (!t.division.one_table() || (m.twiddles.empty() && n == std::ranges::max(lengths)))
      m.twiddles.push_back(
          {n, p.reserve("twiddles " + std::to_string(n),
                        algorithm_of(t.pencil).root_bytes(t.numbers, n, t.division.least_roots))});
  m.stamps = p.reserve("stamps", static_cast<std::uint32_t>(4 * stamps));
  return m;
}

void emit_superstep(ProgramBuilder& p, const PencilCall& call, Label pencil, const Pencils& pencils,
                    const Transform& t, const Memory& m, bool in_second) {
  const MemorySpan& numbers = in_second ? m.second : m.first;
  p.li(call.pencil, address(numbers));
  p.li(call.aux, address(in_second ? m.first : m.second));
  if (pencils.n == 1) return;
  const int step = pencils.pitch * t.numbers.bytes();
  const Label again = p.label();
  constexpr Reg kEnd{0};
  p.place(again);
  p.call(call.link, pencil);
  if (pencils.count == 1) return;
  p.addi(call.pencil, call.pencil, step);
  p.li(kEnd, address(numbers) + pencils.count * step);
  p.bne(call.pencil, kEnd, again);
  p.li(call.pencil, address(numbers));
}

void emit_turned_planes(ProgramBuilder& p, const Transform& t, int planes, const MemorySpan& from,
                        const MemorySpan& to) {
  constexpr Dsr kTo{0}, kFrom{1};
  const Division& d = t.division;
  const bool forward = t.direction == FftDirection::forward;
  const int words = t.numbers.words(), columns = forward ? d.inner : d.lines(),
            lines = forward ? d.lines() : d.inner;
  const auto name = [&](Dsr dsr, const MemorySpan& span, bool by_line, int from_column,
                        int from_line) {
    const int plane = by_line ? d.sides[2] : d.pitch(2);
    p.dbase(dsr, address(span));
    p.dshape(dsr,
             p.shape({dimension(planes, plane * words), dimension(columns, from_column * words),
                      dimension(lines, from_line * words), dimension(words, 1)}));
  };
  name(kFrom, from, forward, 1, columns);
  name(kTo, to, !forward, lines, 1);
  p.vmov32(kTo, kFrom);
}

}  // namespace weft::wsfft
