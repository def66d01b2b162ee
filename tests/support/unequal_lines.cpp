#include "support/unequal_lines.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace weft::test {
namespace {

constexpr int kMeshSide = 8;
constexpr int kAlong = 0, kAcross = 1;  // colors
constexpr Reg kCame{0}, kAt{1}, kNought{2}, kTurns{3};

/// The first PE of each row sends along it, that of each column along that.
void route_both(Layout& layout) {
  constexpr int kLast = kMeshSide - 1;
  const auto route = [&](int color, Rect first, Rect next, Rect last, Port from, Port to) {
    layout.route(first, color, {Port::ramp, to});
    layout.route(next, color, {.rx = from, .tx = {to, Port::ramp}, .input_queue = 2 + color});
    layout.route(last, color, {.rx = from, .tx = Port::ramp, .input_queue = 2 + color});
  };
  route(kAlong, {0, 0, 1, kMeshSide}, {1, 0, kMeshSide - 2, kMeshSide}, {kLast, 0, 1, kMeshSide},
        Port::west, Port::east);
  route(kAcross, {0, 0, kMeshSide, 1}, {0, 1, kMeshSide, kMeshSide - 2}, {0, kLast, kMeshSide, 1},
        Port::north, Port::south);
}

/// A PE whose place is 0 sends word 0.
void send_if_first(ProgramBuilder& b, const MemorySpan& words, Reg place, int color, int queue) {
  const Label others = b.label();
  b.bne(place, kNought, others);
  b.dbase({0}, static_cast<std::int32_t>(words.address));
  b.dlen({0}, 1);
  b.dfabout({1}, queue, color);
  b.dlen({1}, 1);
  b.vmov32({1}, {0});
  b.place(others);
}

void count_down(ProgramBuilder& b) {
  const Label again = b.label();
  b.place(again);
  b.addi(kTurns, kTurns, -1);
  b.bne(kTurns, kNought, again);
}

/// The byte of a PE's words.
using WordAt = std::function<std::int32_t(int)>;
using Part = std::function<void(ProgramBuilder&, const WordAt&)>;

/// A program of all PEs: rows send, wait some, and then columns send.
struct TwoPhases {
  const char* name;
  int threads;
  Part between;    ///< the two
  Part on_column;  ///< in PEs that a column sends to
  std::function<void(Fabric&)> prepare;
};

Setting setting_with(const TwoPhases& phases) {
  ProgramBuilder b(phases.name);
  const MemorySpan words = b.reserve("words", 64);
  const WordAt word = [&](int n) { return static_cast<std::int32_t>(words.address) + 4 * n; };
  b.start(b.local_task(0));
  b.li(kNought, 0);
  b.xcoord(kAt);
  send_if_first(b, words, kAt, kAlong, 0);
  b.li(kTurns, 100);
  count_down(b);
  phases.between(b, word);
  b.ycoord(kAt);
  send_if_first(b, words, kAt, kAcross, 1);
  b.end();
  b.data_task(kAlong);
  b.sw(kCame, kNought, word(2));
  b.end();
  b.data_task(kAcross);
  phases.on_column(b, word);
  b.sw(kCame, kNought, word(3));
  b.end();
  Setting setting{Layout(kMeshSide, kMeshSide), {}, phases.threads, false, phases.prepare};
  setting.layout.place({0, 0, kMeshSide, kMeshSide}, b.build());
  route_both(setting.layout);
  return setting;
}

void do_nothing(ProgramBuilder& /*b*/, const WordAt& /*word*/) {}

}  // namespace

Setting rows_that_read_their_place(bool reads) {
  const auto between = [=](ProgramBuilder& b, const WordAt& word) {
    b.tsc(kTurns);
    b.sw(kTurns, kNought, word(14));
    if (reads) b.lw(kTurns, kNought, word(14));
    b.sw(kTurns, kNought, word(15));
    b.ycoord(kAt);
    b.sw(kAt, kNought, word(1));
  };
  const auto prepare = [](Fabric& fabric) {
    std::vector<std::uint32_t> differ;
    differ.reserve(std::size_t{2} * kMeshSide * kMeshSide);
    for (std::uint32_t pe = 0; pe < kMeshSide * kMeshSide; ++pe)
      for (const unsigned other : {14U, 15U}) differ.push_back(pe / kMeshSide + other);
    fabric.write({0, 0, kMeshSide, kMeshSide}, 4 * 14, differ);
  };
  return setting_with({"reads its place", 2, between, do_nothing, prepare});
}

Setting columns_that_differ_late() {
  const auto on_column = [](ProgramBuilder& b, const WordAt& word) {
    b.lw(kTurns, kNought, word(14));
    count_down(b);
  };
  const auto prepare = [](Fabric& fabric) {
    std::vector<std::uint32_t> rounds;
    rounds.reserve(std::size_t{kMeshSide} * kMeshSide);
    for (std::uint32_t pe = 0; pe < kMeshSide * kMeshSide; ++pe)
      rounds.push_back(50 + 30 * (pe % kMeshSide));
    fabric.write({0, 0, kMeshSide, kMeshSide}, 4 * 14, rounds);
  };
  return setting_with({"differs late", 1, do_nothing, on_column, prepare});
}

}  // namespace weft::test
