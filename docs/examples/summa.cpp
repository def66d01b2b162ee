// C = A B by SUMMA on 4 x 4 PEs, which have blocks of 8 x 8. In step k the PEs of column k send
// their blocks of A along their rows, those of row k their blocks of B along their columns, and
// each PE adds the product of the two. The next blocks travel while it multiplies.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  constexpr int kPes = 4, kBlock = 8, kWord = 4, kSide = kPes * kBlock, kN = kBlock * kBlock;
  weft::Design design(kPes, kPes);
  const weft::MovingBroadcast rows(design, design.all(), weft::Along::rows, "A");
  const weft::MovingBroadcast columns(design, design.all(), weft::Along::columns, "B");
  design.program(design.all(), "summa", [&](weft::PeProgram& pe) {
    const weft::PeVector a = pe.array<float>("A", {kBlock, kBlock});
    const weft::PeVector b = pe.array<float>("B", {kBlock, kBlock});
    const weft::PeVector c = pe.array<float>("C", {kBlock, kBlock});
    // Two places for the blocks of a step: one is filled while the other is used.
    const weft::PeVector a_sent = pe.array<float>("A, sent", 2 * kN);
    const weft::PeVector b_sent = pe.array<float>("B, sent", 2 * kN);
    const weft::PeScalar element = pe.scalar<float>("A[i, j]"), k = pe.scalar<int>("k");
    const weft::PeScalar i = pe.scalar<int>("i, in bytes"), at = pe.scalar<int>("A[i], in bytes");
    const weft::PeScalar now = pe.scalar<int>("now"), then = pe.scalar<int>("next");
    const weft::PeScalar other = pe.scalar<int>("other");

    const auto start = [&](weft::PeScalar place) {
      auto all = rows.start(pe, a.flat(), a_sent.slice(0, kN).moved_by_bytes(place), k);
      for (const weft::PeOperation& operation :
           columns.start(pe, b.flat(), b_sent.slice(0, kN).moved_by_bytes(place), k))
        all.push_back(operation);
      return all;
    };
    const auto multiply = [&] {
      pe.range(i, 0, kN * kWord, kBlock * kWord, [&] {
        pe.add(at, now, i);
        for (int j = 0; j < kBlock; ++j) {
          pe.load(element, a_sent.at(j).moved_by_bytes(at));
          const weft::PeVector row = b_sent.slice(kBlock * j, kBlock).moved_by_bytes(now);
          pe.multiply_add(c.row(0).moved_by_bytes(i), row, element);
        }
      });
    };
    pe.set(then, kN * kWord);
    pe.wait(start(now));
    pe.range(k, 1, kPes, 1, [&] {
      const auto coming = start(then);
      multiply();
      pe.wait(coming);
      pe.set(other, now);
      pe.set(now, then);
      pe.set(then, other);
    });
    multiply();
  });

  std::vector<float> a, b;
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c) {
      a.push_back(static_cast<float>((3 * r + 5 * c) % 11 - 5));
      b.push_back(static_cast<float>((7 * r + 2 * c) % 13 - 6));
    }
  weft::Fabric fabric = design.fabric();
  fabric.scatter(design.all(), "A", a);
  fabric.scatter(design.all(), "B", b);
  fabric.run_until_idle(1'000'000);
  const std::vector<float> product = fabric.gather<float>(design.all(), "C");
  int right = 0;
  for (std::size_t r = 0; r < kSide; ++r)
    for (std::size_t c = 0; c < kSide; ++c) {
      float expected = 0;
      for (std::size_t k = 0; k < kSide; ++k) expected += a[kSide * r + k] * b[kSide * k + c];
      right += product[kSide * r + c] == expected ? 1 : 0;
    }
  // The first blocks travel; then a PE does a multiply-add for each row and column of each step.
  const std::uint64_t least =
      weft::MovingBroadcast::cycles(weft::Machine{}, kN, 0) + std::uint64_t{kPes * kBlock * kN};
  std::printf("%d of %d elements of A B are right, after %llu cycles (at least %llu)\n", right,
              kSide * kSide, static_cast<unsigned long long>(fabric.cycle()),
              static_cast<unsigned long long>(least));
  return right == kSide * kSide && fabric.cycle() >= least ? 0 : 1;
}
