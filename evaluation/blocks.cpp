#include "evaluation/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "weft/design.hpp"
#include "weft/patterns.hpp"
#include "weft/pe_program.hpp"

namespace weft::evaluation {
namespace {

constexpr std::uint64_t kLimit = 1'000'000'000;
constexpr const char* kTook = "took";

ElementType element_of_part(FftPrecision precision) {
  return precision == FftPrecision::fp16 ? ElementType::f16 : ElementType::f32;
}

/// Real and imaginary parts of rows x columns numbers.
struct Parts {
  std::array<PeVector, 2> of;
  static Parts make(PeProgram& pe, const std::string& name, FftPrecision precision, int rows,
                    int columns) {
    const auto part = [&](const char* which) {
      return pe.array(name + which, element_of_part(precision), {rows, columns});
    };
    return {{part(" re"), part(" im")}};
  }
};

void copy_block(PeProgram& pe, const BlockRun& run) {
  const int rows = run.b * run.b;
  const Parts x = Parts::make(pe, "x", run.precision, rows, run.b),
              y = Parts::make(pe, "y", run.precision, rows, run.b);
  for (const int part : {0, 1}) pe.copy(y.of[part], x.of[part]);
}

/// Slices of the block, each transposed: one instruction for a column.
void transposed_copy(PeProgram& pe, const BlockRun& run) {
  const int b = run.b;
  const Parts x = Parts::make(pe, "x", run.precision, b * b, b),
              y = Parts::make(pe, "y", run.precision, b * b, b);
  for (const int part : {0, 1})
    for (int slice = 0; slice < b; ++slice)
      for (int r = 0; r < b; ++r)
        pe.copy(y.of[part].row(slice * b + r), x.of[part].block(slice * b, r, b, 1).flat());
}

void add_multiple(PeProgram& pe, const BlockRun& run) {
  const int rows = run.b * run.b;
  const Parts x = Parts::make(pe, "x", run.precision, rows, run.b),
              y = Parts::make(pe, "y", run.precision, rows, run.b);
  const PeScalar a = pe.scalar("a", element_of_part(run.precision));
  for (const int part : {0, 1}) pe.multiply_add(y.of[part], x.of[part], a);
}

struct Operands {
  Parts x, y, c;
  PeVector minus_im;
};

Operands operands(PeProgram& pe, const BlockRun& run) {
  const int b = run.b, rows = b * b;
  return {Parts::make(pe, "x", run.precision, rows, b),
          Parts::make(pe, "y", run.precision, rows, b), Parts::make(pe, "c", run.precision, b, b),
          pe.array("-c im", element_of_part(run.precision), {b, b})};
}

/// y(l, m, k) += x(l, m, n) c(n, k): for each n from `first` to before `last` four instructions of
/// b^3 elements.
void add_products(PeProgram& pe, const BlockRun& run, const Operands& all, int first, int last) {
  const auto& [x, y, c, minus_im] = all;
  const int b = run.b, rows = b * b;
  for (int n = first; n < last; ++n) {
    const auto add = [&](const PeVector& sum, const PeVector& numbers, const PeVector& factors) {
      pe.multiply_add(sum, numbers.column(n).repeated(b), factors.row(n).tiled(rows));
    };
    add(y.of[0], x.of[0], c.of[0]);
    add(y.of[0], x.of[1], minus_im);
    add(y.of[1], x.of[0], c.of[1]);
    add(y.of[1], x.of[1], c.of[0]);
  }
}

void product(PeProgram& pe, const BlockRun& run) {
  add_products(pe, run, operands(pe, run), 0, run.b);
}

/// A roll, each of its places beside a part of the product.
void step(PeProgram& pe, const BlockRun& run, const RingShift& ring) {
  const Operands all = operands(pe, run);
  const int words = block_words(run.b, run.precision);
  PeVector block = pe.array<std::uint32_t>("block", words),
           next = pe.array<std::uint32_t>("next", words);
  for (int place = 0; place < run.places; ++place) {
    const std::vector<PeOperation> moves = ring.start(pe, block, next);
    add_products(pe, run, all, place * run.b / run.places, (place + 1) * run.b / run.places);
    pe.wait(moves);
    std::swap(block, next);
  }
}

void roll(PeProgram& pe, const BlockRun& run, const RingShift& ring) {
  const int words = block_words(run.b, run.precision);
  PeVector block = pe.array<std::uint32_t>("x", words), next = pe.array<std::uint32_t>("y", words);
  for (int place = 0; place < run.places; ++place) {
    ring.shift(pe, block, next);
    std::swap(block, next);
  }
}

struct Work {
  BlockWork work;
  std::string_view name;
  void (*write)(PeProgram& pe, const BlockRun& run);
  void (*write_on_ring)(PeProgram& pe, const BlockRun& run, const RingShift& ring);
};
constexpr std::array<Work, 6> kWorks{
    {{BlockWork::copy, "copy", copy_block, nullptr},
     {BlockWork::transposed_copy, "transposed copy", transposed_copy, nullptr},
     {BlockWork::add_multiple, "y += a x", add_multiple, nullptr},
     {BlockWork::product, "block product", product, nullptr},
     {BlockWork::roll, "roll", nullptr, roll},
     {BlockWork::step, "step", nullptr, step}}};

const Work& work_row_of(BlockWork work) { return *std::ranges::find(kWorks, work, &Work::work); }

}  // namespace

std::string_view to_string(BlockWork work) noexcept { return work_row_of(work).name; }

int block_words(int b, FftPrecision precision) {
  return b * b * b * (precision == FftPrecision::fp16 ? 1 : 2);
}

std::uint64_t cycles_of_block(const BlockRun& run, const Machine& machine) {
  Design design(run.ring, 1);
  const Work& work = work_row_of(run.work);
  std::optional<RingShift> ring;
  if (work.write_on_ring != nullptr) ring.emplace(design, design.all(), Along::rows);
  design.program(design.all(), std::string(work.name), [&](PeProgram& pe) {
    const PeVector took = pe.array<std::uint32_t>(kTook, 1);
    const PeScalar start = pe.scalar<std::uint32_t>("start"),
                   cycles = pe.scalar<std::uint32_t>("cycles");
    pe.tsc(start);
    if (ring)
      work.write_on_ring(pe, run, *ring);
    else
      work.write(pe, run);
    pe.elapsed(cycles, start);
    pe.store(took, cycles);
  });
  Fabric fabric = design.fabric(machine);
  fabric.run_until_idle(kLimit);
  return std::ranges::max(fabric.read<std::uint32_t>(design.all(), kTook));
}

}  // namespace weft::evaluation
