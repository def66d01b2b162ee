// Heat spreads over a plate of 128 x 128 points: 16 x 16 PEs have 8 x 8 points each. In each step
// they exchange the borders of their blocks, and a point becomes the mean of itself and its four
// neighbours. Beyond the plate's edge it is cold.
#include <cmath>
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  constexpr int kPes = 16, kBlock = 8, kHalo = kBlock + 2, kSteps = 100;
  weft::Design design(kPes, kPes);
  const weft::HaloExchange halo(design, design.all());
  design.program(design.all(), "stencil", [&](weft::PeProgram& pe) {
    const weft::PeVector u = pe.array<float>("u", {kHalo, kHalo});
    const weft::PeVector next = pe.array<float>("next", {kBlock, kBlock});
    const auto points = [&](int down, int right) {
      return u.block(1 + down, 1 + right, kBlock, kBlock);
    };
    pe.repeat(kSteps, [&] {
      halo.exchange(pe, u);
      pe.add(next, points(-1, 0), points(1, 0));
      pe.add(next, next, points(0, -1));
      pe.add(next, next, points(0, 1));
      pe.add(next, next, points(0, 0));
      pe.mul(points(0, 0), next, 0.2);
    });
  });

  weft::Fabric fabric = design.fabric();
  const weft::Rect middle{kPes / 2, kPes / 2, 1, 1};
  fabric.write(middle, "u", std::vector<float>(kHalo * kHalo, 100));
  fabric.run_until_idle(1'000'000);
  const std::vector<float> u = fabric.read<float>(middle, "u");
  std::printf("%.4f degrees in the middle after %llu cycles\n", u[kHalo + 1],
              static_cast<unsigned long long>(fabric.cycle()));
}
