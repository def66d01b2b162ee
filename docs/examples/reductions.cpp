// The sum of vectors along a row of 64 PEs, in three ways: a chain, a tree, and in two phases:
// chains in groups of 8, then a chain of the groups' first PEs. The chains of the groups are side
// by side and share their colors. Beside the cycles stands what the published model of such fabrics
// says (Luczynski et al., HPDC 2024).
#include <algorithm>
#include <cstdio>
#include <functional>
#include <weft/weft.hpp>

using Reduce = std::function<void(weft::PeProgram&, const weft::PeVector&)>;
constexpr int kPes = 64, kGroup = 8, kGroups = kPes / kGroup, kSteps = 6;

Reduce chain(weft::Design& d) {
  return [p = weft::ReduceChain(d, d.all(), weft::Port::west)](auto& pe, const auto& v) {
    p.reduce(pe, v, weft::ReduceOperation::sum);
  };
}
Reduce tree(weft::Design& d) {
  return [p = weft::ReduceTree(d, d.all(), weft::Along::rows)](auto& pe, const auto& v) {
    p.reduce(pe, v, weft::ReduceOperation::sum);
  };
}
Reduce two_phase(weft::Design& d) {
  using enum weft::Port;
  std::vector<weft::ReduceChain> groups;
  for (int x = 0; x < kPes; x += kGroup) groups.emplace_back(d, weft::Rect{x, 0, kGroup, 1}, west);
  // The first PEs send by two colors in turn, and the routers between them pass these on.
  const std::vector<weft::Color> colors{d.color("groups 0"), d.color("groups 1")};
  for (int x = kGroup; x < kPes; x += kGroup) {
    const weft::Color color = colors[static_cast<std::size_t>(x / kGroup % 2)];
    d.route({x, 0, 1, 1}, color, {.rx = ramp, .tx = west});
    d.route({x - kGroup + 1, 0, kGroup - 1, 1}, color, {.rx = east, .tx = west});
    d.route({x - kGroup, 0, 1, 1}, color, {.rx = east, .tx = ramp});
  }
  return [groups, colors](weft::PeProgram& pe, const weft::PeVector& v) {
    const auto group = static_cast<std::size_t>(pe.pick([](int x, int) { return x / kGroup; }));
    groups[group].reduce(pe, v, weft::ReduceOperation::sum);
    if (pe.where([](int x, int) { return x % kGroup != 0; })) return;
    const weft::Color to = colors[group % 2], from = colors[(group + 1) % 2];
    if (group == kGroups - 1)
      pe.send(to, v);
    else
      pe.add(group > 0 ? pe.to(to) : v, v, pe.from(from));
  };
}

/// T = max(C, E / N + L) + (2 T_R + 1) D: contention, hops per link, longest way, depth.
double model(int contention, int hops, int depth) {
  const double links = kPes - 1;
  return std::max<double>(contention, hops / links + links) +
         (2 * weft::Machine{}.ramp_cycles + 1) * depth;
}

/// Prints the cycles, and returns whether the sums are right.
bool show(const std::function<Reduce(weft::Design&)>& make, int n, double expected) {
  weft::Design design(kPes, 1);
  const Reduce reduce = make(design);
  design.program(design.all(), "sum", [&](weft::PeProgram& pe) {
    const weft::PeVector v = pe.array<float>("v", n), end = pe.array<int>("end", 1);
    const weft::PeScalar now = pe.scalar<int>("now");
    reduce(pe, v);
    pe.tsc(now);
    pe.store(end, now);
  });
  weft::Fabric fabric = design.fabric();
  std::vector<float> numbers(static_cast<std::size_t>(kPes * n)), sums(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(i % 13);
    sums[i % sums.size()] += numbers[i];
  }
  fabric.write(design.all(), "v", numbers);
  fabric.run_until_idle(1'000'000);
  std::printf(" %7d %6.0f", fabric.read<int>({0, 0, 1, 1}, "end")[0], expected);
  return fabric.read<float>({0, 0, 1, 1}, "v") == sums;
}

int main() {
  std::printf("numbers          chain           tree     two phases   (cycles, model)\n");
  bool right = true;
  for (const int n : {1, 64, 512}) {
    std::printf("%7d", n);
    right &= show(chain, n, model(n, n * (kPes - 1), kPes - 1));
    right &= show(tree, n, model(n * kSteps, n * kSteps * kPes / 2, kSteps));
    right &= show(two_phase, n,
                  model(2 * n, n * (kGroups * (kGroup - 1) + (kGroups - 1) * kGroup),
                        kGroup - 1 + kGroups - 1));
    std::printf("\n");
  }
  return right ? 0 : 1;
}
