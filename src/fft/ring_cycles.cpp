#include "fft/ring_cycles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "fft/emulation.hpp"
#include "fft/wsfft/pencil.hpp"
#include "fft/wsfft/transpose.hpp"
#include "weft/fabric.hpp"

namespace weft::fft {
namespace {

/// Chosen: so many cycles of a PE take about 20 ms. Longer lines of a ring are not stepped.
constexpr double kMostPeCycles = 1 << 18;

/// The cycles of one exchange of a line of p PEs that begin together.
double on_a_line(wsfft::Form form, wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                 const Machine& machine) {
  constexpr int kFirst = 0, kAfter = 1;  // local tasks
  const bool row = axis == wsfft::Axis::row;
  const bool in_place = form == wsfft::Form::butterflies;
  wsfft::Division division{
      {row ? p : 1, row ? 1 : p, in_place ? numbers : p * numbers}, row ? p : 1, row ? 1 : p};
  division.in_place = in_place;
  const wsfft::Numbers kind{precision};
  const auto bytes = static_cast<std::uint64_t>(division.numbers() * kind.bytes());
  ProgramBuilder program("exchange");
  const MemorySpan from = program.reserve("from", bytes), to = program.reserve("to", bytes);
  const MemorySpan stamps = program.reserve("stamps", 8);  // as a transform's, of both phases' ends
  const wsfft::ExchangeCall call;
  const wsfft::Exchange exchange{form,
                                 axis,
                                 division,
                                 wsfft::blocks_of(division, wsfft::kSpace, axis),
                                 kind.words(),
                                 {TaskKind::local, kAfter},
                                 wsfft::reserve_finish(program, form, axis),
                                 in_place ? program.reserve("roots", bytes) : MemorySpan{}};
  program.start(program.local_task(kFirst));
  program.li(call.zero, 0);
  program.li(call.from, static_cast<std::int32_t>(from.address));
  program.li(call.to, static_cast<std::int32_t>(to.address));
  const auto stamp = [&](int number) {
    program.tsc({0});
    program.sw({0}, call.zero, static_cast<std::int32_t>(stamps.address) + 4 * number);
  };
  stamp(0);
  wsfft::emit_exchange_start(program, exchange, call);
  program.end();
  program.local_task(kAfter);
  stamp(1);
  program.end();
  wsfft::emit_exchange_tasks(program, exchange, call);

  const Rect line{0, 0, division.px, division.py};
  Layout layout(line.width, line.height);
  layout.place(line, program.build());
  wsfft::lay_out_exchange(layout, exchange.form, exchange.axis, p, exchange.message());
  FabricOptions options;
  options.data = false;
  options.engine = Engine::host;  // another run may have the device
  Fabric fabric(layout, machine, options);
  for (const bool plus : {true, false}) {
    const auto words = wsfft::finish_wavelets(form, exchange.axis, plus);
    for (int k = 0; !words.empty() && k < p; ++k)
      fabric.write({row ? k : 0, row ? 0 : k, 1, 1}, exchange.finish[plus ? 0 : 1].address, words);
  }
  fabric.run_until_idle(kCycleLimit);
  std::vector<std::uint32_t> read(2 * static_cast<std::size_t>(p));
  fabric.read(line, stamps.address, read);
  std::uint32_t most = 0;
  for (std::size_t pe = 0; pe < read.size(); pe += 2)
    most = std::max(most, read[pe + 1] - read[pe]);
  return most;
}

/// Whether links between p PEs along the axis rest, the same in all traffic.
bool rest(wsfft::Axis axis, double p, const Machine& machine) {
  if (machine.link_busy_cycles == 0 || machine.crowd_wavelets != 0) return false;
  const auto die = axis == wsfft::Axis::row ? machine.die_width : machine.die_height;
  return (machine.die_width == 0 && machine.die_height == 0) || (die != 0 && die < p);
}

}  // namespace

double halves_formula(double p, double wavelets) {
  return wavelets * (p * p - 1) / 3 + p + 50 * std::log2(p);
}

double butterflies_formula(double p, double wavelets) {
  return wavelets * (p - 1) + (2.5 * wavelets + 60) * std::log2(p);
}

// A step of long streams takes the links' cycles and a turn. So from a line to a longer one come
// the formula's streams and copies, and as many turns as steps; half the line tells the turn.
double ring_cycles(wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                   const Machine& machine) {
  const double wavelets = static_cast<double>(numbers) * wsfft::Numbers{precision}.words();
  const auto is_long = [&](int pes) { return pes * ring_formula(pes, wavelets) > kMostPeCycles; };
  int line = p;
  while (line > 8 && is_long(line)) line = (line + 1) / 2;
  const double there = on_a_line(wsfft::Form::ring, axis, line, numbers, precision, machine);
  if (line == p) return there;
  const auto moved = [&](double pes) {
    const double slower = rest(axis, pes, machine) ? 1 + 1.0 / machine.link_busy_cycles : 1;
    return ring_streams(pes, wavelets, slower);
  };
  const int half = (line + 1) / 2;
  const double turn =
      (there - on_a_line(wsfft::Form::ring, axis, half, numbers, precision, machine) - moved(line) +
       moved(half)) /
      (line - half);
  return there + moved(p) - moved(line) + turn * (p - line);
}

double halves_cycles(wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                     const Machine& machine) {
  return on_a_line(wsfft::Form::halves, axis, p, numbers, precision, machine);
}

double butterflies_cycles(wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                          const Machine& machine) {
  return on_a_line(wsfft::Form::butterflies, axis, p, numbers, precision, machine);
}

}  // namespace weft::fft
