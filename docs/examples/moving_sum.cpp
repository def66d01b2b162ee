// Moving sums of four streams, a row of eight PEs for each. The host sends numbers into the west
// edge, and all PEs of a row hear them. A PE adds each to the sum that comes from the west, which
// is one number older, and the sums of eight numbers leave at the east edge.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  constexpr int kTaps = 8, kRows = 4, kCount = 50;
  using weft::Port;
  weft::Design design(kTaps, kRows);
  const weft::Rect west{0, 0, 1, kRows}, east{kTaps - 1, 0, 1, kRows};
  const weft::Color numbers = design.color("numbers");
  const weft::Color sums[] = {design.color("even"), design.color("odd")};
  design.host_input("numbers", west, Port::west, numbers);
  design.host_output("results", east, Port::east, sums[(kTaps - 1) % 2]);
  design.route({0, 0, kTaps - 1, kRows}, numbers,
               {.rx = Port::west, .tx = {Port::ramp, Port::east}});
  design.route(east, numbers, {.rx = Port::west, .tx = Port::ramp});
  for (int x = 0; x < kTaps; ++x) {
    design.route({x, 0, 1, kRows}, sums[x % 2], {.rx = Port::ramp, .tx = Port::east});
    if (x > 0)
      design.route({x, 0, 1, kRows}, sums[(x - 1) % 2], {.rx = Port::west, .tx = Port::ramp});
  }

  design.program(design.all(), "moving sum", [&](weft::PeProgram& pe) {
    const bool odd = pe.where([](int x, int) { return x % 2 == 1; });
    const weft::Color out = sums[odd ? 1 : 0], before = sums[odd ? 0 : 1];
    if (!pe.has_neighbor(Port::west)) {
      pe.copy(pe.to(out), pe.from(numbers, kCount));
      return;
    }
    const weft::PeVector last = pe.array<float>("last", 1);
    pe.copy(pe.to(out), pe.from(numbers, 1));
    pe.add(pe.to(out), pe.from(before, kCount - 1), pe.from(numbers, kCount - 1));
    pe.receive(last, before);  // which has one sum more
  });

  const weft::Machine machine;
  weft::Fabric fabric = design.fabric(machine);
  std::vector<float> sent, expected;
  for (int row = 0; row < kRows; ++row)
    for (int k = 0; k < kCount; ++k) {
      sent.push_back(static_cast<float>((k * k + 7 * row) % 31));
      float sum = 0;
      for (int tap = 0; tap <= k && tap < kTaps; ++tap)
        sum += sent[static_cast<std::size_t>(row * kCount + k - tap)];
      expected.push_back(sum);
    }
  fabric.send("numbers", sent);
  fabric.run_until_idle(100'000);
  const bool right = fabric.receive<float>("results") == expected;
  const auto cycles = static_cast<int>(fabric.cycle()), link = machine.host_link_cycles;
  std::printf(
      "%s sums of %d x %d numbers, after %d cycles: %d x %d of the link, %d before the first sum\n",
      right ? "right" : "wrong", kRows, kCount, cycles, kCount, link, cycles - kCount * link);
  return right ? 0 : 1;
}
