#include "evaluation/transposes/halves.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "weft/program.hpp"

namespace weft::transposes {
namespace {

constexpr Reg kScratch{0};
constexpr Dsr kTakeTo{0}, kTakeFrom{1};

/// Queues that take a wavelet in every cycle; a level and the next have no queue in common.
constexpr int kQueues = 4;

void emit_own_number(const HalvesProgram& t) {
  const int at = 4 * t.pe * t.line.words;
  for (int word = 0; word < t.line.words; ++word) {
    t.p.lw(kScratch, kZero, static_cast<int>(t.numbers.address) + at + 4 * word);
    t.p.sw(kScratch, kZero, static_cast<int>(t.room.address) + at + 4 * word);
  }
}

}  // namespace

int levels_of(int n) {
  int levels = 0;
  while (1 << levels < n) ++levels;
  return levels;
}

Level level_of(int n, int pe, int number) {
  const int half = n >> (number + 1), first = pe - pe % (2 * half), place = pe - first;
  const bool left = place < half;
  return {number,
          half,
          first,
          left,
          left ? half - 1 - place : place - half,
          first / (2 * half) % 2,
          2 * number + (left ? 0 : 1),
          2 * number + (left ? 1 : 0),
          (number + 1) % kQueues,
          number % kQueues};
}

void lay_out_level(LineProgram& made, const Line& line, int number, const LevelRules& rules) {
  for (int pe = 0; pe < line.n; ++pe) {
    const Level level = level_of(line.n, pe, number);
    const Port ahead = level.ahead(), behind = opposite(ahead);
    Route sender{.rx = Port::ramp, .tx = ahead};
    if (!level.farthest()) sender.positions = {SwitchPosition::receive(behind)};
    sender.pop = level.order == 0 ? rules.at_the_middle : rules.senders;
    made.layout.route(line.column(pe), level.out, sender);

    Route receiver{.rx = ahead, .tx = Port::ramp};
    receiver.input_queue = level.in_queue;
    if (!level.farthest() && rules.filters) receiver.tx = {Port::ramp, behind};
    if (!level.farthest() && !rules.filters) receiver.positions = {SwitchPosition::send(behind)};
    made.layout.route(line.column(pe), level.in, receiver);
    if (!rules.filters) continue;
    // Of each sender's numbers, the one for the farthest PE comes first.
    CounterFilter filter;
    const int before = (level.half - 1 - level.order) * line.words;
    const int period = level.half * line.words;
    filter.counter = static_cast<std::uint32_t>((period - before) % period);
    filter.limit1 = static_cast<std::uint32_t>(period - 1);
    filter.max_counter = static_cast<std::uint32_t>(line.words - 1);
    made.layout.filter(line.column(pe), level.in, filter);
  }
}

void place_halves(LineProgram& made, const Line& line, const std::vector<int>& order, bool keeps,
                  const std::function<const LevelCode&(int number)>& code) {
  const auto bytes = static_cast<std::uint32_t>(4 * line.size());
  for (int pe = 0; pe < line.n; ++pe) {
    ProgramBuilder p("halves " + std::to_string(pe));
    const MemorySpan numbers = p.reserve(kNumbers, bytes, ElementType::u32);
    const MemorySpan room = p.reserve(kRoom, bytes, ElementType::u32);
    const MemorySpan controls =
        p.reserve<std::uint32_t>("controls", static_cast<int>(2 * order.size()));
    const MemorySpan done = p.reserve<std::uint32_t>(kDone, 1);
    const HalvesProgram program{p, line, pe, numbers, room, controls};
    std::vector<std::uint32_t> words(2 * order.size());
    int step = 0;
    for (const int number : order) {
      const Level level = level_of(line.n, pe, number);
      const LevelControls two = code(number).controls(level);
      std::ranges::copy(two, words.begin() + std::ptrdiff_t{2} * number);
      const Task task = p.local_task(step);
      if (step == 0) {
        p.start(task);
        p.li(kZero, 0);
        if (keeps) emit_own_number(program);
      }
      code(number).emit(program, level, ++step);
    }
    p.local_task(step);
    p.tsc(kScratch);
    p.sw(kScratch, kZero, static_cast<int>(done.address));
    p.end();
    made.layout.place(line.column(pe), p.build());
    made.at_launch.push_back({line.column(pe), "controls", words});
  }
}

VectorOptions activates(int task) {
  return {.async = true,
          .at_end = VectorOptions::AtEnd::activate,
          .task_id = static_cast<std::uint8_t>(task)};
}

void set_words(ProgramBuilder& p, Dsr d, const MemorySpan& span, int word, int length, int stride) {
  p.dbase(d, static_cast<int>(span.address) + 4 * word);
  p.dlen(d, length);
  p.dstride(d, stride);
}

void set_control(const HalvesProgram& t, Dsr d, const Level& level, int which) {
  set_words(t.p, d, t.controls, 2 * level.number + which, 1, 1);
}

void emit_take_numbers(const HalvesProgram& t, const Level& level, int then) {
  // The PE beside the middle sends first. Numbers for PEs to the right come with their words in
  // reverse, so that they are caught from the middle to the left.
  const int words = t.line.words, first = level.middle() * words - (level.left ? 0 : 1);
  t.p.dfabin(kTakeFrom, level.in_queue);
  t.p.dlen(kTakeFrom, level.half * words);
  set_words(t.p, kTakeTo, t.room, first, level.half * words, level.left ? 1 : -1);
  t.p.vmov32(kTakeTo, kTakeFrom, activates(then));
}

}  // namespace weft::transposes
