// The scalar product of two vectors of 1024 numbers on 8 x 8 PEs, 16 numbers in each. All PEs know
// it in the end: rows add up their parts, then columns.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  constexpr int kPes = 8, kEach = 16;
  weft::Design design(kPes, kPes);
  const weft::AllReduce rows(design, design.all(), weft::Along::rows);
  const weft::AllReduce columns(design, design.all(), weft::Along::columns);
  design.program(design.all(), "product", [&](weft::PeProgram& pe) {
    const weft::PeVector x = pe.array<float>("x", kEach), y = pe.array<float>("y", kEach);
    pe.mul(x, x, y);
    for (int half = kEach / 2; half > 0; half /= 2)
      pe.add(x.slice(0, half), x.slice(0, half), x.slice(half, half));
    rows.reduce(pe, x.at(0), weft::ReduceOperation::sum);
    columns.reduce(pe, x.at(0), weft::ReduceOperation::sum);
  });

  weft::Fabric fabric = design.fabric();
  std::vector<float> x, y;
  float expected = 0;
  for (int i = 0; i < kPes * kPes * kEach; ++i) {  // small integers: the order does not matter
    x.push_back(static_cast<float>(i % 7));
    y.push_back(static_cast<float>(i % 5 - 2));
    expected += x.back() * y.back();
  }
  fabric.write(design.all(), "x", x);
  fabric.write(design.all(), "y", y);
  fabric.run_until_idle(100'000);
  x = fabric.read<float>(design.all(), "x");
  int right = 0;
  for (int pe = 0; pe < kPes * kPes; ++pe)
    right += x[static_cast<std::size_t>(pe * kEach)] == expected ? 1 : 0;
  std::printf("%d of %d PEs know that the product is %g, after %llu cycles\n", right, kPes * kPes,
              expected, static_cast<unsigned long long>(fabric.cycle()));
  return right == kPes * kPes ? 0 : 1;
}
