// The transform of an axis that is divided among the PEs of a line, one number of each pencil in
// each, without a transpose: on each level a PE sends all that it has to one other, gets as much,
// and computes its half of the butterflies of the two (Gentleman and Sande's, decimation in
// frequency: a + b stays with the one, (a - b) w with the other).
//
// On level 0 the partners are of the two halves of the line, on level 1 of the halves of each half,
// and so on, down to neighbours. Partners are mirror images: the k-th PEs from the middle. So all
// of a half send through one color, the one beside the middle first. The control wavelet behind
// its stream moves its router on to {behind -> ahead}, so that the stream of the PE behind, which
// waits there, follows at once; and the receiver's to {ahead -> behind}, so that it is the turn of
// the PE behind there too. That of the farthest sender takes all routers back. (Pairs at a fixed
// distance would cross one another, and take as many colors as the distance.)
//
// Mirror images across the middle of 2 h PEs have Gray codes that differ in the bit h alone. So the
// PE at place q has the number with the index gray(q) of an axis at the start, and the one with the
// bits of gray(q) in reverse order at the end. Placing and reading an array know that.
//
// A PE goes on to the next level when it has all of this one and has sent all. Others may be
// ahead, so each level has queues of its own. From 16 PEs on rows and columns share them: the PEs
// of a column do the same in the same cycles. If they did not, that would be a fault.

#include "fft/wsfft/butterflies.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

#include "fft/wsfft/halves.hpp"
#include "fft/wsfft/part_vectors.hpp"
#include "fft/wsfft/transpose_form.hpp"

namespace weft::wsfft {
namespace {
namespace butterflies {

constexpr Reg kGray{5};  // of this PE's place: the index that it has
constexpr Reg kSide{6}, kInHalf{7};
constexpr Reg kRe{8}, kIm{9}, kMinusIm{10};  // of the root
constexpr Dsr kCatch{0}, kFrom{1}, kSend{2}, kTo{3}, kControlFrom{4}, kControlTo{5};
constexpr Dsr kAll{6}, kCame{7}, kAllRe{8}, kAllIm{9}, kCameRe{10}, kCameIm{11};

/// Of a level. An instruction that sends has the microthread of its queue, which its level must not
/// receive with.
struct Queues {
  int in, out;
};
/// Chosen: the first two levels, which have most wavelets, receive and send by deep queues.
constexpr Queues kShared[] = {{0, 2}, {1, 3}, {2, 0}, {3, 1}, {6, 4}, {7, 5}};
/// Of short lines, by axis.
constexpr Queues kApart[2][3] = {{{0, 2}, {2, 0}, {6, 4}}, {{1, 3}, {3, 1}, {7, 5}}};

Queues queues_of(Axis axis, int p, int number) {
  return p > 8 ? kShared[number] : kApart[axis == Axis::row ? 0 : 1][number];
}

enum Control { advance, reset };  // the host's words

/// Local tasks: one for each level; ids 0 to 3 are the transform's own.
int task_of(const Exchange& exchange, int number) {
  return 4 + (exchange.axis == Axis::row ? 0 : levels_of(kLongestByButterflies)) + number;
}

struct Code {
  ProgramBuilder& p;
  const Exchange& exchange;
  const ExchangeCall& call;

