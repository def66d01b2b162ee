// C = A B for matrices of 24 x 24 numbers on 6 x 6 PEs, by Cannon's algorithm: each PE has a block
// of 4 x 4 of each matrix. In each of six rounds it multiplies its blocks, and then blocks of A go
// one PE on in rings of rows, and blocks of B in rings of columns.
#include <cstdio>
#include <weft/weft.hpp>

constexpr int kPes = 6, kBlock = 4, kSide = kPes * kBlock, kWord = 4;

int main() {
  weft::Design design(kPes, kPes);
  const weft::RingShift along_rows(design, design.all(), weft::Along::rows, "ring of A");
  const weft::RingShift along_columns(design, design.all(), weft::Along::columns, "ring of B");
  design.program(design.all(), "cannon", [&](weft::PeProgram& pe) {
    weft::PeVector a = pe.array<float>("a", {kBlock, kBlock});
    weft::PeVector b = pe.array<float>("b", {kBlock, kBlock});
    const weft::PeVector c = pe.array<float>("c", {kBlock, kBlock});
    weft::PeVector next_a = pe.array<float>("next a", {kBlock, kBlock});
    weft::PeVector next_b = pe.array<float>("next b", {kBlock, kBlock});
    pe.repeat(kPes / 2, [&] {
      for (int twice = 0; twice < 2; ++twice) {  // there and back between the two buffers
        std::vector<weft::PeOperation> moves = along_rows.start(pe, a, next_a);
        for (const weft::PeOperation& move : along_columns.start(pe, b, next_b))
          moves.push_back(move);
        // While the blocks are under way: one instruction for each column of a and row of b.
        for (int k = 0; k < kBlock; ++k)
          pe.multiply_add(c, a.column(k).repeated(kBlock), b.row(k).tiled(kBlock));
        pe.wait(moves);
        std::swap(a, next_a);
        std::swap(b, next_b);
      }
    });
  });

  const auto a = [](int r, int c) { return static_cast<float>((3 * r + 5 * c) % 11 - 5); };
  const auto b = [](int r, int c) { return static_cast<float>((7 * r + 2 * c) % 13 - 6); };
  weft::Fabric fabric = design.fabric();
  const auto place = [](int pe) { return weft::RingShift::place_of(pe, kPes); };
  for (int row = 0; row < kPes; ++row)
    for (int column = 0; column < kPes; ++column) {
      // Both blocks go one place on in each round, so they have the same k in all of them.
      const int k = (place(row) + place(column)) % kPes;
      std::vector<float> block_a, block_b;
      for (int i = 0; i < kBlock; ++i)
        for (int j = 0; j < kBlock; ++j) {
          block_a.push_back(a(row * kBlock + i, k * kBlock + j));
          block_b.push_back(b(k * kBlock + i, column * kBlock + j));
        }
      fabric.write({column, row, 1, 1}, "a", block_a);
      fabric.write({column, row, 1, 1}, "b", block_b);
    }
  fabric.run_until_idle(100'000);

  int right = 0;
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      float expected = 0;
      for (int k = 0; k < kSide; ++k) expected += a(row, k) * b(k, column);
      const auto block = fabric.read<float>({column / kBlock, row / kBlock, 1, 1}, "c");
      const int at = row % kBlock * kBlock + column % kBlock;
      right += block[static_cast<std::size_t>(at)] == expected ? 1 : 0;
    }
  std::printf("%d of %d numbers of A B are right, after %llu cycles\n", right, kSide * kSide,
              static_cast<unsigned long long>(fabric.cycle()));
  return right == kSide * kSide ? 0 : 1;
}
