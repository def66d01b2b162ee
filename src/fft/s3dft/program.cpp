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
#include <bit>
#include <string>

#include "fft/s3dft/rings.hpp"
#include "fft/s3dft/vectors.hpp"
#include "isa/alu.hpp"

namespace weft::s3dft {
namespace {

constexpr int kStages = 3;

// Registers.
constexpr Reg kScratch{0}, kLeft{1}, kNumber{2}, kRoot{3}, kStep{4}, kAt{5}, kRe{6}, kIm{7},
    kMinusIm{8}, kSources{9}, kResults{10}, kZero{15};

// Descriptors. Of two, the first is for the buffer that is full in odd steps.
constexpr Dsr kBuffer[] = {{0}, {1}}, kSourceRe[] = {{2}, {3}}, kSourceIm[] = {{4}, {5}},
              kResultRe{6}, kResultIm{7}, kIn{8}, kOut{9}, kWhole{10};

struct Memory {
  MemorySpan block[3];  ///< the array at the start, room, and the sums of the first stage
  MemorySpan rows, launch, stamps;
  std::vector<Roots> roots;

  const Roots& roots_of(int n) const { return *std::ranges::find(roots, n, &Roots::n); }
};

std::int32_t address(const MemorySpan& span) { return static_cast<std::int32_t>(span.address); }

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
  for (const int n : {d.sides[2], d.sides[1]})
    if (std::ranges::find(m.roots, n, &Roots::n) == m.roots.end())
      m.roots.push_back(
          {n, p.reserve("roots " + std::to_string(n), bytes(std::int64_t{n} * 2 * part))});
  m.launch = p.reserve("launch", bytes(4 * kLaunchWords * kStages));
  m.stamps = p.reserve("stamps", bytes(4 * kStages));
  return m;
}

/// The products of one step, as loops: sources (pencils of the block that is there, or rows of the
/// matrix), and for each of them results (pencils of the PE).
struct Products {
  int sources, results;
  int source_bytes, result_bytes;          ///< from one to the next
  std::vector<Dimension> vector;           ///< the elements of a source, and of a result
  int imaginary_source, imaginary_result;  ///< bytes from the real parts
};

struct Writer {
  ProgramBuilder& p;
  const Transform& t;
  const Memory& m;
  int number;  ///< of the stage
  Stage stage;
  MemorySpan full, room, sums;  ///< blocks: of the first step, of the next one, of the results
  MemorySpan array;             ///< at the start, and again in the last stage
  Task steps[2];

  int ring() const { return t.ring[stage.ring == Axis::row ? 0 : 1]; }
  int pes() const { return t.division.along(stage.ring); }
  int n() const { return t.division.sides[static_cast<std::size_t>(stage.summed)]; }
  int part() const { return t.part_bytes(); }
  int number_bytes() const { return 2 * part(); }
  std::int32_t launch() const { return address(m.launch) + 4 * kLaunchWords * number; }
  /// A number of rows that differs from PE to PE.
  bool uneven() const { return !stage.rolls_array() && n() % pes() != 0; }
  Products products() const;

  void set_up();
  void step(int parity, Label end);
  void finish();

