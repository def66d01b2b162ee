// One PE turns each row of numbers into standard scores, by a subroutine that divides, takes a
// root, checks and prints.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  constexpr int kRows = 3, kCount = 4;
  weft::Design design(1, 1);
  design.program(design.all(), "scores", [&](weft::PeProgram& pe) {
    const weft::PeVector u = pe.array<float>("u", {kRows, kCount});
    const weft::PeVector v = pe.array<float>("v", kCount), total = pe.array<float>("total", 1);
    const weft::PeSubroutine standardise = pe.subroutine("standardise", [&] {
      pe.scope([&] {
        const weft::PeScalar mean = pe.scalar<float>("mean");
        const weft::PeScalar deviation = pe.scalar<float>("deviation");
        pe.sum(total, v);
        pe.load(mean, total);
        pe.divide(mean, mean, kCount);
        pe.sub(v, v, mean);
        pe.dot(total, v, v);
        pe.load(deviation, total);
        pe.divide(deviation, deviation, kCount);
        pe.square_root(deviation, deviation);
        pe.check(deviation > 0, "all numbers of a row are equal");
        pe.print("deviation", deviation);
        pe.reciprocal(deviation, deviation);
        pe.mul(v, v, deviation);
      });
    });
    for (int row = 0; row < kRows; ++row) {
      pe.copy(v, u.row(row));
      pe.call(standardise);
      pe.copy(u.row(row), v);
    }
  });

  weft::Fabric fabric = design.fabric({}, {}, true);
  fabric.write(design.all(), "u", std::vector<float>{1, 2, 3, 6, 4, 4, 4, 5, 0, 8, 0, 8});
  fabric.run_until_idle(10'000);
  std::printf("%s", fabric.printed().c_str());
  const std::vector<float> u = fabric.read<float>(design.all(), "u");
  for (std::size_t i = 0; i < u.size(); ++i)
    std::printf("%.4f%s", u[i], i % kCount == kCount - 1 ? "\n" : " ");
}
