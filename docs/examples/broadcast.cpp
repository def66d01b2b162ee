// One PE sends eight numbers to all others of 6 x 4 PEs. Each notes the cycle in which it has them.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  weft::Design design(6, 4);
  const weft::Broadcast broadcast(design, design.all(), 2, 1);
  design.program(design.all(), "broadcast", [&](weft::PeProgram& pe) {
    const weft::PeVector u = pe.array<float>("u", 8), cycle = pe.array<int>("cycle", 1);
    const weft::PeScalar now = pe.scalar<int>("now");
    broadcast.broadcast(pe, u);
    pe.tsc(now);
    pe.store(cycle, now);
  });

  weft::Fabric fabric = design.fabric();
  fabric.write({2, 1, 1, 1}, "u", std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
  fabric.run_until_idle(1000);
  const std::vector<int> cycles = fabric.read<int>(design.all(), "cycle");
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 6; ++x) std::printf("%3d", cycles[static_cast<std::size_t>(6 * y + x)]);
    std::printf("\n");
  }
  return fabric.read<float>({5, 3, 1, 1}, "u")[7] == 7 ? 0 : 1;
}
