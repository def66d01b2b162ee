#include "differential/valid_weave.hpp"

/// Random choices of the patterns.
namespace weft::test {

bool Region::fits(int n, int inputs, int outputs) const {
  const auto sends = std::ranges::count_if(queues, [](int q) { return q < kOutputQueues; });
  return n <= static_cast<int>(colors.size()) && outputs <= sends &&
         inputs + outputs <= static_cast<int>(queues.size());
}

int draw_words(Weave& w) {
  return w.dice.roll(1, w.dice.chance(50) ? w.words : std::min(w.words, 8));
}

int draw_stream_words(Weave& w) {
  return w.passes || w.dice.chance(25) ? std::max(1, w.dice.roll(60, 300) / w.rounds)
                                       : draw_words(w);
}

Pause draw_pause(Weave& w) {
  Pause pause;
  const int kind = w.dice.roll(0, 99);
  if (kind < 35) return pause;
  pause.turns = w.dice.pick({0, 1, 3, w.dice.roll(0, 20)});
  if (w.dice.chance(30)) pause.elements = w.dice.roll(1, 40);
  if (kind < 60) return pause;
  if (w.dice.chance(40)) pause.x_shift = w.dice.roll(1, 2);
  if (w.dice.chance(40)) pause.y_shift = w.dice.roll(1, 2);
  if (!w.straight && w.dice.chance(30)) pause.by_data = w.dice.pick({2, 4, 16});
  return pause;
}

namespace {

Op draw_op(Weave& w) {
  if (w.dice.chance(75)) return Op::vmov32;
  return w.dice.pick({Op::vmov16, Op::vadd32, Op::vfadds, Op::vfmaxs});
}

int draw_stride(Weave& w) { return w.dice.chance(75) ? 1 : w.dice.pick({-1, 2, 3}); }

}  // namespace

Transfer draw_send(Weave& w, int color, int queue, int words) {
  return {.kind = Transfer::Kind::send,
          .color = color,
          .out = queue,
          .words = words,
          .op = draw_op(w),
          .stride = draw_stride(w)};
}

Transfer draw_take(Weave& w, int color, int queue, int words) {
  return {.kind = Transfer::Kind::take,
          .color = color,
          .in = queue,
          .words = words,
          .op = draw_op(w),
          .stride = draw_stride(w)};
}

CounterFilter draw_filter(Weave& w, const Window& window) {
  CounterFilter filter;
  filter.limit1 = static_cast<std::uint32_t>(window.period - 1);
  filter.max_counter = static_cast<std::uint32_t>(window.window - 1);
  filter.counter = static_cast<std::uint32_t>(w.dice.roll(0, window.period - 1));
  return filter;
}

}  // namespace weft::test
