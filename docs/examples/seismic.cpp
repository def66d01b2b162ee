// A wave in the ground: the 25-point stencil of seismic imaging, of order 8 in space and 2 in time.
// Each of 16 x 16 PEs has a column of 32 points, and four points around it on each side come by way
// of the neighbours. Beyond the block the ground does not move. The host computes the same in
// double precision, and the cycles stand beside a bound: every element passes the ramp or is
// computed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>
#include <weft/weft.hpp>

int main() {
  constexpr int kPes = 16, kDepth = 32, kSteps = 12;
  constexpr int kFar = 4;                                           // points on each side
  constexpr int kWide = 2 * kFar + 1, kColumn = kDepth + 2 * kFar;  // with points at rest
  // Of the second derivative, times (c dt / h)^2: the point itself, and 1 to 4 points away.
  constexpr double kSpeed = 0.1, kCenter = 2 - 3 * kSpeed * 205 / 72;
  constexpr double kAway[] = {kSpeed * 8 / 5, kSpeed * -1 / 5, kSpeed * 8 / 315, kSpeed * -1 / 560};

  weft::Design design(kPes, kPes);
  const weft::HaloExchange halo(design, design.all(), weft::HaloExchange::Corners::none, "halo",
                                kFar);
  design.program(design.all(), "ground", [&](weft::PeProgram& pe) {
    const weft::PeVector u = pe.array<float>("u", {kWide, kWide, kColumn});
    const weft::PeVector before = pe.array<float>("before", kColumn).slice(kFar, kDepth);
    const weft::PeVector after = pe.array<float>("after", kDepth);
    const auto points = [&](int right, int down, int below) {
      const int pe_of_halo = (kFar + down) * kWide + kFar + right;
      return u.flat().slice(pe_of_halo * kColumn + kFar + below, kDepth);
    };
    pe.repeat(kSteps, [&] {
      halo.exchange(pe, u);
      pe.mul(after, points(0, 0, 0), kCenter);
      pe.sub(after, after, before);
      for (int n = 1; n <= kFar; ++n)
        for (const int side : {-n, n}) {
          pe.multiply_add(after, points(side, 0, 0), kAway[n - 1]);
          pe.multiply_add(after, points(0, side, 0), kAway[n - 1]);
          pe.multiply_add(after, points(0, 0, side), kAway[n - 1]);
        }
      pe.copy(before, points(0, 0, 0));
      pe.copy(points(0, 0, 0), after);
    });
  });

  std::vector<float> start;
  for (int y = 0; y < kPes; ++y)
    for (int x = 0; x < kPes; ++x)
      for (int z = -kFar; z < kDepth + kFar; ++z) {
        const int far = (x - 8) * (x - 8) + (y - 8) * (y - 8) + (z - 16) * (z - 16);
        start.push_back(z < 0 || z >= kDepth ? 0 : static_cast<float>(1.0 / (1 + far)));
      }
  weft::Fabric fabric = design.fabric();
  fabric.scatter<float>(design.all(), "u", start, kFar);
  fabric.scatter<float>(design.all(), "before", start);
  fabric.run_until_idle(1'000'000);
  const std::vector<float> found = fabric.gather<float>(design.all(), "u", kFar);

  std::vector<double> u(start.begin(), start.end()), before = u, after(u.size());
  const auto number = [](int x, int y, int z) { return (y * kPes + x) * kColumn + z; };
  const auto at = [&](int x, int y, int z) {  // points beyond the block are at rest
    return x < 0 || y < 0 || x >= kPes || y >= kPes ? 0 : u[number(x, y, z)];
  };
  for (int step = 0; step < kSteps; ++step) {
    for (int y = 0; y < kPes; ++y)
      for (int x = 0; x < kPes; ++x)
        for (int z = kFar; z < kFar + kDepth; ++z) {
          double& sum = after[number(x, y, z)] = kCenter * at(x, y, z) - before[number(x, y, z)];
          for (int n = 1; n <= kFar; ++n)
            for (const int s : {-n, n})
              sum += kAway[n - 1] * (at(x + s, y, z) + at(x, y + s, z) + at(x, y, z + s));
        }
    before = std::exchange(u, after);
  }
  double error = 0;
  for (std::size_t n = 0; n < u.size(); ++n) error = std::max(error, std::abs(found[n] - u[n]));

  const auto cycles = static_cast<int>(fabric.cycle() / kSteps);
  // To four sides, and from them; then 24 products and sums of numbers, and four other operations.
  constexpr int kRamp = 2 * kFar * kColumn * 2, kCompute = 28 * kDepth;
  std::printf("25 points: %d steps of %d x %d x %d points, %s\n", kSteps, kPes, kPes, kDepth,
              error < 1e-6 ? "right" : "wrong");
  const int middle = number(8, 8, kFar + 16);
  std::printf("the middle moves from %.4f to %.4f\n", start[middle], found[middle]);
  std::printf("%d cycles a step, %.2f times the least: %d at the ramp and %d of computing\n",
              cycles, static_cast<double>(cycles) / (kRamp + kCompute), kRamp, kCompute);
  return error < 1e-6 ? 0 : 1;
}