  Numbers numbers() const {
    return {exchange.words == 1 ? FftPrecision::fp16 : FftPrecision::fp32};
  }
  Level level(int number) const { return level_of(exchange.axis, exchange.p(), number); }
  /// All of the PE's numbers, in words.
  void name(Dsr d, Reg base) const {
    p.dbaser(d, base);
    p.dstride(d, 1);
    p.dlen(d, exchange.message());
  }
};

/// Real and imaginary parts.
void name_parts(const Code& c, Dsr re, Dsr im, Reg base) {
  const int part = c.numbers().bytes() / 2;
  for (const auto& [d, byte] : {std::pair{re, 0}, {im, part}}) {
    c.p.dbaser(d, base, byte);
    c.p.dstride(d, 2);
    c.p.dlen(d, c.exchange.blocks.numbers());
  }
}

/// Both parts of all numbers, as elements.
void name_elements(const Code& c, Dsr d, Reg base) {
  c.p.dbaser(d, base);
  c.p.dstride(d, 1);
  c.p.dlen(d, 2 * c.exchange.blocks.numbers());
}

/// Starts to receive on a level, sends, and ends the task.
void emit_level(const Code& c, int number) {
  ProgramBuilder& p = c.p;
  const Level level = c.level(number);
  const Queues queues = queues_of(c.exchange.axis, c.exchange.p(), number);
  c.name(kCatch, c.call.to);
  p.dfabin(kFrom, queues.in);
  p.dlen(kFrom, c.exchange.message());
  p.vmov32(kCatch, kFrom, then_activate(task_of(c.exchange, number)));
  c.name(kSend, c.call.from);
  const bool ends = level.half > 1;  // its stream, for the PE behind
  const Label upper = p.label(), named = p.label();
  if (ends) {
    p.dlen(kControlFrom, 1);
    p.dstride(kControlFrom, 1);
    p.bandi(kInHalf, kPlace, level.half - 1);
  }
  const auto name_stream = [&](bool low) {
    const int color = level.colors[low ? 0 : 1];
    p.dfabout(kTo, queues.out, color);
    if (!ends) return;
    p.dfabout(kControlTo, queues.out, color, true);
    const Label done = p.label();
    const auto address = static_cast<std::int32_t>(c.exchange.finish[0].address);
    p.dbase(kControlFrom, address + 4 * reset);
    p.li(kScratch, low ? 0 : level.half - 1);
    p.beq(kInHalf, kScratch, done);
    p.dbase(kControlFrom, address + 4 * advance);
    p.place(done);
  };
  p.bandi(kSide, kPlace, level.half);
  p.bne(kSide, c.call.zero, upper);
  name_stream(true);
  p.jump(named);
  p.place(upper);
  name_stream(false);
  p.place(named);
  p.vmov32(kTo, kSend);
  if (ends) p.vmov32(kControlTo, kControlFrom);
  p.end();
}

/// wr, wi and -wi of the level's root, or of number 0: the factor of the level.
void load_root(const Code& c, const Level& level, bool is_first) {
  ProgramBuilder& p = c.p;
  const Numbers numbers = c.numbers();
  const auto address = static_cast<std::int32_t>(c.exchange.roots.address);
  Reg at = c.call.zero;
  if (!is_first) {
    const int apart = c.exchange.p() / (2 * level.half) * numbers.bytes();
    p.bandi(kScratch, kGray, level.half - 1);
    p.shli(kScratch, kScratch, std::countr_zero(static_cast<unsigned>(apart)));
    at = kScratch;
  }
  load_factor(p, numbers, {kRe, kIm, kMinusIm}, at, address, numbers.bytes() / 2);
}

/// The PE's half of the butterflies, of its numbers and those that came.
void emit_butterfly(const Code& c, int number) {
  ProgramBuilder& p = c.p;
  const Level level = c.level(number);
  const PartVectors v{p, c.numbers()};
  const Label second = p.label(), done = p.label();
  name_elements(c, kAll, c.call.from);
  name_elements(c, kCame, c.call.to);
  p.bandi(kSide, kGray, level.half);
  p.bne(kSide, c.call.zero, second);
  v.add(kAll, kAll, kCame);
  if (c.exchange.scaled) {
    load_root(c, level, true);
    v.multiply(kAll, kAll, kRe);
  }
  p.jump(done);
  p.place(second);
  if (level.half == 1) {  // its root is 1
    v.subtract(kAll, kCame, kAll);
    if (c.exchange.scaled) {
      load_root(c, level, true);
      v.multiply(kAll, kAll, kRe);
    }
  } else {
    v.subtract(kCame, kCame, kAll);
    load_root(c, level, false);
    name_parts(c, kAllRe, kAllIm, c.call.from);
    name_parts(c, kCameRe, kCameIm, c.call.to);
    v.multiply(kAllRe, kCameRe, kRe);
    v.multiply_add(kAllRe, kCameIm, kMinusIm);
    v.multiply(kAllIm, kCameRe, kIm);
    v.multiply_add(kAllIm, kCameIm, kRe);
  }
  p.place(done);
}

void start(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  emit_place(p, exchange);
  p.shri(kGray, kPlace, 1);
  p.bxor(kGray, kGray, kPlace);
  emit_level({p, exchange, call}, 0);
}

void tasks(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  const Code c{p, exchange, call};
  const int levels = levels_of(exchange.p());
  for (int number = 0; number < levels; ++number) {
    p.local_task(task_of(exchange, number));
    emit_butterfly(c, number);
    if (number + 1 < levels) {
      emit_level(c, number + 1);
    } else {
      p.activate(exchange.next);
      p.end();
    }
  }
}

std::vector<std::uint32_t> finish(Form, Axis, bool plus) {
  if (!plus) return {};
  using Command = ControlWavelet::Command;
  std::vector<std::uint32_t> words;
  for (const Command command : {Command::advance, Command::reset}) {
    ControlWavelet control;
    control.slots[0].command = command;
    words.push_back(control.payload());
  }
  return words;
}

void lay_out_place(Layout& layout, const Rect& where, Axis axis, const Level& level, int in_queue,
                   int place) {
  const bool low = (place & level.half) == 0;
  const int in_half = place & (level.half - 1), order = low ? level.half - 1 - in_half : in_half;
  const Port up = axis == Axis::row ? Port::east : Port::south;
  const Port ahead = low ? up : opposite(up), behind = opposite(ahead);
  const bool farthest = order == level.half - 1;
  Route sender{.rx = Port::ramp, .tx = ahead}, receiver{.rx = ahead, .tx = Port::ramp};
  receiver.input_queue = in_queue;
  if (!farthest) {
    sender.positions = {SwitchPosition::receive(behind)};
    receiver.positions = {SwitchPosition::send(behind)};
  }
  layout.route(where, level.colors[low ? 0 : 1], sender);
  layout.route(where, level.colors[low ? 1 : 0], receiver);
}

void lay_out(Layout& layout, Form, Axis axis, int p, int) {
  const int lines = axis == Axis::row ? layout.width() : layout.height();
  for (int number = 0; number < levels_of(p); ++number)
    for (int line = 0; line < lines; ++line)
      lay_out_place(layout, across(layout, axis, line), axis, level_of(axis, p, number),
                    queues_of(axis, p, number).in, line % p);
}

}  // namespace butterflies
}  // namespace

const ExchangeCode kButterflies{butterflies::lay_out, butterflies::finish, butterflies::start,
                                butterflies::tasks};

bool has_butterflies(const Division& d) {
  const auto lies = [](int side, int pes) {
    return side == pes && pes <= kLongestByButterflies &&
           std::has_single_bit(static_cast<unsigned>(pes));
  };
  return !d.real && !d.digits && !d.folded() && d.inner == 1 && lies(d.sides[0], d.px) &&
         lies(d.sides[1], d.py);
}

float level_scale(float scale, int levels) {
  return static_cast<float>(std::pow(static_cast<double>(scale), 1.0 / levels));
}

std::vector<std::uint32_t> butterfly_roots(Numbers numbers, int p, FftDirection direction,
                                           float scale) {
  const double angle = (direction == FftDirection::forward ? -2 : 2) * std::numbers::pi / p;
  const auto words = static_cast<std::size_t>(numbers.words());
  std::vector<std::uint32_t> table(static_cast<std::size_t>(p / 2) * words);
  for (int k = 0; k < p / 2; ++k)
    encode(numbers, std::complex<float>(std::polar(double{scale}, angle * k)),
           &table[words * static_cast<std::size_t>(k)]);
  return table;
}

}  // namespace weft::wsfft
