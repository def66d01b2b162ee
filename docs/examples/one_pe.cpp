// One PE squares eight numbers and adds a half to each.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  weft::Design design(1, 1);
  design.program(design.all(), "squares", [](weft::PeProgram& pe) {
    const weft::PeVector u = pe.array<float>("u", 8);
    pe.mul(u, u, u);
    pe.add(u, u, 0.5);
  });

  weft::Fabric fabric = design.fabric();
  fabric.write(design.all(), "u", std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
  fabric.run_until_idle(1000);
  for (const float number : fabric.read<float>(design.all(), "u")) std::printf("%g ", number);
  std::printf("after %llu cycles\n", static_cast<unsigned long long>(fabric.cycle()));
}
