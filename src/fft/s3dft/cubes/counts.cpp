#include "fft/s3dft/cubes/counts.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft::s3dft::cubes {
namespace {

/// Wavelets by PE: into its core, out of it, and over its links by port.
struct Loads {
  const Tiles& tiles;
  std::vector<std::uint64_t> in, out;
  std::vector<std::uint64_t> links[kLinks];

  explicit Loads(const Tiles& of) : tiles(of) {
    for (auto* loads : {&in, &out, &links[0], &links[1], &links[2], &links[3]})
      loads->resize(of.pes());
  }

  /// So many wavelets of a PE to the next one of a ring.
  void add(Ring ring, Around way, const Pe& from, std::uint64_t wavelets) {
    const std::vector<Pe> on = path(from, next_of(tiles, ring, way, from));
    out[tiles.number_of(on.front())] += wavelets;
    in[tiles.number_of(on.back())] += wavelets;
    for (std::size_t k = 0; k + 1 < on.size(); ++k)
      links[static_cast<std::size_t>(port_to(on[k], on[k + 1]))][tiles.number_of(on[k])] +=
          wavelets;
  }
};

std::uint64_t sum(const std::vector<std::uint64_t>& loads) {
  std::uint64_t all = 0;
  for (const std::uint64_t load : loads) all += load;
  return all;
}

// Measured on the fabric at p = 2 and 4: what the start of a stage, a step, the start of a part's
// streams, a source and a unit shift take beside their elements and wavelets.
constexpr double kStart = 46, kStep = 48, kPart = 26, kSource = 21;
constexpr double kOneShift = 35, kBothShifts = 62;  ///< of one block, and of both beside each other

double source_cycles(const Transform& t, const Pace& pace = {}) {
  return pace.products * (t.halves() ? 2 : 4) * t.numbers() + kSource;
}

}  // namespace

fft::Traffic traffic_of(const Transform& t) {
  const Tiles& tiles = t.tiles;
  Loads loads(tiles);
  const auto count = [](int n) { return static_cast<std::uint64_t>(n); };
  const std::uint64_t array = count(t.words_of(t.numbers())),
                      matrix = count(t.words_of(t.side * t.side)), rolls = count(tiles.p() - 1);
  for (const Stage& stage : kStage)
    for (int y = 0; y < tiles.height(); ++y)
      for (int x = 0; x < tiles.width(); ++x) {
        const auto [way, shifts] = alignment_of(tiles, stage, tiles.node_at({x, y}));
        loads.add(stage.array, way, {x, y}, array * count(shifts));
        loads.add(stage.array, Around::backwards, {x, y},
                  array * rolls * count(shifts_of(tiles, stage.array)));
        loads.add(stage.factors, Around::backwards, {x, y},
                  matrix * rolls * count(shifts_of(tiles, stage.factors)));
      }
  fft::Traffic traffic;
  traffic.wavelets = sum(loads.out);
  traffic.delivered = sum(loads.in);
  traffic.busiest_ramp = std::max(std::ranges::max(loads.in), std::ranges::max(loads.out));
  for (const std::vector<std::uint64_t>& link : loads.links) {
    traffic.hops += sum(link);
    traffic.busiest_link = std::max(traffic.busiest_link, std::ranges::max(link));
  }
  return traffic;
}

double align_cycles(const Transform& t, const Stage& stage, const Pace& pace) {
  const double words = t.words_of(t.numbers());
  const double zeros = &stage == kStage ? 0 : words;
  const int shifts = t.tiles.p() / 2 * shifts_of(t.tiles, stage.array);
  return kStart + zeros + shifts * (words + kOneShift + pace.shift);
}

double sum_cycles(const Transform& t, const Stage& stage, const Pace& pace) {
  const double plane = t.side * t.side, step = kStep + plane + pace.step;
  const int parts = parts_of(t.tiles, stage);
  const auto first_of = [&](int part) { return std::int64_t{part} * t.side / parts; };
  double moving = step;
  for (int part = 0; part < parts; ++part) {
    const auto sources = static_cast<double>(first_of(part + 1) - first_of(part));
    const bool array = part < shifts_of(t.tiles, stage.array);
    const bool both = array && part < shifts_of(t.tiles, stage.factors);
    const double shift = t.words_of(array ? t.numbers() : t.side * t.side) +
                         (both ? kBothShifts : kOneShift) + pace.shift;
    moving += std::max(sources * source_cycles(t, pace) + kPart, shift);
  }
  return (t.tiles.p() - 1) * moving + step + t.side * source_cycles(t, pace);
}

double product_cycles(const Transform& t, const Stage& stage) {
  return t.side * source_cycles(t) + parts_of(t.tiles, stage) * kPart;
}

double roll_cycles(const Transform& t, const Stage& stage) {
  return shifts_of(t.tiles, stage.array) * (t.words_of(t.numbers()) + kBothShifts);
}

double cycles_of(const Transform& t, const Pace& pace) {
  double cycles = 0;
  for (const Stage& stage : kStage)
    cycles += align_cycles(t, stage, pace) + sum_cycles(t, stage, pace);
  return cycles;
}

}  // namespace weft::s3dft::cubes
