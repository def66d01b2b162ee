// A program for all PEs, straight on: where it waits for streams, its task ends, and the task that
// they activate goes on behind. In each step of a stage a block of the array and one of the matrix
// go on by as many unit shifts as their rings take, and meanwhile the PE multiplies those it has.
// Y(l, m, n) += X(l, m, q) C(q, n) (and likewise along the other axes) for one q is four vector
// instructions of all numbers of a block.
#include "fft/s3dft/cubes/program.hpp"

#include <algorithm>
#include <string>

#include "fft/s3dft/vectors.hpp"
#include "fft/wsfft/part_vectors.hpp"
#include "isa/alu.hpp"

namespace weft::s3dft::cubes {
namespace {

// Of three blocks of a kind the first is the one that is multiplied.
constexpr Reg kScratch{0}, kLeft{1}, kArray[] = {{2}, {3}, {4}}, kMatrix[] = {{5}, {6}, {7}},
                                     kCode{8}, kSources{9}, kMinusOne{10}, kLink{14}, kZero{15};
constexpr Dsr kSumRe{8}, kSumIm{9}, kArrayRe{10}, kArrayIm{11}, kMatrixRe{12}, kMatrixIm{13},
    kMinusIm{14};
constexpr Task kGoOn{TaskKind::local, 1}, kMatrixMoved{TaskKind::local, 2},
    kAllButOne{TaskKind::local, 3};

/// A block that goes round a ring: its descriptors, and the registers of its three places.
struct Moving {
  Dsr from, to, in, out;
  const Reg* places;
  int words;
};

std::int32_t address(const MemorySpan& span) { return static_cast<std::int32_t>(span.address); }

/// The place of a block before and after a unit shift of a step.
int place_before(int shift) { return shift == 0 ? 0 : shift % 2 == 1 ? 1 : 2; }
int place_after(int shift) { return place_before(shift + 1); }

struct Memory {
  std::array<MemorySpan, 4> blocks;
  std::array<MemorySpan, kStages> factors;
  std::array<MemorySpan, 2> spare;  ///< for blocks of the matrix
  MemorySpan minus, launch, stamps;
};

Memory reserve(ProgramBuilder& p, const Transform& t) {
  const auto bytes = [&](int numbers) {
    return std::uint64_t{4} * static_cast<std::uint64_t>(t.words_of(numbers));
  };
  const auto each = [&](auto& spans, const std::string& name, int numbers) {
    for (std::size_t k = 0; k < spans.size(); ++k)
      spans[k] = p.reserve(name + " " + std::to_string(k), bytes(numbers));
  };
  const int of_matrix = t.side * t.side;
  Memory m;
  each(m.blocks, "block", t.numbers());
  each(m.factors, "factors", of_matrix);
  each(m.spare, "spare", of_matrix);
  m.minus = p.reserve(
      "minus", static_cast<std::uint64_t>(of_matrix) * static_cast<std::uint64_t>(t.part_bytes()));
  m.launch = p.reserve("launch", std::uint64_t{4} * kLaunchWords * kStages);
  m.stamps = p.reserve("stamps", 4 * phases().size());
  return m;
}

/// The shapes of a product's operands, and from one source to the next, in elements.
struct Products {
  std::array<Dimension, 3> array, matrix;
  int array_step;
};

Products products_of(int axis, int side) {
  const auto dimension = [](int extent, int stride) {
    return Dimension{static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(stride)};
  };
  const int plane = side * side;
  if (axis == 2)
    return {{dimension(side, plane), dimension(side, side), dimension(side, 0)},
            {dimension(side, 0), dimension(side, 0), dimension(side, 1)},
            1};
  if (axis == 1)
    return {{dimension(side, plane), dimension(side, 0), dimension(side, 1)},
            {dimension(side, 0), dimension(side, 1), dimension(side, 0)},
            side};
  return {{dimension(side, 0), dimension(side, side), dimension(side, 1)},
          {dimension(side, 1), dimension(side, 0), dimension(side, 0)},
          plane};
}

class StageWriter {
 public:
  StageWriter(ProgramBuilder& builder, const Transform& transform, const Memory& memory, int which,
              Label waits)
      : p(builder), t(transform), m(memory), stage(kStage[which]), number(which), wait(waits) {}