 private:
  void lower(Reg r, Reg by, int below);
  void raise(Reg r, int by, int below);
  void wrap(Reg r, int below);
  void choose_ring();
  void choose_color(const RingPorts& ports);
  void load_factor(Reg at, std::int32_t base, int imaginary);
  void multiply_add(int parity);
  void add_source(int parity, const Products& all);
  void add_block(int parity);
};

Products Writer::products() const {
  const Division& d = t.division;
  const int n0 = d.sides[0], bx = numbers_along_x(d), by = numbers_along_y(d);
  const int pencil = n0 * part(), block = bx * by * pencil;
  const auto dimension = [](int extent, int stride) {
    return Dimension{static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(stride)};
  };
  switch (stage.summed) {
    case 2:
      return {bx, bx, by * pencil, by * pencil, {dimension(by * n0, 1)}, block, block};
    case 1:
      return {by, by, pencil, pencil, {dimension(bx, by * n0), dimension(n0, 1)}, block, block};
    default:
      return {most_rows(n0, pes()), bx * by, 2 * pencil, pencil, {dimension(n0, 1)}, pencil, block};
  }
}

/// r modulo `below`, which is above -below and less than it.
void Writer::wrap(Reg r, int below) {
  if (std::has_single_bit(static_cast<unsigned>(below))) {
    p.bandi(r, r, below - 1);
    return;
  }
  p.sari(kScratch, r, 31);
  p.bandi(kScratch, kScratch, below);
  p.add(r, r, kScratch);
}

void Writer::lower(Reg r, Reg by, int below) {
  p.sub(r, r, by);
  wrap(r, below);
}

void Writer::raise(Reg r, int by, int below) {
  p.addi(r, r, by - below);
  wrap(r, below);
}

void Writer::choose_ring() {
  const Vectors v{p, false};  // blocks go as words
  const RingPorts& ports = ports_of(stage.ring);
  const int words = words_of_step(t, stage);
  v.name(kBuffer[0], full, 0, {{static_cast<std::uint16_t>(words), 1}});
  v.name(kBuffer[1], room, 0, {{static_cast<std::uint16_t>(words), 1}});
  p.dfabin(kIn, ports.input_queue);
  p.dlen(kIn, words);
  p.lw(kAt, kZero, launch());
  choose_color(ports);
}

/// In the same number of cycles whichever it is: lines of PEs are stepped together as long as they do
/// the same.
void Writer::choose_color(const RingPorts& ports) {
  const Label first = p.label(), second = p.label(), third = p.label(), end = p.label();
  const auto name = [&](std::size_t color, int idle) {
    p.dfabout(kOut, ports.output_queue, ports.colors[color]);
    for (int k = 0; k < idle; ++k) p.mov(kAt, kAt);
  };
  p.beq(kAt, kZero, first);
  p.addi(kAt, kAt, -1);
  p.beq(kAt, kZero, second);
  name(2, 0);
  p.jump(third);
  p.place(third);
  p.jump(end);
  p.place(second);
  name(1, 1);
  p.jump(end);
  p.place(first);
  name(0, 3);
  p.jump(end);
  p.place(end);
}

void Writer::set_up() {
  const Products all = products();
  const Vectors words{p, false}, v{p, t.halves()};
  const int words_of_block = static_cast<int>(numbers_of(t.division) * number_bytes() / 4);
  if (number > 0) {  // sums start at 0, as memory does
    words.name(kWhole, sums, 0, {{static_cast<std::uint16_t>(words_of_block), 1}});
    p.vmov32r(kWhole, kZero);
  }
  if (ring() > 1) choose_ring();
  for (const int parity : {0, 1}) {
    const MemorySpan& source = parity == 0 ? full : room;
    v.name(kSourceRe[parity], source, 0, all.vector);
    v.name(kSourceIm[parity], source, all.imaginary_source, all.vector);
    if (ring() == 1) break;
  }
  v.name(kResultRe, sums, 0, all.vector);
  v.name(kResultIm, sums, all.imaginary_result, all.vector);
  p.li(kLeft, ring());
  p.lw(kNumber, kZero, launch() + 4);
  p.lw(kRoot, kZero, launch() + 8);
  p.lw(kStep, kZero, launch() + 12);
}

/// wr, wi and -wi of a number in memory, whose imaginary part is so many bytes behind.
void Writer::load_factor(Reg at, std::int32_t base, int imaginary) {
  if (t.halves()) {
    p.lh(kRe, at, base);
    p.lh(kIm, at, base + imaginary);
  } else {
    p.lw(kRe, at, base);
    p.lw(kIm, at, base + imaginary);
  }
  p.bxori(kMinusIm, kIm, t.halves() ? 0x8000 : std::int32_t{-0x7fffffff - 1});
}

/// The result += the source times a complex number.
void Writer::multiply_add(int parity) {
  const Vectors v{p, t.halves()};
  v.multiply_add(kResultRe, kSourceRe[parity], kRe);
  v.multiply_add(kResultRe, kSourceIm[parity], kMinusIm);
  v.multiply_add(kResultIm, kSourceRe[parity], kIm);
  v.multiply_add(kResultIm, kSourceIm[parity], kRe);
}

/// All results of one source.
void Writer::add_source(int parity, const Products& all) {
  const bool several = all.results > 1, rolls = stage.rolls_array();
  const Reg first = rolls ? kRoot : kNumber, at = several ? kAt : first;
  const Label next = p.label();
  if (several) {
    p.mov(kAt, first);
    p.li(kResults, all.results);
    p.place(next);
  }
  if (rolls)
    load_factor(at, address(m.roots_of(n()).span), part());
  else
    load_factor(at, address(array), all.imaginary_result);
  multiply_add(parity);
  if (several) {
    p.dadd(kResultRe, kZero, all.result_bytes);
    p.dadd(kResultIm, kZero, all.result_bytes);
    if (rolls)
      lower(kAt, kNumber, n() * number_bytes());
    else
      p.addi(kAt, kAt, all.result_bytes);
    p.addi(kResults, kResults, -1);
    p.bne(kResults, kZero, next);
    p.dadd(kResultRe, kZero, -all.results * all.result_bytes);
    p.dadd(kResultIm, kZero, -all.results * all.result_bytes);
  }
  if (rolls) {
    lower(kRoot, kStep, n() * number_bytes());
    if (several) raise(kNumber, number_bytes(), n() * number_bytes());
  } else {
    raise(kNumber, part(), n() * part());
  }
}

/// All sources of a block.
void Writer::add_block(int parity) {
  const Products all = products();
  if (all.sources == 1 && !uneven()) return add_source(parity, all);
  const Label next = p.label(), none = p.label();
  const MemorySpan& source = parity == 0 ? full : room;
  if (uneven()) {
    p.dbase(kSourceRe[parity], address(source));
    p.dbase(kSourceIm[parity], address(source) + all.imaginary_source);
  }
  p.li(kSources, uneven() ? n() / pes() : all.sources);
  if (uneven()) {  // one more row of the first places
    p.sari(kScratch, kStep, 31);
    p.sub(kSources, kSources, kScratch);
    const Label goes_on = p.label();
    p.addi(kStep, kStep, 1);
    p.li(kScratch, pes() - n() % pes());
    p.bne(kStep, kScratch, goes_on);
    p.li(kStep, -(n() % pes()));
    p.place(goes_on);
    p.beq(kSources, kZero, none);
  }
  p.place(next);
  add_source(parity, all);
  p.dadd(kSourceRe[parity], kZero, all.source_bytes);
  p.dadd(kSourceIm[parity], kZero, all.source_bytes);
  p.addi(kSources, kSources, -1);
  p.bne(kSources, kZero, next);
  p.place(none);
  if (uneven()) return;  // not all PEs have moved it as far
  p.dadd(kSourceRe[parity], kZero, -all.sources * all.source_bytes);
  p.dadd(kSourceIm[parity], kZero, -all.sources * all.source_bytes);
}

/// Sends the block on, receives the next one, and multiplies; after the last block, goes to `end`.
void Writer::step(int parity, Label end) {
  const Label last = p.label();
  p.addi(kLeft, kLeft, -1);
  if (ring() > 1) {
    const Task next = steps[1 - parity];
    p.beq(kLeft, kZero, last);
    p.block(next);
    using AtEnd = VectorOptions::AtEnd;
    p.vmov32(kBuffer[1 - parity], kIn,
             {.async = true, .at_end = AtEnd::activate, .task_id = next.id});
    p.vmov32(kOut, kBuffer[parity], {.async = true, .at_end = AtEnd::unblock, .task_id = next.id});
    p.place(last);
  }
  add_block(parity);
  p.beq(kLeft, kZero, end);
  p.end();
}

/// At the end of a stage.
void Writer::finish() {
  const float scale = t.scale[static_cast<std::size_t>(stage.summed)];
  if (scale != 1) {
    const int parts = static_cast<int>(numbers_of(t.division) * 2);
    const Vectors v{p, t.halves()};
    v.name(kWhole, sums, 0, {{static_cast<std::uint16_t>(parts), 1}});
    p.li(kScratch,
         static_cast<std::int32_t>(t.halves() ? isa::to_half(scale) : isa::as_word(scale)));
    v.multiply(kWhole, kWhole, kScratch);
  }
  p.tsc(kScratch);
  p.sw(kScratch, kZero, address(m.stamps) + 4 * number);
}

std::uint32_t bytes_of(int numbers, int each) {
  return static_cast<std::uint32_t>(numbers) * static_cast<std::uint32_t>(each);
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
  for (int k = 0; k < kStages; ++k) {
    const auto stage = static_cast<std::size_t>(k);
    const auto& [full, room, sums] = places[stage];
    Writer writer{p, t, m, k, stages[stage], full, room, sums, x, {}};
    for (const int parity : {0, 1})
      writer.steps[parity] = {TaskKind::local, static_cast<std::uint8_t>(1 + 2 * k + parity)};
    const Label first = p.label(), end = p.label();
    if (k == 0) {
      p.start(p.local_task(0));
      p.li(kZero, 0);
    }
    writer.set_up();
    p.jump(first);
    p.end();
    p.local_task(writer.steps[0].id);
    p.place(first);
    writer.step(0, end);
    if (writer.ring() > 1) {
      p.local_task(writer.steps[1].id);
      writer.step(1, end);
    }
    p.place(end);
    writer.finish();
  }
  p.end();
  return {p.build(), x, y, m.launch, m.roots, m.rows, m.stamps};
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
    if (stage.rolls_array()) {
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

Layout lay_out(const Program& program, const Transform& t) {
  const auto [px, py] = t.ring;
  const Division& d = t.division;
  const bool all = px == d.px && py == d.py;
  Layout layout(all ? d.width() : px, all ? d.height() : py);
  layout.place({0, 0, layout.width(), layout.height()}, program);
  route_rings(layout, Axis::row, px);
  route_rings(layout, Axis::column, py);
  return layout;
}

std::vector<RunPhase> phases(const Transform& t) {
  std::vector<RunPhase> all;
  for (const Stage& stage : stages_of(t.division))
    all.push_back({std::string("sums along ") + "ijk"[stage.summed], false, 0});
  return all;
}

}  // namespace weft::s3dft
