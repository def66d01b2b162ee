#include "bench/loads/loads.hpp"

#include <array>
#include <complex>
#include <numeric>

#include "fft/emulation.hpp"
#include "fft/planning.hpp"
#include "fft/wsfft/placement.hpp"
#include "fft/wsfft/program.hpp"
#include "weft/weft.hpp"

namespace weft::loads {
namespace {

Machine small_machine() {
  Machine machine;
  machine.pe_memory_bytes = 8192;
  return machine;
}

/// Numbers of every PE's own.
template <class T>
void write_numbers(Fabric& fabric, const Rect& all, const std::string& symbol) {
  std::vector<T> values(fabric.elements(all, symbol, element_of<T>) *
                        static_cast<std::size_t>(all.width * all.height));
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = static_cast<T>(static_cast<float>(n * 7 % 1000));
  fabric.write(all, symbol, values);
}

template <class T = float>
Load of_design(const Design& design, const std::string& symbol) {
  return {design.layout(), small_machine(),
          [all = design.all(), symbol](Fabric& fabric) { write_numbers<T>(fabric, all, symbol); }};
}

/// A direction of streams: PEs send by one color of two, and receive by the other.
struct Direction {
  Port to, from;
  int dx, dy;
  std::array<Color, 2> colors;

  int turn(int x, int y) const { return (dx != 0 ? x : y) & 1; }
};

std::vector<Direction> directions(Design& design, int count) {
  std::vector<Direction> all = {{Port::east, Port::west, 1, 0, {}},
                                {Port::south, Port::north, 0, 1, {}},
                                {Port::west, Port::east, -1, 0, {}},
                                {Port::north, Port::south, 0, -1, {}}};
  all.resize(static_cast<std::size_t>(count));
  for (Direction& d : all)
    for (std::size_t k = 0; k < 2; ++k)
      d.colors[k] = design.color(std::to_string(static_cast<int>(d.to)) + "-" + std::to_string(k));
  // Along x all PEs of a column are alike, along y those of a row.
  for (const Direction& d : all) {
    const bool along_x = d.dx != 0;
    const int length = along_x ? design.width() : design.height();
    for (int at = 0; at < length; ++at) {
      const Rect alike = along_x ? Rect{at, 0, 1, design.height()} : Rect{0, at, design.width(), 1};
      const auto mine = static_cast<std::size_t>(d.turn(at, at));
      const int to = at + d.dx + d.dy, from = at - d.dx - d.dy;
      if (to >= 0 && to < length) design.route(alike, d.colors[mine], {Port::ramp, d.to});
      if (from >= 0 && from < length) design.route(alike, d.colors[1 - mine], {d.from, Port::ramp});
    }
  }
  return all;
}

/// A number from 0 to below - 1 that differs from PE to PE without an order.
int scattered(int x, int y, int below) {
  const auto mixed =
      (static_cast<std::uint32_t>(x) * 7919U + static_cast<std::uint32_t>(y) * 104729U) *
      2654435761U;
  return static_cast<int>((mixed >> 8U) % static_cast<std::uint32_t>(below));
}

/// Cycles of an empty loop's round.
constexpr int kLoop = 3;

/// The PE lets up to apart - 1 cycles pass. write_rounds gives it a symbol.
void begin_apart(PeProgram& pe, int apart) {
  const PeScalar left = pe.scalar<std::int32_t>("left");
  pe.load(left, pe.array<std::int32_t>("rounds", 1));
  pe.repeat(left, [] {});
  const int rest = pe.pick([=](int x, int y) { return scattered(x, y, apart) % kLoop; });
  for (int k = 0; k < rest; ++k) pe.set(left, 0);
}

void write_rounds(Fabric& fabric, const Rect& all, int apart) {
  std::vector<std::int32_t> rounds;
  rounds.reserve(static_cast<std::size_t>(all.width * all.height));
  for (int y = 0; y < all.height; ++y)
    for (int x = 0; x < all.width; ++x) rounds.push_back(1 + scattered(x, y, apart) / kLoop);
  fabric.write(all, "rounds", rounds);
}

/// Each PE sends its words to its neighbours, and receives theirs, by microthreads.
Load streams(const Size& size, int count, int words, int apart = 1) {
  Design design(size.width, size.height);
  const std::vector<Direction> all = directions(design, count);
  design.program(design.all(), "streams", [&](PeProgram& pe) {
    if (apart > 1) begin_apart(pe, apart);
    const PeVector own = pe.array<float>("own", words);
    std::vector<PeOperation> operations;
    int queue = 0;
    for (const Direction& d : all) {
      const PeVector got = pe.array<float>("got" + std::to_string(queue), words);
      const bool odd = pe.where([&](int x, int y) { return d.turn(x, y) != 0; });
      const Color out = d.colors[odd ? 1 : 0], in = d.colors[odd ? 0 : 1];
      if (pe.has_neighbor(d.to)) {
        pe.output_queue(out, queue);
        operations.push_back(pe.send(out, own));
      }
      if (pe.has_neighbor(d.from)) {
        pe.input_queue(in, count + queue);
        operations.push_back(pe.receive(got, in));
      }
      ++queue;
    }
    pe.wait(operations);
  });
  Load load = of_design(design, "own");
  if (apart > 1)
    load.write = [all = design.all(), apart, numbers = load.write](Fabric& fabric) {
      numbers(fabric);
      write_rounds(fabric, all, apart);
    };
  return load;
}

Load two_streams(const Size& size) { return streams(size, 2, kStreamedWords * size.times); }
Load four_streams(const Size& size) { return streams(size, 4, 60 * size.times); }
Load streams_8_apart(const Size& size) { return streams(size, 2, kStreamedWords * size.times, 8); }
Load streams_200_apart(const Size& size) {
  return streams(size, 2, kStreamedWords * size.times, 200);
}

/// The heat equation on 8 x 8 points in each PE.
Load stencil(const Size& size) {
  constexpr int kBlock = 8, kHalo = kBlock + 2, kSteps = 2;
  Design design(size.width, size.height);
  const HaloExchange halo(design, design.all());
  design.program(design.all(), "stencil", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", {kHalo, kHalo});
    const PeVector next = pe.array<float>("next", {kBlock, kBlock});
    const auto points = [&](int down, int right) {
      return u.block(1 + down, 1 + right, kBlock, kBlock);
    };
    pe.repeat(kSteps * size.times, [&] {
      halo.exchange(pe, u);
      pe.add(next, points(-1, 0), points(1, 0));
      pe.add(next, next, points(0, -1));
      pe.add(next, next, points(0, 1));
      pe.add(next, next, points(0, 0));
      pe.mul(points(0, 0), next, 0.2);
    });
  });
  return of_design(design, "u");
}

/// A task for each wavelet adds it to a number in memory.
Load data_tasks(const Size& size) {
  const int words = 25 * size.times;
  Design design(size.width, size.height);
  const std::vector<Direction> all = directions(design, 1);
  const Direction& east = all.front();
  design.program(design.all(), "tasks", [&](PeProgram& pe) {
    const PeVector own = pe.array<float>("own", words), sum = pe.array<float>("sum", 1);
    const bool odd = pe.where([&](int x, int y) { return east.turn(x, y) != 0; });
    const PeScalar so_far = pe.scalar<float>("so_far");
    if (pe.has_neighbor(Port::west))
      pe.on_data<float>(east.colors[odd ? 0 : 1], [&](PeScalar payload) {
        pe.load(so_far, sum);
        pe.add(so_far, so_far, payload);
        pe.store(sum, so_far);
      });
    if (pe.has_neighbor(Port::east)) pe.send(east.colors[odd ? 1 : 0], own).async();
  });
  return of_design(design, "own");
}

/// A loop whose branches go by a random number of the PE. `watched`: beside a microthread that
/// waits for the neighbour, so that the core does not run ahead where it uses memory.
Load scalar_loop(const Size& size, bool watched, int times) {
  Design design(size.width, size.height);
  Direction east{};
  if (watched) east = directions(design, 1).front();
  design.program(design.all(), "scalar", [&](PeProgram& pe) {
    const PeVector out = pe.array<std::int32_t>("out", 2), got = pe.array<float>("got", 1);
    const PeVector own = pe.array<float>("own", 1);
    const bool odd = pe.where([&](int x, int y) { return east.turn(x, y) != 0; });
    if (watched && pe.has_neighbor(Port::west)) pe.receive(got, east.colors[odd ? 0 : 1]).async();
    const PeScalar a = pe.scalar<std::int32_t>("a"), r = pe.scalar<std::int32_t>("r");
    const PeScalar zero = pe.constant(0, ElementType::i32);
    const PeScalar half = pe.constant(1 << 30, ElementType::i32);
    pe.mul(a, pe.x(), 1000003);
    pe.add(a, a, pe.y());
    pe.set(r, 0);
    pe.repeat(times * size.times, [&] {
      pe.mul(a, a, 1664525);
      pe.add(a, a, 1013904223);
      pe.when(
          a < zero,
          [&] {
            pe.sub(r, r, a);
            pe.mul(r, r, a);
          },
          [&] { pe.when(a < half, [&] { pe.add(r, r, a); }); });
      pe.store(out.slice(0, 1), r);
      pe.load(r, out.slice(0, 1));
    });
    pe.store(out.slice(1, 1), r);
    if (watched && pe.has_neighbor(Port::east)) pe.send(east.colors[odd ? 1 : 0], own);
  });
  return of_design(design, "own");
}

Load scalar_ahead(const Size& size) { return scalar_loop(size, false, 200); }
Load scalar_watched(const Size& size) { return scalar_loop(size, true, 25); }

/// Rounds of Cannon's product: blocks of 4 x 4 numbers go round rings of rows and of columns.
Load cannon(const Size& size) {
  constexpr int kBlock = 4;
  Design design(size.width, size.height);
  const RingShift along_rows(design, design.all(), Along::rows, "ring of A");
  const RingShift along_columns(design, design.all(), Along::columns, "ring of B");
  design.program(design.all(), "cannon", [&](PeProgram& pe) {
    const auto block = [&](const char* name) { return pe.array<float>(name, {kBlock, kBlock}); };
    PeVector a = block("a"), b = block("b"), next_a = block("next a"), next_b = block("next b");
    const PeVector c = block("c");
    pe.repeat(5 * size.times, [&] {
      for (int twice = 0; twice < 2; ++twice) {  // there and back between the two buffers
        std::vector<PeOperation> moves = along_rows.start(pe, a, next_a);
        for (const PeOperation& move : along_columns.start(pe, b, next_b)) moves.push_back(move);
        for (int k = 0; k < kBlock; ++k)
          pe.multiply_add(c, a.column(k).repeated(kBlock), b.row(k).tiled(kBlock));
        pe.wait(moves);
        std::swap(a, next_a);
        std::swap(b, next_b);
      }
    });
  });
  return of_design(design, "a");
}

/// Sums of vectors that all PEs know in the end: along rows, then along columns.
Load all_reduce(const Size& size) {
  Design design(size.width, size.height);
  const AllReduce rows(design, design.all(), Along::rows);
  const AllReduce columns(design, design.all(), Along::columns);
  design.program(design.all(), "sums", [&](PeProgram& pe) {
    const PeVector x = pe.array<float>("x", 16);
    pe.repeat(size.times, [&] {
      rows.reduce(pe, x, ReduceOperation::sum);
      columns.reduce(pe, x, ReduceOperation::sum);
    });
  });
  return of_design(design, "x");
}

/// The products of S3DFT in FP16: to a result's real and imaginary parts come those of a source,
/// each times a number from memory.
Load products(const Size& size) {
  constexpr int kPencil = 64, kFactors = 16;
  Design design(size.width, size.height);
  design.program(design.all(), "products", [&](PeProgram& pe) {
    const auto pencil = [&](const char* name) { return pe.array<Half>(name, kPencil); };
    const PeVector re = pencil("re"), im = pencil("im"), a = pencil("a"), b = pencil("b");
    const PeVector factors = pe.array<Half>("factors", kFactors);
    const PeScalar factor = pe.scalar<Half>("factor");
    pe.repeat(size.times, [&] {
      for (int k = 0; k < kFactors; k += 2)
        for (const bool imaginary : {false, true}) {
          pe.load(factor, factors.at(k + (imaginary ? 1 : 0)));
          pe.multiply_add(re, imaginary ? b : a, factor);
          pe.multiply_add(im, imaginary ? a : b, factor);
        }
    });
  });
  return of_design<Half>(design, "a");
}

/// One wavelet runs along a row; all else is at rest.
Load lone_wavelet(const Size& size) {
  Design design(size.width, size.height);
  const Color color = design.color("lone");
  const int last = size.width - 1;
  design.route({0, 0, 1, 1}, color, {Port::ramp, Port::east});
  design.route({1, 0, last - 1, 1}, color, {Port::west, Port::east});
  design.route({last, 0, 1, 1}, color, {Port::west, Port::ramp});
  design.program(design.all(), "lone", [&](PeProgram& pe) {
    const PeVector own = pe.array<float>("own", 1);
    if (pe.where([](int x, int y) { return x == 0 && y == 0; })) pe.send(color, own);
    if (pe.where([&](int x, int y) { return x == last && y == 0; })) pe.receive(own, color);
  });
  return of_design(design, "own");
}

/// A transform of n x n x n numbers on n x n PEs.
template <int kSide>
Load transform(const Size&) {
  fft::PeBytes bytes(FftPrecision::fp32, FftPencil::radix2);
  FftOptions options;
  options.mesh = {kSide, kSide};
  const wsfft::Transform t{fft::division_of({kSide, kSide, kSide}, options, bytes),
                           {FftPrecision::fp32},
                           FftDirection::forward,
                           {1, 1, 1},
                           wsfft::Form::published,
                           FftPencil::radix2};
  const wsfft::TransformProgram program = wsfft::build_transform(t);
  const auto write = [t, program](Fabric& fabric) {
    for (const wsfft::Twiddles& table : program.twiddles)
      fft::write_everywhere(fabric, t.division, table.span.address, wsfft::root_words(table, t), 1);
    for (const auto& [where, words] : wsfft::finish_words(program.finish, t.form))
      fft::write_everywhere(fabric, t.division, where.address, words, 1);
    std::vector<std::complex<float>> numbers(kSide * kSide * kSide);
    for (std::size_t n = 0; n < numbers.size(); ++n)
      numbers[n] = {static_cast<float>(n % 97), static_cast<float>(n % 31)};
    wsfft::scatter(fabric, {numbers, {0, 0, t.division.width(), t.division.height()}}, t.division,
                   t.numbers, wsfft::arrangements_of(t.division, t.direction).front(),
                   program.input.address);
  };
  return {wsfft::lay_out(program.program, t), {}, write};
}

}  // namespace

const std::vector<NamedLoad>& programs() {
  static const std::vector<NamedLoad> all = {{"streams, 2 directions", two_streams},
                                             {"streams, 4 directions", four_streams},
                                             {"stencil", stencil},
                                             {"data tasks", data_tasks},
                                             {"scalar loop", scalar_watched},
                                             {"scalar loop, ahead", scalar_ahead, true},
                                             {"lone wavelet", lone_wavelet}};
  return all;
}

const std::vector<NamedLoad>& host_programs() {
  static const std::vector<NamedLoad> all = {{"streams, 8 apart", streams_8_apart},
                                             {"streams, 200 apart", streams_200_apart},
                                             {"Cannon's product", cannon},
                                             {"all-reduce", all_reduce},
                                             {"products in FP16", products}};
  return all;
}

const std::vector<NamedLoad>& transforms() {
  static const std::vector<NamedLoad> all = {{"transform, n = 16", transform<16>},
                                             {"transform, n = 32", transform<32>}};
  return all;
}

}  // namespace weft::loads
