// How many of 1,000 numbers from 0 to 63 are in which of 64 bins: PE 0 sends them all along a row,
// each of the other eight PEs has a filter that lets in those of its eight bins, and each number
// that comes starts a task that counts it. A filter looks at the upper half of a wavelet.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  constexpr int kPes = 9, kBins = 8, kNumbers = 1000, kWord = 4;
  weft::Design design(kPes, 1);
  const weft::Color numbers = design.color("numbers");
  using weft::Port;
  design.route({0, 0, 1, 1}, numbers, {.rx = Port::ramp, .tx = Port::east});
  design.route({1, 0, kPes - 2, 1}, numbers, {.rx = Port::west, .tx = {Port::east, Port::ramp}});
  design.route({kPes - 1, 0, 1, 1}, numbers, {.rx = Port::west, .tx = Port::ramp});
  for (int x = 1; x < kPes; ++x) {
    const auto first = static_cast<std::uint16_t>((x - 1) * kBins);
    design.filter({x, 0, 1, 1}, numbers,
                  weft::RangeFilter{first, static_cast<std::uint16_t>(first + kBins - 1)});
  }

  std::vector<std::uint32_t> data;
  for (std::uint32_t i = 0; i < kNumbers; ++i) data.push_back((i * i / 7 + i) % 64 << 16U);
  design.program({0, 0, 1, 1}, "sender", [&](weft::PeProgram& pe) {
    pe.send(numbers, pe.values<std::uint32_t>("data", data));
  });
  design.program({1, 0, kPes - 1, 1}, "counter", [&](weft::PeProgram& pe) {
    const weft::PeVector counts = pe.array<std::uint32_t>("counts", kBins);
    const weft::PeScalar count = pe.scalar<std::uint32_t>("count");
    const weft::PeScalar bin = pe.scalar<std::uint32_t>("bin, in bytes");
    pe.on_data<std::uint32_t>(numbers, [&](weft::PeScalar number) {
      pe.shri(bin, number, 16);
      pe.band(bin, bin, pe.constant(kBins - 1, weft::ElementType::u32));
      pe.mul(bin, bin, kWord);
      const weft::PeVector counter = counts.at(0).moved_by_bytes(bin);
      pe.load(count, counter);
      pe.add(count, count, 1);
      pe.store(counter, count);
    });
  });

  weft::Fabric fabric = design.fabric();
  fabric.run_until_idle(1'000'000);
  std::vector<std::uint32_t> expected(kBins * (kPes - 1));
  for (const std::uint32_t number : data) ++expected[number >> 16U];
  const auto counts = fabric.read<std::uint32_t>({1, 0, kPes - 1, 1}, "counts");
  std::printf("%s counts of %d numbers, after %llu cycles\n",
              counts == expected ? "right" : "wrong", kNumbers,
              static_cast<unsigned long long>(fabric.cycle()));
  return counts == expected ? 0 : 1;
}
