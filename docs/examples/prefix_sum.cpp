// Prefix sums of 128 numbers on a row of 16 PEs, eight in each. Each PE sums up its own; then the
// total of all before it comes from the west, is added, and the new total goes on to the east.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  constexpr int kPes = 16, kEach = 8;
  weft::Design design(kPes, 1);
  const weft::NeighborShift totals(design, design.all(), weft::Port::east);
  design.program(design.all(), "prefix sum", [&](weft::PeProgram& pe) {
    const weft::PeVector u = pe.array<int>("u", kEach), before = pe.array<int>("before", 1);
    const weft::PeScalar sum = pe.scalar<int>("sum"), number = pe.scalar<int>("number");
    pe.set(sum, 0);
    for (int i = 0; i < kEach; ++i) {
      pe.load(number, u.at(i));
      pe.add(sum, sum, number);
      pe.store(u.at(i), sum);
    }
    totals.receive(pe, before);
    pe.add(u, u, before.at(0).repeated(kEach).flat());
    totals.send(pe, u.at(kEach - 1));
  });

  weft::Fabric fabric = design.fabric();
  std::vector<int> numbers, expected;
  for (int i = 0; i < kPes * kEach; ++i) {
    numbers.push_back(i * i % 17 - 3);
    expected.push_back(numbers.back() + (i > 0 ? expected.back() : 0));
  }
  fabric.write(design.all(), "u", numbers);
  fabric.run_until_idle(100'000);
  const bool right = fabric.read<int>(design.all(), "u") == expected;
  std::printf("%s prefix sums of %d numbers, after %llu cycles\n", right ? "right" : "wrong",
              kPes * kEach, static_cast<unsigned long long>(fabric.cycle()));
  return right ? 0 : 1;
}
