#include "support/broadcast.hpp"

#include <utility>

namespace weft::test {
namespace {

constexpr int kWords = 1, kEven = 2,
              kOdd = 3;  // colors: of the broadcast, of shifts by sender's place
constexpr std::int32_t kShifted = 0, kFinished = 4, kHeard = 8;  // byte addresses
constexpr Reg kValue{1}, kZero{15};
constexpr Dsr kOut{0}, kIn{1}, kMemory{2};

/// The PEs at a place of every line.
Rect rect(const Broadcast& b, int place) {
  const bool backwards = b.heading == Heading::west || b.heading == Heading::north;
  const int at = backwards ? b.length - 1 - place : place;
  return b.along_x() ? Rect{at, 0, 1, b.lines} : Rect{0, at, b.lines, 1};
}

Port onward(Heading heading) {
  constexpr Port kPorts[] = {Port::east, Port::west, Port::south, Port::north};
  return kPorts[static_cast<int>(heading)];
}

int shift_color(int place) { return place % 2 == 0 ? kEven : kOdd; }

Program program(const Broadcast& broadcast, int place) {
  const bool first = place == 0, last = place == broadcast.length - 1;
  ProgramBuilder b("broadcast");
  const auto bytes = static_cast<std::uint32_t>(kHeard + 4 * broadcast.words);
  b.reserve("result", bytes);
  b.start(b.local_task(0));
  const auto number = [&] { broadcast.along_x() ? b.xcoord(kValue) : b.ycoord(kValue); };
  b.dbase(kMemory, kHeard);
  b.dlen(kMemory, broadcast.words);
  b.dstride(kMemory, 1);
  b.dfabin(kIn, 0);
  b.dlen(kIn, broadcast.words);
  if (!first) b.vmov32(kMemory, kIn, {true});
  if (first && !last) {
    b.dfabout(kOut, 2, kWords);
    b.dlen(kOut, 1);
    for (int i = 0; i < broadcast.words; ++i) {
      b.li(kValue, 1000 + i);
      b.vmov32r(kOut, kValue);
    }
  }
  if (!last) {
    number();
    b.addi(kValue, kValue, 500);
    b.dfabout(kOut, 3, shift_color(place));
    b.dlen(kOut, 1);
    b.vmov32r(kOut, kValue);
  }
  b.end();
  for (const int color : {kEven, kOdd}) {
    b.data_task(color);
    b.tsc(kValue);
    b.sw(Reg{0}, kZero, kShifted);
    b.sw(kValue, kZero, kFinished);
    b.end();
  }
  return b.build();
}

}  // namespace

Layout Broadcast::layout() const {
  Layout layout(width(), height());
  const Port to = onward(heading), from = opposite(to);
  for (int place = 0; place < length; ++place) {
    const Rect here = rect(*this, place);
    const bool first = place == 0, last = place == length - 1;
    layout.place(here, program(*this, place));
    if (!last) layout.route(here, shift_color(place), {Port::ramp, to});
    if (!first) {
      Route shifted{from, Port::ramp},
          tap{from, last ? PortSet{Port::ramp} : PortSet{to, Port::ramp}};
      shifted.input_queue = 1;
      tap.input_queue = 0;
      layout.route(here, shift_color(place - 1), shifted);
      layout.route(here, kWords, tap);
    } else if (!last) {
      layout.route(here, kWords, {Port::ramp, to});
    }
  }
  return layout;
}

BroadcastResult result_of(const Fabric& fabric, const Broadcast& b, int line, int place) {
  const Rect place_of_line = rect(b, place);
  const Rect pe =
      b.along_x() ? Rect{place_of_line.x, line, 1, 1} : Rect{line, place_of_line.y, 1, 1};
  std::vector<std::uint32_t> words(static_cast<std::size_t>(b.words) + 2);
  fabric.read(pe, 0, words);
  return {{words.begin() + 2, words.end()}, words[0], words[1]};
}

std::vector<BroadcastResult> results_of(const Fabric& fabric, const Broadcast& broadcast) {
  std::vector<BroadcastResult> all;
  for (int line = 0; line < broadcast.lines; ++line)
    for (int place = 0; place < broadcast.length; ++place)
      all.push_back(result_of(fabric, broadcast, line, place));
  return all;
}

}  // namespace weft::test
