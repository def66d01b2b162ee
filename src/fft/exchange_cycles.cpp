#include "fft/exchange_cycles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "weft/error.hpp"

namespace weft::fft {
namespace {

/// Chosen: so many cycles of a PE take about 20 ms. Longer lines are not stepped.
constexpr double kMostPeCycles = 1 << 18;

using Formula = double (*)(double p, double wavelets);

/// How shorter lines of a form tell the cycles of longer ones.
struct OtherLines {
  wsfft::Form form;
  Formula formula;
  Formula streams;
  double (*crossing)(int p, int die);  ///< messages of the streams that cross links between dies
  int quarters;                        ///< of a line: the other line that tells the turn
};

double turns_formula(double p, double wavelets) {
  return turns_streams(p, wavelets) + 73 * p + 140;
}

/// As each stream runs to the end of the line, only those that begin on its last die cross none.
double turns_crossing(int p, int die) {
  const int last = (p - 1) % die + 1;
  return (p * (p - 1.0) - last * (last - 1.0)) / 2;
}

/// Each link between dies carries what crosses the middle. Copies wait for links where all rest.
double ring_crossing(int p, int die) {
  if (die == 1) return ring_streams(p, 1);
  return die < p ? p * p / 4.0 : 0;
}

/// Cycles more of a wavelet on a link that rests, the same in all traffic.
double cycles_more(const Machine& machine) {
  if (machine.link_busy_cycles == 0 || machine.crowd_wavelets != 0) return 0;
  return static_cast<double>(machine.link_rest_cycles) / machine.link_busy_cycles;
}

/// The machine with dies along the axis that divide `pes` PEs as its own divide p of them.
Machine with_shorter_dies(Machine machine, wsfft::Axis axis, int pes, int p) {
  int& die = axis == wsfft::Axis::row ? machine.die_width : machine.die_height;
  if (die != 0) die = std::max(1, static_cast<int>(std::lround(1.0 * die * pes / p)));
  return machine;
}

/// PEs of an axis between links that may rest: all do where dies have no size.
int die_along(wsfft::Axis axis, const Machine& machine) {
  if (machine.die_width == 0 && machine.die_height == 0) return 1;
  const int die = axis == wsfft::Axis::row ? machine.die_width : machine.die_height;
  return die == 0 ? std::numeric_limits<int>::max() : die;
}

/// A step of long streams, or a turn, takes the links' cycles and some more. So from a line to a
/// longer one come the formula's streams, and as many turns as PEs; a line somewhat shorter tells
/// the turn. (In the middle of an odd line is a PE whose turns come at the same time: all these
/// lines are odd, or even.)
double by_shorter_lines(const OtherLines& lines, const LineExchange& exchange,
                        const Machine& machine) {
  const double wavelets = exchange.wavelets();
  const auto is_long = [&](int pes) { return pes * lines.formula(pes, wavelets) > kMostPeCycles; };
  const auto part = [&](int pes, int quarters) {
    const int fewer = pes * quarters / 4;
    return fewer + (exchange.p - fewer) % 2;
  };
  int line = exchange.p;
  while (line > 8 && is_long(line)) line = part(line, 3);
  const auto machine_of = [&](int pes) {
    return with_shorter_dies(machine, exchange.axis, pes, exchange.p);
  };
  const auto on = [&](int pes) {
    LineExchange one = exchange;
    one.p = pes;
    return cycles_on_a_line(lines.form, one, machine_of(pes));
  };
  const double there = on(line);
  if (line == exchange.p) return there;
  const double more = cycles_more(machine);
  const auto moved = [&](int pes) {
    const int die = die_along(exchange.axis, machine_of(pes));
    return lines.streams(pes, wavelets) + more * wavelets * lines.crossing(pes, die);
  };
  const int other = part(line, lines.quarters);
  const double turn = (there - on(other) - moved(line) + moved(other)) / (line - other);
  return there + moved(exchange.p) - moved(line) + turn * (exchange.p - line);
}

/// Streams of long messages take as many cycles for each of their numbers, whatever else goes on.
/// So two shorter messages tell a long one.
double by_shorter_messages(wsfft::Form form, const LineExchange& exchange, const Machine& machine,
                           Formula formula) {
  const auto with = [&](int numbers) {
    LineExchange shorter = exchange;
    shorter.numbers = numbers;
    return shorter;
  };
  int numbers = exchange.numbers;
  while (numbers > 2 && exchange.p * formula(exchange.p, with(numbers).wavelets()) > kMostPeCycles)
    numbers = (numbers + 1) / 2;
  const double there = cycles_on_a_line(form, with(numbers), machine);
  if (numbers == exchange.numbers) return there;
  const int half = numbers / 2;
  const double of_one = (there - cycles_on_a_line(form, with(half), machine)) / (numbers - half);
  return there + of_one * (exchange.numbers - numbers);
}

/// Short streams hide behind turns in part: a line about as long tells more.
double turns(wsfft::Form form, const LineExchange& exchange, const Machine& machine) {
  return by_shorter_lines({form, turns_formula, turns_streams, turns_crossing, 3}, exchange,
                          machine);
}

}  // namespace

double halves_formula(double p, double wavelets) {
  return wavelets * (p * p - 1) / 3 + p + 50 * std::log2(p);
}

double butterflies_formula(double p, double wavelets) {
  return wavelets * (p - 1) + (2.5 * wavelets + 60) * std::log2(p);
}

double turns_cycles(FftTranspose form, const LineExchange& exchange, const Machine& machine) {
  if (form == FftTranspose::interlocked) return turns(wsfft::Form::interlocked, exchange, machine);
  try {
    return turns(wsfft::Form::published, exchange, machine);
  } catch (const FaultError& error) {
    if (form != FftTranspose::automatic || error.fault().kind != FaultKind::deadlock) throw;
    return turns(wsfft::Form::interlocked, exchange, machine);
  }
}

double ring_cycles(const LineExchange& exchange, const Machine& machine) {
  // Contests of streams change each line by some tens of cycles: a much shorter one tells more.
  return by_shorter_lines({wsfft::Form::ring, ring_formula, ring_streams, ring_crossing, 2},
                          exchange, machine);
}

double halves_cycles(const LineExchange& exchange, const Machine& machine) {
  return by_shorter_messages(wsfft::Form::halves, exchange, machine, halves_formula);
}

double butterflies_cycles(const LineExchange& exchange, const Machine& machine) {
  return by_shorter_messages(wsfft::Form::butterflies, exchange, machine, butterflies_formula);
}

}  // namespace weft::fft
