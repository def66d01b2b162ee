// y = A x for a matrix of 32 x 32 numbers on 4 x 4 PEs, which have blocks of 8 x 8. The parts of x
// start in the first row of PEs and go down the columns; the parts of y are added up along the
// rows.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  constexpr int kPes = 4, kBlock = 8, kSide = kPes * kBlock, kWord = 4;
  weft::Design design(kPes, kPes);
  const weft::Broadcast down(design, design.all(), weft::Along::columns, 0);
  const weft::ReduceChain to_first(design, design.all(), weft::Port::west);
  design.program(design.all(), "gemv", [&](weft::PeProgram& pe) {
    const weft::PeVector columns = pe.array<float>("columns of A", {kBlock, kBlock});
    const weft::PeVector x = pe.array<float>("x", kBlock), y = pe.array<float>("y", kBlock);
    const weft::PeScalar element = pe.scalar<float>("x[j]");
    const weft::PeScalar j = pe.scalar<int>("j, in bytes"), column = pe.scalar<int>("column");
    down.broadcast(pe, x);
    pe.range(j, 0, kBlock * kWord, kWord, [&] {
      pe.load(element, x.at(0).moved_by_bytes(j));
      pe.mul(column, j, kBlock);
      pe.multiply_add(y, columns.row(0).moved_by_bytes(column), element);
    });
    to_first.reduce(pe, y, weft::ReduceOperation::sum);
  });

  const auto a = [](int r, int c) { return static_cast<float>((3 * r + 5 * c) % 11 - 5); };
  weft::Fabric fabric = design.fabric();
  for (int pr = 0; pr < kPes; ++pr)
    for (int pc = 0; pc < kPes; ++pc) {
      std::vector<float> columns, x;
      for (int c = 0; c < kBlock; ++c) {
        for (int r = 0; r < kBlock; ++r) columns.push_back(a(pr * kBlock + r, pc * kBlock + c));
        x.push_back(static_cast<float>(pc * kBlock + c));
      }
      fabric.write({pc, pr, 1, 1}, "columns of A", columns);
      if (pr == 0) fabric.write({pc, pr, 1, 1}, "x", x);
    }
  fabric.run_until_idle(100'000);
  const std::vector<float> y = fabric.read<float>({0, 0, 1, kPes}, "y");
  int right = 0;
  for (int r = 0; r < kSide; ++r) {
    float expected = 0;
    for (int c = 0; c < kSide; ++c) expected += a(r, c) * static_cast<float>(c);
    right += y[static_cast<std::size_t>(r)] == expected ? 1 : 0;
  }
  std::printf("%d of %d rows of A x are right, after %llu cycles\n", right, kSide,
              static_cast<unsigned long long>(fabric.cycle()));
  return right == kSide ? 0 : 1;
}
