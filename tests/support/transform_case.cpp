#include "support/transform_case.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "io/volume_file.hpp"

namespace weft::test {
namespace {

constexpr std::uint64_t kMostCycles = 10'000'000;

std::vector<std::uint32_t> run_on_default_machine(const TransformCase& c) {
  const wsfft::Transform t = transform_of(c, wsfft::Form::published);
  const wsfft::TransformProgram program = wsfft::build_transform(t);
  Fabric fabric(wsfft::lay_out(program.program, t), Machine{});
  const Rect all{0, 0, c.n, c.n};
  std::vector<std::uint32_t> words = words_before(c);
  fabric.write(all, program.input.address, words);
  write_everywhere(fabric, c.n, program.twiddles.front().span,
                   wsfft::root_words(program.twiddles.front(), t));
  for (const auto& [where, finish] : wsfft::finish_words(program.finish, t.form))
    write_everywhere(fabric, c.n, where, finish);
  fabric.run_until_idle(kMostCycles);
  fabric.read(all, program.output.address, words);
  return words;
}

}  // namespace

void write_everywhere(Fabric& fabric, int n, const MemorySpan& where,
                      const std::vector<std::uint32_t>& words) {
  std::vector<std::uint32_t> row;
  for (int x = 0; x < n; ++x) row.insert(row.end(), words.begin(), words.end());
  for (int y = 0; y < n; ++y) fabric.write({0, y, n, 1}, where.address, row);
}

wsfft::Transform transform_of(const TransformCase& c, wsfft::Form form) {
  const float scale = c.direction == FftDirection::forward ? 1.0F : 1.0F / static_cast<float>(c.n);
  return {wsfft::cube(c.n), wsfft::Numbers{c.precision}, c.direction, {scale, scale, scale}, form};
}

std::vector<std::uint32_t> words_before(const TransformCase& c) {
  const wsfft::Numbers numbers{c.precision};
  const auto n = static_cast<std::size_t>(c.n);
  const Volume volume = io::random_volume({n, n, n}, 5);
  const auto each = static_cast<std::size_t>(numbers.words());
  std::vector<std::uint32_t> words(each * volume.data.size());
  for (std::size_t k = 0; k < volume.data.size(); ++k)
    wsfft::encode(numbers, volume.data[k], &words[each * k]);
  return words;
}

std::vector<std::uint32_t> words_after(const TransformCase& c) {
  static std::map<std::tuple<int, FftPrecision, FftDirection>, std::vector<std::uint32_t>> known;
  std::vector<std::uint32_t>& words = known[{c.n, c.precision, c.direction}];
  if (words.empty()) words = run_on_default_machine(c);
  return words;
}

Machine random_machine(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  Machine machine;
  machine.name = "random " + std::to_string(seed);
  constexpr std::string_view kOfLinks[] = {"link_busy_cycles", "link_rest_cycles",
                                           "die_width",        "die_height",
                                           "die_link_cycles",  "crowd_wavelets"};
  for (const MachineConstant& constant : machine_constants()) {
    if (std::ranges::find(kOfLinks, constant.name) != std::end(kOfLinks)) continue;
    const auto range = static_cast<std::uint64_t>(constant.high - constant.low + 1);
    const int value = constant.low + static_cast<int>(below(range));
    if (below(2) == 0) machine.*constant.member = value;
  }
  // With crowds nothing is stepped by line, and most values would change next to nothing.
  if (below(4) == 0) {
    machine.link_busy_cycles = 1 + static_cast<int>(below(16));
    machine.die_width = static_cast<int>(below(6));
    machine.die_height = static_cast<int>(below(6));
    machine.crowd_wavelets = static_cast<int>(below(3) * 20);
    if (below(3) == 0) machine.link_rest_cycles = 2 + static_cast<int>(below(30));
    if (below(3) == 0) machine.die_link_cycles = 1 + static_cast<int>(below(200));
  }
  // The transform's four filters and its pencils; clock_khz is no timing of the fabric.
  machine.filters_per_pe = std::max(machine.filters_per_pe, 4);
  machine.pe_memory_bytes = Machine{}.pe_memory_bytes;
  return machine;
}

}  // namespace weft::test
