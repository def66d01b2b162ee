#include "bench/plain/streams.hpp"

#include <array>
#include <chrono>
#include <vector>

namespace weft::plain {
namespace {

constexpr int kDirections = 2, kColors = 4, kDepth = 2, kRamp = 2, kTurns = 8;
constexpr int kFromRamp = 2;  // a router's third input

struct Queue {
  std::array<std::uint32_t, kDepth> word{};
  int head = 0, held = 0;

  bool has_room() const { return held < kDepth; }
  void push(std::uint32_t value) { word[(head + held++) % kDepth] = value; }
  std::uint32_t pop() {
    const std::uint32_t value = word[head];
    head = (head + 1) % kDepth;
    --held;
    return value;
  }
};

struct Ramp : Queue {
  int seen = 0;
  std::array<int, kRamp + 1> arriving{};

  void send(std::uint32_t value, std::uint64_t now) {
    push(value);
    ++arriving[(now + kRamp) % arriving.size()];
  }
  void look(std::uint64_t now) {
    seen += arriving[now % arriving.size()];
    arriving[now % arriving.size()] = 0;
  }
  std::uint32_t take() {
    --seen;
    return pop();
  }
};

struct Pe {
  std::array<std::array<Queue, kColors>, 3> router;         // by input
  std::array<std::array<bool, kColors>, 3> room;            // at the start of the cycle
  std::array<int, kColors> from, to;                        // inputs, outputs (kFromRamp: the core)
  std::array<Ramp, kDirections> out, in;                    // by direction
  std::array<int, kDirections> color, to_send, to_receive;  // -1: no neighbour; words
  std::array<int, kDirections> came;                        // colors, in this cycle; -1: none
  std::array<std::uint32_t, kDirections> link;
};

std::uint32_t word_of(int pe, int k) {
  return static_cast<std::uint32_t>(pe) * 1000003U + static_cast<std::uint32_t>(k);
}

struct Mesh {
  int side, words;
  std::vector<Pe> pes = std::vector<Pe>(static_cast<std::size_t>(side) * side);
  std::vector<std::uint32_t> memory =
      std::vector<std::uint32_t>(pes.size() * static_cast<std::size_t>(3 * words));
  std::uint64_t hops = 0;
  long running = 0;  // streams with words to send or to receive

  Pe& at(int pe) { return pes[static_cast<std::size_t>(pe)]; }
  std::uint32_t* words_of(int pe) { return memory.data() + std::size_t{3} * words * pe; }
  int step(int direction) const { return direction == 0 ? 1 : side; }
};

void lay_out(Mesh& m) {
  for (int n = 0; n < m.side * m.side; ++n) {
    Pe& pe = m.at(n);
    const std::array<int, kDirections> place = {n % m.side, n / m.side};
    pe.from.fill(-1);
    pe.came.fill(-1);
    for (int d = 0; d < kDirections; ++d) {
      const int mine = 2 * d + place[d] % 2, theirs = 2 * d + 1 - place[d] % 2;
      const bool sends = place[d] + 1 < m.side, receives = place[d] > 0;
      pe.color[d] = sends ? mine : -1;
      if (sends) pe.from[mine] = kFromRamp, pe.to[mine] = d;
      if (receives) pe.from[theirs] = d, pe.to[theirs] = kFromRamp;
      pe.to_send[d] = sends ? m.words : 0;
      pe.to_receive[d] = receives ? m.words : 0;
      m.running += (sends ? 1 : 0) + (receives ? 1 : 0);
    }
    for (auto& colors : pe.room) colors.fill(true);
    for (int k = 0; k < m.words; ++k) m.words_of(n)[k] = word_of(n, k);
  }
}

void route(Mesh& m, int n, std::uint64_t now) {
  Pe& pe = m.at(n);
  std::array<bool, 3> taken{};
  for (int turn = 0; turn < kColors; ++turn) {
    const int color = turn ^ static_cast<int>(now % kColors), from = pe.from[color];
    if (from < 0 || pe.router[from][color].held == 0) continue;
    const int to = pe.to[color];
    if (taken[to]) continue;
    if (to == kFromRamp) {
      Ramp& in = pe.in[color / 2];
      if (!in.has_room()) continue;
      in.send(pe.router[from][color].pop(), now);
    } else {
      Pe& next = m.at(n + m.step(to));
      if (!next.room[to][color]) continue;
      pe.link[to] = pe.router[from][color].pop();
      next.came[to] = color;
      ++m.hops;
    }
    taken[to] = true;
  }
}

void deliver(Mesh& m, int n, std::uint64_t now) {
  Pe& pe = m.at(n);
  for (int d = 0; d < kDirections; ++d) {
    if (pe.came[d] >= 0) pe.router[d][pe.came[d]].push(m.at(n - m.step(d)).link[d]);
    pe.came[d] = -1;
    pe.out[d].look(now);
  }
  for (int turn = 0; turn < kTurns; ++turn) {  // one wavelet from the core
    const int d = turn ^ static_cast<int>(now % kTurns);
    if (d >= kDirections || pe.out[d].seen == 0 || !pe.room[kFromRamp][pe.color[d]]) continue;
    pe.router[kFromRamp][pe.color[d]].push(pe.out[d].take());
    break;
  }
  for (int color = 0; color < kColors; ++color)
    if (const int from = pe.from[color]; from >= 0)
      pe.room[from][color] = pe.router[from][color].has_room();
}

void execute(Mesh& m, int n, std::uint64_t now) {
  Pe& pe = m.at(n);
  std::uint32_t* const own = m.words_of(n);
  for (int d = 0; d < kDirections; ++d) {
    if (pe.to_send[d] > 0 && pe.out[d].has_room()) {
      pe.out[d].send(own[m.words - pe.to_send[d]], now);
      if (--pe.to_send[d] == 0) --m.running;
    }
    pe.in[d].look(now);
    if (pe.to_receive[d] > 0 && pe.in[d].seen > 0) {
      own[(2 + d) * m.words - pe.to_receive[d]] = pe.in[d].take();
      if (--pe.to_receive[d] == 0) --m.running;
    }
  }
}

bool is_right(Mesh& m) {
  for (int n = 0; n < m.side * m.side; ++n)
    for (int d = 0; d < kDirections; ++d)
      for (int k = 0; k < m.words && (d == 0 ? n % m.side : n / m.side) > 0; ++k)
        if (m.words_of(n)[(1 + d) * m.words + k] != word_of(n - m.step(d), k)) return false;
  return true;
}

}  // namespace

Streamed stream(int side, int words) {
  Mesh m{side, words};
  lay_out(m);
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t now = 0;
  for (; m.running > 0; ++now) {
    for (int n = 0; n < side * side; ++n) route(m, n, now);
    for (int n = 0; n < side * side; ++n) deliver(m, n, now);
    for (int n = 0; n < side * side; ++n) execute(m, n, now);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return {now, m.hops, taken.count(), is_right(m)};
}

}  // namespace weft::plain
