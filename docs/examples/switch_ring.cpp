// Three PEs share one color into a PE between them. Its router has a switch whose positions form a
// ring: it listens to the west, then to the north, then to the east, and again to the west. Each
// sender's part ends with a control wavelet, which advances the switch.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  using weft::Port;
  constexpr int kWords = 4, kRounds = 3;
  weft::Design design(3, 2);
  const weft::Color color = design.color("numbers");
  weft::Route middle{.rx = Port::west, .tx = Port::ramp};
  middle.positions = {weft::SwitchPosition::receive(Port::north),
                      weft::SwitchPosition::receive(Port::east)};
  middle.ring = true;
  design.route({1, 1, 1, 1}, color, middle);
  design.route({0, 1, 1, 1}, color, {.rx = Port::ramp, .tx = Port::east});
  design.route({1, 0, 1, 1}, color, {.rx = Port::ramp, .tx = Port::south});
  design.route({2, 1, 1, 1}, color, {.rx = Port::ramp, .tx = Port::west});

  weft::ControlWavelet advance;
  advance.slots[0].command = weft::ControlWavelet::Command::advance;
  const auto sender = [&](weft::PeProgram& pe) {
    const weft::PeVector numbers = pe.array<int>("numbers", kWords);
    const weft::PeVector end = pe.values<std::uint32_t>("end", {advance.payload()});
    pe.repeat(kRounds, [&] {
      pe.send(color, numbers);
      pe.copy(pe.to(color, true), end);
    });
  };
  design.program({0, 1, 1, 1}, "west", sender);
  design.program({1, 0, 1, 1}, "north", sender);
  design.program({2, 1, 1, 1}, "east", sender);
  design.program({1, 1, 1, 1}, "receiver", [&](weft::PeProgram& pe) {
    pe.receive(pe.array<int>("all", 3 * kWords * kRounds), color);
  });

  weft::Fabric fabric = design.fabric();
  const std::vector<int> west(kWords, 1), north(kWords, 2), east(kWords, 3);
  fabric.write({0, 1, 1, 1}, "numbers", west);
  fabric.write({1, 0, 1, 1}, "numbers", north);
  fabric.write({2, 1, 1, 1}, "numbers", east);
  fabric.run_until_idle(100'000);
  const std::vector<int> all = fabric.read<int>({1, 1, 1, 1}, "all");
  bool right = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::printf("%d ", all[i]);
    right &= all[i] == static_cast<int>(i / kWords % 3) + 1;
  }
  std::printf("after %llu cycles\n", static_cast<unsigned long long>(fabric.cycle()));
  return right ? 0 : 1;
}
