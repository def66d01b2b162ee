#include "fft/line_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fft/emulation.hpp"
#include "fft/wsfft/pencil.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"

namespace weft::fft {
namespace {

using wsfft::Axis;
using wsfft::Division;

/// Chosen: a line takes some 10^4 cycles. A machine on which it takes this many is no reason to
/// keep a transform waiting.
constexpr std::uint64_t kMostCycles = 1 << 20;

void give_up_late(std::uint64_t cycle) {
  if (cycle > kMostCycles)
    throw Error(ErrorCategory::machine_profile, "no estimate for this machine",
                fmt::format("the exchange of a line takes more than {} cycles on it", kMostCycles),
                "run without data to count the cycles");
}

constexpr int kFirst = 0, kAfter = 1;  // local tasks

/// An exchange and no more; `stamps`: the clock at its start and its end, as a transform's phases
/// have them.
struct ExchangeProgram {
  Program program;
  MemorySpan stamps;
  std::array<MemorySpan, 2> finish;
};

ExchangeProgram write(wsfft::Form form, Axis axis, const Division& division,
                      const wsfft::Blocks& blocks, FftPrecision precision, bool scaled) {
  const wsfft::Numbers numbers{precision};
  const auto bytes = static_cast<std::uint64_t>(division.numbers() * numbers.bytes());
  ProgramBuilder program("exchange");
  program.reserve("pad 0", wsfft::kPadBytes);
  const MemorySpan from = program.reserve("from", bytes);
  program.reserve("pad 1", wsfft::kPadBytes);
  const MemorySpan to = program.reserve("to", bytes);
  program.reserve("pad 2", wsfft::kPadBytes);
  const MemorySpan stamps = program.reserve("stamps", 8);
  const MemorySpan roots =
      form == wsfft::Form::butterflies ? program.reserve("roots", bytes) : MemorySpan{};
  const wsfft::ExchangeCall call;
  const wsfft::Exchange exchange{form,
                                 axis,
                                 division,
                                 blocks,
                                 numbers.words(),
                                 {TaskKind::local, kAfter},
                                 wsfft::reserve_finish(program, form, axis),
                                 roots,
                                 scaled};
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
  return {program.build(), stamps, exchange.finish};
}

double cycles_of(wsfft::Form form, Axis axis, const Division& division, const wsfft::Blocks& blocks,
                 FftPrecision precision, bool scaled, const Machine& machine) {
  const ExchangeProgram program = write(form, axis, division, blocks, precision, scaled);
  const bool row = axis == Axis::row;
  const int p = division.along(axis);
  const Rect line{0, 0, row ? p : 1, row ? 1 : p};
  Layout layout(line.width, line.height);
  layout.place(line, program.program);
  wsfft::lay_out_exchange(layout, form, axis, p,
                          blocks.numbers() * wsfft::Numbers{precision}.words());
  FabricOptions options;
  options.data = false;
  options.engine = Engine::host;  // another run may have the device
  options.progress = give_up_late;
  Fabric fabric(layout, machine, options);
  for (const bool plus : {true, false}) {
    const auto words = wsfft::finish_wavelets(form, axis, plus);
    for (int k = 0; !words.empty() && k < p; ++k)
      fabric.write({row ? k : 0, row ? 0 : k, 1, 1}, program.finish[plus ? 0 : 1].address, words);
  }
  fabric.run_until_idle(kCycleLimit);
  std::vector<std::uint32_t> read(2 * static_cast<std::size_t>(p));
  fabric.read(line, program.stamps.address, read);
  std::uint32_t most = 0;
  for (std::size_t pe = 0; pe < read.size(); pe += 2)
    most = std::max(most, read[pe + 1] - read[pe]);
  return most;
}

}  // namespace

int LineExchange::wavelets() const { return numbers * wsfft::Numbers{precision}.words(); }

double cycles_on_a_line(wsfft::Form form, const LineExchange& exchange, const Machine& machine) {
  const auto& [axis, p, numbers, precision, arrays, scaled] = exchange;
  const bool row = axis == Axis::row;
  Division division{{row ? p : 1, row ? 1 : p, p * numbers}, row ? p : 1, row ? 1 : p};
  (row ? division.across : division.down) = arrays;
  division.in_place = form == wsfft::Form::butterflies;
  if (division.in_place) division.sides[2] = numbers;
  return cycles_of(form, axis, division, wsfft::blocks_of(division, wsfft::kSpace, axis), precision,
                   scaled, machine);
}

double cycles_in_a_pe(const Division& division, const wsfft::Arrangement& before, Axis axis,
                      FftPrecision precision, const Machine& machine) {
  // The way there is the same in each form.
  return cycles_of(wsfft::Form::published, axis, division, wsfft::blocks_of(division, before, axis),
                   precision, false, machine);
}

}  // namespace weft::fft
