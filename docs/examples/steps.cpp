// The host drives a program in steps: it activates a task that does ten sweeps of a relaxation on
// 4 x 4 PEs, looks at the change, and goes on from the same clock until little changes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  constexpr int kPes = 4, kBlock = 6, kSweeps = 10, kSide = kPes * kBlock;
  weft::Design design(kPes, kPes);
  const weft::HaloExchange halo(design, design.all());
  design.program(design.all(), "relaxation", [&](weft::PeProgram& pe) {
    const weft::PeVector u = pe.array<float>("u", {kBlock + 2, kBlock + 2});
    const weft::PeVector mean = pe.array<float>("mean", {kBlock, kBlock});
    const auto points = [&](int dy, int dx) { return u.block(1 + dy, 1 + dx, kBlock, kBlock); };
    pe.task("sweeps", [&] {
      pe.repeat(kSweeps, [&] {
        halo.exchange(pe, u);
        pe.add(mean, points(-1, 0), points(1, 0));
        pe.add(mean, mean, points(0, -1));
        pe.add(mean, mean, points(0, 1));
        pe.mul(points(0, 0), mean, 0.25);
      });
    });
  });

  weft::Fabric fabric = design.fabric();
  std::vector<float> border(kPes * (kBlock + 2) * (kBlock + 2));
  for (std::size_t i = 0; i < border.size(); ++i)
    border[i] = i / (kBlock + 2) % (kBlock + 2) == 0 ? 1.0F : 0.0F;  // the northern side is warm
  fabric.write({0, 0, kPes, 1}, "u", border);
  constexpr std::uint64_t kLimit = 100'000'000;
  fabric.run_until_idle(kLimit);
  std::vector<float> u(kSide * kSide);
  float change = 1;
  int steps = 0;
  for (; change > 1e-3F; ++steps) {
    fabric.activate(design.all(), "sweeps");
    fabric.run_until_idle(kLimit);
    const std::vector<float> now = fabric.gather<float>(design.all(), "u", 1);
    change = 0;
    for (std::size_t i = 0; i < u.size(); ++i) change = std::max(change, std::abs(now[i] - u[i]));
    u = now;
  }

  constexpr std::size_t kWide = kSide + 2;
  std::vector<float> wide(kWide * kWide);
  std::fill_n(wide.begin(), kWide, 1.0F);
  for (int sweep = 0; sweep < steps * kSweeps; ++sweep) {
    std::vector<float> next = wide;
    for (std::size_t r = 1; r <= kSide; ++r)
      for (std::size_t i = r * kWide + 1; i <= r * kWide + kSide; ++i)
        next[i] = (wide[i - kWide] + wide[i + kWide] + wide[i - 1] + wide[i + 1]) * 0.25F;
    wide = next;
  }
  int right = 0;
  for (std::size_t r = 0; r < kSide; ++r)
    for (std::size_t c = 0; c < kSide; ++c)
      right += u[r * kSide + c] == wide[(r + 1) * kWide + c + 1] ? 1 : 0;
  std::printf("%d of %d points are right after %d steps and %llu cycles\n", right, kSide * kSide,
              steps, static_cast<unsigned long long>(fabric.cycle()));
  return right == kSide * kSide ? 0 : 1;
}
