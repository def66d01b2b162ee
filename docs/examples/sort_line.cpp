// Sorts 16 numbers, one in each PE of a row, by odd-even transposition: in each round neighbours
// exchange their numbers, the western one keeps the smaller and the eastern one the larger. In even
// rounds these are PEs 0 and 1, 2 and 3, ..., in odd rounds PEs 1 and 2, 3 and 4, ...
#include <algorithm>
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  constexpr int kPes = 16;
  weft::Design design(kPes, 1);
  const weft::NeighborShift east(design, design.all(), weft::Port::east, "to the east");
  const weft::NeighborShift west(design, design.all(), weft::Port::west, "to the west");
  design.program(design.all(), "sort", [&](weft::PeProgram& pe) {
    const weft::PeVector mine = pe.array<int>("mine", 1), other = pe.array<int>("other", 1);
    const weft::PeScalar a = pe.scalar<int>("a"), b = pe.scalar<int>("b");
    const int odd = pe.pick([](int x, int) { return x % 2; });
    pe.repeat(kPes / 2, [&] {
      for (int round = 0; round < 2; ++round) {
        const bool partner_is_east = odd == round;
        if (!pe.has_neighbor(partner_is_east ? weft::Port::east : weft::Port::west)) continue;
        (partner_is_east ? east : west).send(pe, mine);
        (partner_is_east ? west : east).receive(pe, other);
        pe.load(a, mine);
        pe.load(b, other);
        pe.when(partner_is_east ? b < a : a < b, [&] { pe.store(mine, b); });
      }
    });
  });

  weft::Fabric fabric = design.fabric();
  std::vector<int> numbers;
  for (int i = 0; i < kPes; ++i) numbers.push_back(i * 7 % 13 - 4);
  fabric.write(design.all(), "mine", numbers);
  fabric.run_until_idle(100'000);
  std::sort(numbers.begin(), numbers.end());
  const std::vector<int> sorted = fabric.read<int>(design.all(), "mine");
  for (const int number : sorted) std::printf("%d ", number);
  std::printf("after %llu cycles\n", static_cast<unsigned long long>(fabric.cycle()));
  return sorted == numbers ? 0 : 1;
}
