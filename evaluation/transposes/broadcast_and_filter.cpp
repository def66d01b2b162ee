// The transform's own exchange (src/fft/wsfft/transpose.cpp), alone on a row: each PE in turn sends
// one stream to the end of the row, and filters let each number in where it is meant to go.

#include "evaluation/transposes/line_program.hpp"
#include "fft/wsfft/transpose.hpp"

namespace weft::transposes {
namespace {

using wsfft::Axis;

LineProgram build_exchange(const Line& line, wsfft::Form form) {
  const auto bytes = static_cast<std::uint32_t>(4 * line.size());
  ProgramBuilder p("broadcast and filter");
  p.reserve("pad", wsfft::kPadBytes);
  const MemorySpan numbers = p.reserve(kNumbers, bytes, ElementType::u32);
  p.reserve("pad after", wsfft::kPadBytes);
  const MemorySpan room = p.reserve(kRoom, bytes, ElementType::u32);
  const MemorySpan done = p.reserve<std::uint32_t>(kDone, 1);
  const std::array<MemorySpan, 2> finish = wsfft::reserve_finish(p, form, Axis::row);

  // Message k of a PE is the one number at place k, at both ends.
  const wsfft::Division division{{line.n, 1, line.n}, line.n, 1};
  const wsfft::Blocks blocks{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, 1, 1};
  const wsfft::ExchangeCall call;
  constexpr Task kEnd{TaskKind::local, 1};
  const wsfft::Exchange exchange{form, Axis::row, division, blocks, line.words, kEnd, finish};
  p.start(p.local_task(0));
  p.li(call.zero, 0);
  p.li(call.from, static_cast<std::int32_t>(numbers.address));
  p.li(call.to, static_cast<std::int32_t>(room.address));
  wsfft::emit_exchange_start(p, exchange, call);
  p.end();
  p.local_task(kEnd.id);
  p.tsc({0});
  p.sw({0}, call.zero, static_cast<std::int32_t>(done.address));
  p.end();
  wsfft::emit_exchange_tasks(p, exchange, call);

  LineProgram made{Layout(line.n, line.rows), kRoom};
  const Rect all{0, 0, line.n, line.rows};
  made.layout.place(all, p.build());
  wsfft::lay_out_exchange(made.layout, form, Axis::row, line.n, line.words);
  made.at_launch = {
      {all, "finish row plus", wsfft::finish_wavelets(form, Axis::row, true)},
      {all, "finish row minus", wsfft::finish_wavelets(form, Axis::row, false)},
  };
  return made;
}

}  // namespace

LineProgram build_broadcast_and_filter(const Line& line) {
  return build_exchange(line, wsfft::Form::published);
}

LineProgram build_broadcast_and_filter_interlocked(const Line& line) {
  return build_exchange(line, wsfft::Form::interlocked);
}

}  // namespace weft::transposes