  void write(const std::array<MemorySpan, 4>& blocks);  ///< of the array, two of room, of the sums

 private:
  Moving array() const { return {{0}, {1}, {2}, {3}, kArray, t.words_of(t.numbers())}; }
  Moving matrix() const { return {{4}, {5}, {6}, {7}, kMatrix, t.words_of(t.side * t.side)}; }
  std::int32_t launch(int word) const {
    return address(m.launch) + 4 * (kLaunchWords * number + word);
  }
  void go_on() { p.call(kLink, wait); }
  void exchange(Reg a, Reg b);
  void start(const Moving& moving, int shift, Task received, Task sent);
  void shift(int number_of_shift);
  void choose(const Moving& moving, Ring ring, int code);
  void set_up(const std::array<MemorySpan, 4>& blocks);
  void align();
  void name_operands();
  void add(int first, int last);
  void step();
  void finish(const MemorySpan& sums);
  void stamp(int phase);
  void name_phase(int phase);

  ProgramBuilder& p;
  const Transform& t;
  const Memory& m;
  const Stage& stage;
  int number;
  Label wait;
};

void StageWriter::exchange(Reg a, Reg b) {
  p.mov(kScratch, a);
  p.mov(a, b);
  p.mov(b, kScratch);
}

/// Both streams of a unit shift.
void StageWriter::start(const Moving& moving, int shift, Task received, Task sent) {
  using AtEnd = VectorOptions::AtEnd;
  p.dbaser(moving.from, moving.places[place_before(shift)]);
  p.dbaser(moving.to, moving.places[place_after(shift)]);
  p.vmov32(moving.to, moving.in,
           {.async = true,
            .at_end = received.id == sent.id ? AtEnd::activate : AtEnd::unblock,
            .task_id = received.id});
  p.vmov32(moving.out, moving.from, {.async = true, .at_end = AtEnd::unblock, .task_id = sent.id});
}

/// The unit shifts of this number, of the array's block and of the matrix's, where their rings take
/// so many. kGoOn runs when all streams have ended.
void StageWriter::shift(int number_of_shift) {
  const bool array_moves = number_of_shift < shifts_of(t.tiles, stage.array);
  const bool matrix_moves = number_of_shift < shifts_of(t.tiles, stage.factors);
  p.block(kGoOn);
  if (!array_moves || !matrix_moves)
    return start(array_moves ? array() : matrix(), number_of_shift, kGoOn, kGoOn);
  p.block(kMatrixMoved);
  p.block(kAllButOne);
  start(matrix(), number_of_shift, kMatrixMoved, kMatrixMoved);
  start(array(), number_of_shift, kGoOn, kAllButOne);
}

/// The streams that a code at launch names, of a ring.
void StageWriter::choose(const Moving& moving, Ring ring, int code) {
  p.lw(kCode, kZero, launch(code));
  const Label chosen = p.label();
  int value = 0;
  for (const Stream& stream : streams_of(ring)) {
    const Label other = p.label();
    p.li(kScratch, value++);
    p.bne(kCode, kScratch, other);
    p.dfabin(moving.in, stream.input_queue);
    p.dfabout(moving.out, stream.output_queue, stream.color);
    p.jump(chosen);
    p.place(other);
  }
  p.place(chosen);
  p.dlen(moving.in, moving.words);
}

void StageWriter::set_up(const std::array<MemorySpan, 4>& blocks) {
  const auto all = [](int extent) {
    return std::vector<Dimension>{{static_cast<std::uint16_t>(extent), 1}};
  };
  if (number > 0) {  // sums start at 0, as memory does
    name_vector(p, kSumRe, blocks[3], 0, all(t.words_of(t.numbers())));
    p.vmov32r(kSumRe, kZero);
  }
  name_vector(p, kSumRe, blocks[3], 0, all(t.numbers()));
  name_vector(p, kSumIm, blocks[3], t.numbers() * t.part_bytes(), all(t.numbers()));
  for (std::size_t k = 0; k < 3; ++k) p.li(kArray[k], address(blocks[k]));
  p.li(kMatrix[0], address(m.factors[static_cast<std::size_t>(number)]));
  for (std::size_t k = 0; k < 2; ++k) p.li(kMatrix[k + 1], address(m.spare[k]));
  for (const Moving& moving : {array(), matrix()})
    for (const Dsr d : {moving.from, moving.to}) {
      p.dstride(d, 1);
      p.dlen(d, moving.words);
    }
}

/// Unit shifts, until the block is where the first step wants it.
void StageWriter::align() {
  choose(array(), stage.array, 1);
  p.lw(kLeft, kZero, launch(2));
  const Label again = p.label(), aligned = p.label();
  p.place(again);
  p.beq(kLeft, kZero, aligned);
  p.block(kGoOn);
  start(array(), 0, kGoOn, kGoOn);
  go_on();
  exchange(kArray[0], kArray[1]);
  p.addi(kLeft, kLeft, -1);
  p.jump(again);
  p.place(aligned);
  stamp(2 * number);
  name_phase(2 * number + 1);
  choose(array(), stage.array, 0);
  choose(matrix(), stage.factors, 3);
}

/// Those of the first source: the blocks that are there, and the negative imaginary parts.
void StageWriter::name_operands() {
  const Products all = products_of(stage.summed, t.side);
  const wsfft::PartVectors v{p, {t.precision}};
  const int of_matrix = t.side * t.side;
  p.dbase(kMinusIm, address(m.minus));
  p.dbaser(kMatrixIm, kMatrix[0], of_matrix * t.part_bytes());
  for (const Dsr d : {kMinusIm, kMatrixIm}) {
    p.dstride(d, 1);
    p.dlen(d, of_matrix);
  }
  v.multiply(kMinusIm, kMatrixIm, kMinusOne);
  p.dbaser(kArrayRe, kArray[0]);
  p.dbaser(kArrayIm, kArray[0], t.numbers() * t.part_bytes());
  p.dbaser(kMatrixRe, kMatrix[0]);
  const auto shape = [&](Dsr d, const std::array<Dimension, 3>& s) {
    p.dshape(d, p.shape({s[0], s[1], s[2]}));
  };
  for (const Dsr d : {kArrayRe, kArrayIm}) shape(d, all.array);
  for (const Dsr d : {kMatrixRe, kMatrixIm, kMinusIm}) shape(d, all.matrix);
}

/// The products of sources `first` to `last`, without the last.
void StageWriter::add(int first, int last) {
  if (first == last) return;
  const Label again = p.label();
  const bool several = last - first > 1;
  const wsfft::PartVectors v{p, {t.precision}};
  if (several) p.li(kSources, last - first);
  p.place(again);
  v.multiply_add(kSumRe, kArrayRe, kMatrixRe);
  v.multiply_add(kSumRe, kArrayIm, kMinusIm);
  v.multiply_add(kSumIm, kArrayRe, kMatrixIm);
  v.multiply_add(kSumIm, kArrayIm, kMatrixRe);
  for (const Dsr d : {kArrayRe, kArrayIm})
    p.dadd(d, kZero, products_of(stage.summed, t.side).array_step * t.part_bytes());
  for (const Dsr d : {kMatrixRe, kMatrixIm, kMinusIm}) p.dadd(d, kZero, t.side * t.part_bytes());
  if (!several) return;
  p.addi(kSources, kSources, -1);
  p.bne(kSources, kZero, again);
}

/// All steps: after the last products nothing moves.
void StageWriter::step() {
  const int parts = parts_of(t.tiles, stage);
  const Label again = p.label();
  p.li(kLeft, t.tiles.p() - 1);
  p.place(again);
  name_operands();
  for (int part = 0; part < parts; ++part) {
    shift(part);
    add(part * t.side / parts, (part + 1) * t.side / parts);
    go_on();
  }
  exchange(kArray[0], kArray[place_after(shifts_of(t.tiles, stage.array) - 1)]);
  exchange(kMatrix[0], kMatrix[place_after(shifts_of(t.tiles, stage.factors) - 1)]);
  p.addi(kLeft, kLeft, -1);
  p.bne(kLeft, kZero, again);
  name_operands();
  add(0, t.side);
}

void StageWriter::finish(const MemorySpan& sums) {
  if (t.scale != 1) {
    name_vector(p, kSumRe, sums, 0, {{static_cast<std::uint16_t>(2 * t.numbers()), 1}});
    wsfft::PartVectors{p, {t.precision}}.scale(kSumRe, kScratch, t.scale);
  }
  stamp(2 * number + 1);
}

void StageWriter::stamp(int phase) {
  p.tsc(kScratch);
  p.sw(kScratch, kZero, address(m.stamps) + 4 * phase);
}

/// The code that follows is of this phase.
void StageWriter::name_phase(int phase) { p.phase(phases()[static_cast<std::size_t>(phase)].name); }

void StageWriter::write(const std::array<MemorySpan, 4>& blocks) {
  name_phase(2 * number);
  set_up(blocks);
  align();
  step();
  finish(blocks[3]);
}

}  // namespace

int parts_of(const Tiles& tiles, const Stage& stage) {
  return std::max(shifts_of(tiles, stage.array), shifts_of(tiles, stage.factors));
}

TransformProgram build_transform(const Transform& t) {
  ProgramBuilder p("s3dft cubes");
  const Memory m = reserve(p, t);
  const auto& [b0, b1, b2, b3] = m.blocks;
  const std::array<std::array<MemorySpan, 4>, kStages> blocks{
      {{b0, b1, b2, b3}, {b3, b1, b2, b0}, {b0, b1, b2, b3}}};
  const Label wait = p.label();
  p.start(p.local_task(0));
  p.li(kZero, 0);
  p.li(kMinusOne, static_cast<std::int32_t>(t.halves() ? isa::to_half(-1) : isa::as_word(-1.0F)));
  for (int number = 0; number < kStages; ++number)
    StageWriter(p, t, m, number, wait).write(blocks[static_cast<std::size_t>(number)]);
  p.shared_by_phases();
  p.place(wait);
  p.end();
  p.local_task(kGoOn.id);
  p.ret(kLink);
  p.local_task(kMatrixMoved.id);
  p.activate(kAllButOne);
  p.end();
  p.local_task(kAllButOne.id);
  p.activate(kGoOn);
  p.end();
  return {p.build(), b0, b3, m.factors, m.launch, m.stamps};
}

std::vector<std::uint32_t> launch_words(const Tiles& tiles, const Codes& codes, const Pe& pe) {
  std::vector<std::uint32_t> words;
  for (const Stage& stage : kStage) {
    const auto [way, shifts] = alignment_of(tiles, stage, tiles.node_at(pe));
    const Launch launch{codes.code(stage.array, Around::backwards, pe),
                        codes.code(stage.array, way, pe), static_cast<std::uint32_t>(shifts),
                        codes.code(stage.factors, Around::backwards, pe)};
    for (const std::uint32_t word :
         {launch.array, launch.align, launch.align_shifts, launch.factors})
      words.push_back(word);
  }
  return words;
}

Layout lay_out(const Program& program, const Transform& t) {
  Layout layout(t.tiles.width(), t.tiles.height());
  layout.place({0, 0, layout.width(), layout.height()}, program);
  route(layout, t.tiles, Codes(t.tiles));
  return layout;
}

std::vector<RunPhase> phases() {
  std::vector<RunPhase> all;
  for (const Stage& stage : kStage) {
    const std::string axis(1, "ijk"[stage.summed]);
    all.push_back({"align along " + axis, true, 0});
    all.push_back({"sums along " + axis, false, 0});
  }
  return all;
}

}  // namespace weft::s3dft::cubes
