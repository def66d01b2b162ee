// A program for all PEs. In each step of a stage a PE sends its block on and receives the next one,
// and meanwhile multiplies what it has. The block of step s in place u of a ring is that of place
// u + s at the start.
//
// The array rolls in stages 1 and 2. A PE sums to the numbers n of its own block: y(n) += x(k) c(k,
// n), with pencils x and y, for all k of the block that is there. Through all steps k goes on by 1,
// and the index of its root, k n modulo N, by n. Indices count down, so that one subtraction and
// the sign of its result are the modulo: root number i in memory is conj(c)^i.
//
// In stage 3 rows C(l) of the matrix roll, and y += x(l) C(l), where x(l) is one number of a
// pencil.

#include "fft/s3dft/program.hpp"

#include <algorithm>
#include <string>

#include "fft/s3dft/rings.hpp"
#include "fft/s3dft/stage.hpp"
#include "weft/patterns.hpp"

namespace weft::s3dft {
namespace {

Memory reserve(ProgramBuilder& p, const Transform& t) {
  const Division& d = t.division;
  const int part = t.part_bytes();
  const auto bytes = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  const std::uint64_t block = bytes(numbers_of(d) * 2 * part);
  const std::uint64_t rows = 4 * bytes(words_of_step(t, stages_of(d)[2]));
  Memory m;
  m.block[0] = p.reserve("x", block);
  m.block[1] = p.reserve("next", std::max(block, rows));
  m.block[2] = p.reserve("y", block);
  m.rows = p.reserve("rows", rows);
  if (t.form == S3dftForm::cannon) {
    const std::array<int, 2> sides{numbers_along_x(d), numbers_along_y(d)};
    const auto factors = [&](int side) { return 2 * bytes(std::int64_t{side} * side * 2 * part); };
    m.factors[0] = p.reserve("factors k", factors(sides[0]));
    m.factors[1] = p.reserve("factors j", factors(sides[1]));
  } else {
    for (const int n : {d.sides[2], d.sides[1]})
      if (std::ranges::find(m.roots, n, &Roots::n) == m.roots.end())
        m.roots.push_back(
            {n, p.reserve("roots " + std::to_string(n), bytes(std::int64_t{n} * 2 * part))});
  }
  m.launch = p.reserve("launch", bytes(std::int64_t{4} * kLaunchWords * kStages));
  m.stamps = p.reserve("stamps", 4 * phases(t).size());
  return m;
}

std::uint32_t bytes_of(int numbers, int each) {
  return static_cast<std::uint32_t>(numbers) * static_cast<std::uint32_t>(each);
}

/// Launch::number has the places to go, Launch::root the color and, plus 3, whether it is onwards,
/// and Launch::step the color for the factors.
Launch cannon_launch(const Transform& t, Axis ring, int x, int y) {
  const auto place = [&](int pe, int length) {
    return length == 1 ? 0 : RingShift::place_of(pe % length, length);
  };
  const auto [px, py] = t.ring;
  const bool row = ring == Axis::row;
  const int length = row ? px : py, pe = (row ? x : y) % length;
  const int other_length = row ? py : px, other_pe = (row ? y : x) % other_length;
  const int before = place(other_pe, other_length);
  const bool onwards = before > length / 2;
  const auto word = [](int n) { return static_cast<std::uint32_t>(n); };
  return {word(color_of(pe, length)), word(onwards ? length - before : before),
          word(onwards ? 3 + color_of(pe, length, Around::onwards) : color_of(pe, length)),
          word(color_of(other_pe, other_length))};
}

}  // namespace

TransformProgram build_transform(const Transform& t) {
  ProgramBuilder p("s3dft");
  const Memory m = reserve(p, t);
  const auto stages = stages_of(t.division);
  // Where the array is, the room beside it, and the sums, stage by stage.
  const MemorySpan& x = m.block[0];
  const MemorySpan &next = m.block[1], &y = m.block[2];
  const std::array<std::array<MemorySpan, 3>, kStages> places{
      {{x, next, y}, {y, next, x}, {m.rows, next, y}}};
  int last_task = 0, phase = 0;
  const auto new_task = [&] {
    return Task{TaskKind::local, static_cast<std::uint8_t>(++last_task)};
  };
  p.start(p.local_task(last_task));
  p.li(kZero, 0);
  for (std::size_t k = 0; k < kStages; ++k) {
    const auto& [full, room, sums] = places[k];
    StageWriter writer{p, t, m, static_cast<int>(k), stages[k], full, room, sums, x, 0, {}};
    if (writer.rolls_factors()) ++phase;
    writer.phase = phase++;
    for (const std::size_t parity : {0, 1}) {
      writer.tasks.step[parity] = new_task();
      if (!writer.rolls_factors()) continue;
      writer.tasks.align[parity] = new_task();
      writer.tasks.join[parity] = {new_task(), new_task()};
    }
    writer.write();
  }
  p.end();
  return {p.build(), x, y, m.launch, m.roots, m.rows, m.factors, m.stamps};
}

std::vector<std::uint32_t> launch_words(const Transform& t, int x, int y) {
  const Division& d = t.division;
  std::vector<std::uint32_t> words;
  for (const Stage& stage : stages_of(d)) {
    const bool row = stage.ring == Axis::row;
    const int pe = row ? x : y, p = d.along(stage.ring), length = t.ring[row ? 0 : 1];
    const int place = d.part_at(pe, stage.ring);
    const int n = d.sides[static_cast<std::size_t>(stage.summed)];
    Launch launch{static_cast<std::uint32_t>(color_of(pe % length, length)), 0};
    if (stage.rolls_array() && t.form == S3dftForm::cannon) {
      launch = cannon_launch(t, stage.ring, x, y);
    } else if (stage.rolls_array()) {
      const std::int64_t first = std::int64_t{place} * (n / p);
      const auto bytes = [&](std::int64_t number) {
        return bytes_of(static_cast<int>(number), 2 * t.part_bytes());
      };
      launch.number = bytes(first);
      launch.root = bytes((n - first * first % n) % n);
      launch.step = bytes(first);
    } else {
      launch.number = bytes_of(rows_of(n, place, p).first, t.part_bytes());
      launch.step = static_cast<std::uint32_t>(place - n % p);
    }
    for (const std::uint32_t word : {launch.color, launch.number, launch.root, launch.step})
      words.push_back(word);
  }
  return words;
}

int first_room(const Transform& t, const Stage& stage, int x, int y) {
  return static_cast<int>(cannon_launch(t, stage.ring, x, y).number % 2);
}

Layout lay_out(const Program& program, const Transform& t) {
  const auto [px, py] = t.ring;
  const Division& d = t.division;
  const bool all = px == d.px && py == d.py;
  Layout layout(all ? d.width() : px, all ? d.height() : py);
  layout.place({0, 0, layout.width(), layout.height()}, program);
  for (const Around way : {Around::backwards, Around::onwards}) {
    if (way == Around::onwards && t.form != S3dftForm::cannon) continue;
    route_rings(layout, Axis::row, px, way);
    route_rings(layout, Axis::column, py, way);
  }
  return layout;
}

std::vector<RunPhase> phases(const Transform& t) {
  std::vector<RunPhase> all;
  for (const Stage& stage : stages_of(t.division)) {
    const std::string axis(1, "ijk"[stage.summed]);
    if (t.form == S3dftForm::cannon && stage.rolls_array())
      all.push_back({"align along " + axis, true, 0});
    all.push_back({"sums along " + axis, false, 0});
  }
  return all;
}

}  // namespace weft::s3dft
