// Breadth-first search in a maze of 16 x 16 cells, one a PE. A number from a neighbour starts a
// task: a distance, which a cell takes and sends on if it is less than its own, or 0, an answer. A
// cell answers the distance that woke it once all that it sent on are answered (Dijkstra and
// Scholten). So the first cell knows when the search is over.
#include <array>
#include <cstdio>
#include <weft/weft.hpp>

constexpr int kSide = 16, kFar = 1 << 20, kNobody = -1, kHost = 4;
constexpr std::array kSides{weft::Port::east, weft::Port::west, weft::Port::south,
                            weft::Port::north};  // the opposite one is number xor 1

bool is_wall(int x, int y) {
  return (x != 0 || y != 0) && (6 * y * y + 2 * x * x + 5 * x * y) % 7 < 3;
}

/// `to`: shifts by side.
void write_cell(weft::PeProgram& pe, const std::vector<weft::NeighborShift>& to) {
  const weft::PeVector answer = pe.array<int>("answer", 1), onward = pe.array<int>("onward", 1);
  const weft::PeVector found = pe.array<int>("distance", 1), end = pe.array<int>("end", 1);
  const weft::PeScalar distance = pe.scalar<int>("distance"), open = pe.scalar<int>("unanswered");
  const weft::PeScalar next = pe.scalar<int>("next"), woken_by = pe.scalar<int>("woken by");
  std::vector<std::size_t> sides;
  for (std::size_t side = 0; side < 4; ++side)
    if (pe.has_neighbor(kSides[side])) sides.push_back(side);

  const auto send_on = [&] {
    pe.store(found, distance);
    pe.add(next, distance, 1);
    pe.store(onward, next);
    pe.add(open, open, static_cast<int>(sides.size()));
    for (const std::size_t side : sides) to[side].send(pe, onward);
  };
  const auto came = [&](std::size_t side, weft::PeScalar number) {
    const auto reply = [&] { to[side].send(pe, answer); };
    const auto wake = [&] { pe.set(woken_by, static_cast<int>(side)); };
    const auto take = [&] {
      pe.set(distance, number);
      pe.when(woken_by == kNobody, wake, reply);
      send_on();
    };
    const auto is_answer = [&] { pe.add(open, open, -1); };
    pe.when(number == 0, is_answer, [&] { pe.when(number < distance, take, reply); });
    pe.when(open == 0, [&] {
      for (const std::size_t waker : sides)
        pe.when(woken_by == static_cast<int>(waker),
                [&] { pe.set(woken_by, kNobody), to[waker].send(pe, answer); });
      pe.when(woken_by == kHost, [&] { pe.tsc(next), pe.store(end, next); });
    });
  };
  const bool is_first = pe.where([](int x, int y) { return x == 0 && y == 0; });
  pe.set(distance, is_first || pe.where(is_wall) ? 0 : kFar);
  pe.set(woken_by, is_first ? kHost : kNobody);
  if (is_first) send_on();
  for (const std::size_t side : sides)  // from the neighbour there
    pe.on_data<int>(to[side ^ 1U].incoming(), [&](weft::PeScalar number) { came(side, number); });
}

int main() {
  weft::Design design(kSide, kSide);
  std::vector<weft::NeighborShift> to;
  for (const char* name : {"east", "west", "south", "north"})
    to.emplace_back(design, design.all(), kSides[to.size()], name);
  design.program(design.all(), "cell", [&](weft::PeProgram& pe) { write_cell(pe, to); });
  weft::Fabric fabric = design.fabric();
  fabric.run_until_idle(1'000'000);

  std::vector<int> expected(kSide * kSide), queue{0};  // of cells, row by row
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const auto& [dx, dy] : {std::array{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const int x = queue[i] % kSide + dx, y = queue[i] / kSide + dy, cell = kSide * y + x;
      if (x < 0 || x >= kSide || y < 0 || y >= kSide || is_wall(x, y) || cell == 0) continue;
      int& distance = expected[static_cast<std::size_t>(cell)];
      if (distance != 0) continue;
      distance = expected[static_cast<std::size_t>(queue[i])] + 1;
      queue.push_back(cell);
    }
  const std::vector<int> found = fabric.gather<int>(design.all(), "distance");
  int right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == expected[i] ? 1 : 0;
  const int longest = expected[static_cast<std::size_t>(queue.back())];
  const int end = fabric.read<int>({0, 0, 1, 1}, "end")[0];
  // There and back, each step starts a task, which starts a send, and crosses two ramps and a link.
  const weft::Machine m;
  const int way = m.microthread_start_cycles + 2 * m.ramp_cycles + 1 + m.hop_cycles;
  const int least = 2 * longest * (m.task_start_cycles + way);
  std::printf("%d of %d distances are right, the longest %d; ", right, kSide * kSide, longest);
  std::printf("the first cell knew the end after %d cycles (at least %d)\n", end, least);
  return right == kSide * kSide && least <= end ? 0 : 1;
}
