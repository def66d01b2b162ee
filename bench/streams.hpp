#pragma once

#include <chrono>
#include <cstdint>

#include "weft/fabric.hpp"

/// Rows in which PE 0 sends streams to the last PE: load that is easily varied.
namespace weft::bench {

struct Streams {
  int width;
  int height = 1;
  Rect where = {0, 0, width, height};  ///< whole rows: the ones that talk
  int colors = 1;
  int wavelets = 4000;  ///< per color and row
  bool dense = true;    ///< as many as links carry; otherwise most cycles have none to send
};

namespace streams {

constexpr Reg kZero{1}, kLeft{2};
constexpr Dsr kMemory{0};

/// A descriptor for each color's queue.
inline Dsr queue_of(int color) { return {static_cast<std::uint8_t>(1 + color)}; }

inline VectorOptions background() {
  VectorOptions options;
  options.async = true;
  return options;
}

/// All elements are one word of memory.
inline void use_one_word(ProgramBuilder& p) {
  p.dbase(kMemory, static_cast<std::int32_t>(p.reserve("word", 4).address));
}

/// All wavelets in one vector instruction per color.
inline Program dense_sender(const Streams& s) {
  ProgramBuilder p("sender");
  p.start(p.local_task(0));
  use_one_word(p);
  p.dlen(kMemory, s.wavelets);
  for (int c = 0; c < s.colors; ++c) {
    p.dfabout(queue_of(c), c, c);
    p.vmov32(queue_of(c), kMemory, background());
  }
  p.end();
  return p.build();
}

/// One wavelet at a time.
inline Program sparse_sender(const Streams& s) {
  ProgramBuilder p("sender");
  p.start(p.local_task(0));
  use_one_word(p);
  p.dlen(kMemory, 1);
  for (int c = 0; c < s.colors; ++c) p.dfabout(queue_of(c), c, c);
  p.li(kZero, 0);
  p.li(kLeft, s.wavelets);
  const Label again = p.label();
  p.place(again);
  for (int c = 0; c < s.colors; ++c) p.vmov32(queue_of(c), kMemory);
  p.addi(kLeft, kLeft, -1);
  p.bne(kLeft, kZero, again);
  p.end();
  return p.build();
}

inline Program receiver(const Streams& s) {
  ProgramBuilder p("receiver");
  p.start(p.local_task(0));
  use_one_word(p);
  for (int c = 0; c < s.colors; ++c) {
    p.dfabin(queue_of(c), c);
    p.dlen(queue_of(c), s.wavelets);
    p.vmov32(kMemory, queue_of(c), background());
  }
  p.end();
  return p.build();
}

}  // namespace streams

inline Layout lay_out(const Streams& s) {
  Layout layout(s.width, s.height);
  const int y = s.where.y, rows = s.where.height;
  const Rect first{0, y, 1, rows}, between{1, y, s.width - 2, rows}, last{s.width - 1, y, 1, rows};
  layout.place(first, s.dense ? streams::dense_sender(s) : streams::sparse_sender(s));
  layout.place(last, streams::receiver(s));
  for (int c = 0; c < s.colors; ++c) {
    Route end{.rx = Port::west, .tx = Port::ramp};
    end.input_queue = c;
    layout.route(first, c, {.rx = Port::ramp, .tx = Port::east});
    layout.route(between, c, {.rx = Port::west, .tx = Port::east});
    layout.route(last, c, end);
  }
  return layout;
}

struct StreamsRun {
  double seconds;
  FabricCounters counters;
};

/// One run on a fresh fabric, to the end.
inline StreamsRun run(const Layout& layout, const FabricOptions& options = {}) {
  Fabric fabric(layout, Machine{}, options);
  const auto start = std::chrono::steady_clock::now();
  fabric.run_until_idle(10'000'000);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return {taken.count(), fabric.counters()};
}

}  // namespace weft::bench
