// The exchange around a ring (patterns/ring_code.cpp): messages go on from PE to PE, the shorter
// way round, and each PE holds what it passes on. It needs no filters and no switches, so it is
// right on every machine. Along both axes PEs stand in the order of a folded ring (Division::ring).
//
// Rows receive by the queues 0 and 1 and send by 2 and 3, columns the other way round: a PE that
// has ended an exchange may begin the next one while its last wavelets still wait in a queue.

#include "fft/wsfft/transpose_form.hpp"
#include "patterns/ring_code.hpp"
#include "patterns/ring_places.hpp"

namespace weft::wsfft {
namespace {

/// By axis and way. Chosen: streams that share a link have colors that differ in one bit, a low one
/// (patterns::ring_colors). Messages of 64 wavelets among 32 PEs take 22,161 cycles so, and 24,462
/// with the numbers 0 to 5 in order.
constexpr std::array<std::array<std::array<int, 3>, 2>, 2> kColors{
    {{{{0, 6, 3}, {7, 1, 4}}}, {{{8, 14, 11}, {15, 9, 12}}}}};
constexpr std::array<std::array<int, 2>, 2> kInputs{{{0, 1}, {2, 3}}}, kOutputs{{{2, 3}, {0, 1}}};
constexpr std::uint8_t kFirstTask[] = {4, 7};  // ids 0 to 3 are the transform's own

std::size_t index(Axis axis) { return axis == Axis::row ? 0 : 1; }

Along along(Axis axis) { return axis == Axis::row ? Along::rows : Along::columns; }

Task task(Axis axis, int number) {
  return {TaskKind::local, static_cast<std::uint8_t>(kFirstTask[index(axis)] + number)};
}

/// The axis of a message along which the parts of successive senders go on at the receiver.
std::size_t joined_axis(const Blocks& blocks) {
  for (std::size_t axis = 0; axis < blocks.extents.size(); ++axis)
    if (blocks.extents[axis] * blocks.to[axis] == blocks.to_step) return axis;
  return 0;
}

/// Messages in words, that axis first.
RingParts parts(const Exchange& exchange, const std::array<int, 3>& strides, int step) {
  const int words = exchange.words;
  const std::size_t first = joined_axis(exchange.blocks);
  RingParts all{step * words, {}};
  const auto add = [&](std::size_t axis) {
    all.part.push_back(dimension(exchange.blocks.extents[axis], strides[axis] * words));
  };
  add(first);
  for (std::size_t axis = 0; axis < strides.size(); ++axis)
    if (axis != first) add(axis);
  all.part.push_back(dimension(words, 1));
  return all;
}

patterns::RingCode ring_of(const Exchange& exchange, const ExchangeCall& call) {
  const std::size_t axis = index(exchange.axis);
  const Blocks& blocks = exchange.blocks;
  return {exchange.p(),
          exchange.message(),
          parts(exchange, blocks.from, blocks.from_step),
          parts(exchange, blocks.to, blocks.to_step),
          {call.from},
          {call.to},
          kColors[axis],
          kInputs[axis],
          kOutputs[axis],
          {task(exchange.axis, 0), task(exchange.axis, 1)},
          task(exchange.axis, 2),
          {kPlace, {{{5}, {7}}}, {{{6}, {8}}}, {{{9}, {10}}}, {{kScratch, {11}, {12}}}, call.zero},
          {{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}}};
}

patterns::CodeWriter writer_of(ProgramBuilder& p) {
  return {p, [&p] { return p.label(); }, [&p](Label label) { p.place(label); },
          [&p](const Shape& s) {
            return p.shape({s[0], s[1], s[2], s[3]});
          }};
}

void lay_out(Layout& layout, Form, Axis axis, int p, int) {
  const int lines = axis == Axis::row ? layout.width() : layout.height();
  for (const int way : {patterns::kOnwards, patterns::kBackwards}) {
    const auto w = static_cast<std::size_t>(way);
    for (const auto& [pe, color, rx, tx] : patterns::ring_routes(p, along(axis), way)) {
      Route route{.rx = rx, .tx = tx};
      if (tx == Port::ramp) route.input_queue = kInputs[index(axis)][w];
      for (int line = pe; line < lines; line += p)
        layout.route(across(layout, axis, line),
                     kColors[index(axis)][w][static_cast<std::size_t>(color)], route);
    }
  }
}

std::vector<std::uint32_t> finish(Form, Axis, bool) { return {}; }

void start(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  emit_place(p, exchange);
  patterns::emit_ring_start(writer_of(p), ring_of(exchange, call));
}

void tasks(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  const patterns::RingCode ring = ring_of(exchange, call);
  const patterns::CodeWriter writer = writer_of(p);
  for (const int way : {patterns::kOnwards, patterns::kBackwards}) {
    p.local_task(ring.ways[static_cast<std::size_t>(way)].id);
    patterns::emit_ring_way(writer, ring, way);
    p.end();
  }
  p.local_task(ring.last.id);
  patterns::emit_ring_end(writer, ring);
  p.activate(exchange.next);
  p.end();
}

}  // namespace

const ExchangeCode kRing{lay_out, finish, start, tasks};

}  // namespace weft::wsfft
