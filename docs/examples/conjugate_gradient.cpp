// Poisson's equation L u = f on 64 x 64 points by conjugate gradients, on 8 x 8 PEs with blocks of
// 8 x 8. PEs exchange halos for the product L p. Chains along rows and down a column add up each
// dot product, and a broadcast tells it to all. The fabric itself ends when the residual is small.
// Beyond the edge u is 0. L is negative definite, which serves as well.
#include <cmath>
#include <cstdio>
#include <weft/weft.hpp>

constexpr int kPes = 8, kBlock = 8;
constexpr std::size_t kSide = std::size_t{kPes} * kBlock;
// Cycles of a division (docs/isa.md); of all other scalars: at the start, in an iteration.
constexpr int kDivide = 69, kStart = 60, kRest = 35;

int main() {
  using weft::PeScalar, weft::PeVector, weft::ReduceChain;
  weft::Design design(kPes, kPes);
  const weft::HaloExchange halo(design, design.all());
  const ReduceChain rows(design, design.all(), weft::Port::west, "rows");
  const ReduceChain column(design, {0, 0, 1, kPes}, weft::Port::north, "column");
  const weft::Broadcast tell(design, design.all(), 0, 0);
  design.program(design.all(), "solve", [&](weft::PeProgram& pe) {
    const auto block = [&](const char* name) { return pe.array<float>(name, {kBlock, kBlock}); };
    const PeVector u = block("u"), r = block("r"), q = block("q");
    const PeVector wide = pe.array<float>("p", {kBlock + 2, kBlock + 2});
    const PeVector product = pe.array<float>("product", 1), end = pe.array<int>("iterations", 1);
    const PeScalar rr = pe.scalar<float>("rr"), old = pe.scalar<float>("old");
    const PeScalar small = pe.scalar<float>("small"), step = pe.scalar<float>("step");
    const PeScalar iterations = pe.scalar<int>("iterations");
    const auto points = [&](int y, int x) { return wide.block(1 + y, 1 + x, kBlock, kBlock); };
    const auto dot = [&](PeScalar d, const PeVector& a, const PeVector& b) {
      pe.dot(product, a, b);
      rows.reduce(pe, product, weft::ReduceOperation::sum);
      if (pe.where([](int x, int) { return x == 0; }))
        column.reduce(pe, product, weft::ReduceOperation::sum);
      tell.broadcast(pe, product);
      pe.load(d, product);
    };
    const PeVector p = points(0, 0);
    pe.copy(p, r);
    dot(rr, r, r);
    pe.mul(small, rr, 1e-12);
    pe.repeat_while(rr > small, [&] {  // a NaN ends it too
      halo.exchange(pe, wide);
      pe.add(q, points(-1, 0), points(1, 0));
      pe.add(q, q, points(0, -1));
      pe.add(q, q, points(0, 1));
      pe.multiply_add(q, p, -4);
      dot(step, p, q);
      pe.divide(step, rr, step);
      pe.multiply_add(u, p, step);
      pe.negate(step, step);
      pe.multiply_add(r, q, step);
      pe.set(old, rr);
      dot(rr, r, r);
      pe.divide(step, rr, old);
      pe.mul(p, p, step);
      pe.add(p, p, r);
      pe.add(iterations, iterations, 1);
    });
    pe.store(end, iterations);
  });
  weft::Fabric fabric = design.fabric();
  std::vector<float> f(kSide * kSide);
  f[20 * kSide + 13] = -1, f[41 * kSide + 50] = 1;  // a positive charge and a negative one
  fabric.scatter(design.all(), "r", f);
  fabric.run_until_idle(10'000'000);
  const std::vector<float> u = fabric.gather<float>(design.all(), "u");
  const int n = fabric.read<int>({}, "iterations")[0];
  std::size_t right = 0;
  const auto at = [&](std::size_t y, std::size_t x) -> double {  // 0 - 1 is beyond the edge too
    return y < kSide && x < kSide ? u[y * kSide + x] : 0;
  };
  for (std::size_t y = 0; y < kSide; ++y)
    for (std::size_t x = 0; x < kSide; ++x) {
      const double sum = at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1);
      right += std::abs(sum - 4 * at(y, x) - f[y * kSide + x]) < 1e-5 ? 1 : 0;
    }
  const weft::Machine m;
  const int cycles = static_cast<int>(fabric.cycle());
  const auto chain = static_cast<int>(ReduceChain::cycles(m, 1, kPes));
  const auto broadcast = static_cast<int>(weft::Broadcast::cycles(m, 1, 2 * (kPes - 1)));
  const auto halos = static_cast<int>(weft::HaloExchange::most_cycles(m, kBlock, kBlock));
  const int vector = m.vector_start_cycles + kBlock * kBlock;  // two sources or a multiply: rate 1
  const int sum = vector + 2 * chain + broadcast;
  const int loop = halos + 8 * vector + 2 * sum + 2 * kDivide + kRest;
  const int most = kStart + vector + sum + n * loop;
  std::printf("L u is f in %zu of %zu points, after %d iterations and %d cycles (at most %d)\n",
              right, kSide * kSide, n, cycles, most);
  return right == kSide * kSide && cycles <= most ? 0 : 1;
}
