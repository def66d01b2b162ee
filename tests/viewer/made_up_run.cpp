// A run of the shape of a transform, made up: for tests of the page, and to time it on a large
// mesh.
//   weft-made-up-run FILE SIDE WINDOWS [--stuck] [COLOR ...]
// Pencils, a transpose along rows, pencils, one along columns, pencils; cores and links with some
// noise, so that planes do not deflate better than those of true runs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "weft/profile.hpp"

namespace {

using weft::Count;

constexpr std::uint64_t kWindowCycles = 4096, kPhases = 5;
constexpr std::array kStates = {Count::computing, Count::moving, Count::waits_data,
                                Count::waits_room};

struct Shares {
  double computing = 0, moving = 0, waits_data = 0, waits_room = 0, held = 0;
  std::array<double, 4> links{};  ///< west, east, south, north
};

/// Of a PE, in the middle of a window: `time` from 0 to 1.
Shares shares_of(double x, double y, double time) {
  Shares s;
  const double part = time * 5;
  const int phase = std::min(4, static_cast<int>(part));
  const double within = part - phase;
  if (phase % 2 == 0) {  // pencils: those in a spot are slower
    const double slow = std::exp(-(std::pow(x - 0.68, 2) + std::pow(y - 0.37, 2)) / 0.005);
    s.computing = within < 0.8 + 0.2 * slow ? 0.97 : 0.02;
    s.waits_data = 0.98 - s.computing;
    return s;
  }
  const double along = phase == 1 ? x : y;
  const double queue = std::exp(-std::abs(along - within) / 0.05);
  s.links[phase == 1 ? 1 : 2] = along > within ? 0.85 : 0.1;
  s.links[phase == 1 ? 0 : 3] = along > within ? 0.1 : 0.85;
  s.computing = 0.02 + 0.3 * queue;
  s.moving = 0.1 + 0.2 * queue;
  s.waits_room = 0.1 * queue;
  s.held = 0.4 * queue;
  s.waits_data = 0.86 - 0.6 * queue;
  return s;
}

/// Routes, a program, phases: names are those of colors.
void describe(weft::Profile& p, const std::vector<std::string>& colors) {
  const std::size_t pes = p.totals.front().size();
  const auto at = [](std::size_t port) { return static_cast<weft::Port>(port); };
  for (std::size_t c = 0; c < colors.size(); ++c) {
    weft::ColorCounts color{.color = static_cast<int>(c), .name = colors[c]};
    for (auto& port : color.wavelets) port.resize(pes);
    color.held.resize(pes);
    for (std::size_t k = c; k < weft::kLinks; k += colors.size())  // a color each way
      color.wavelets[k] = p.links(at(k));
    color.routes.push_back({{.rx = weft::Port::ramp, .tx = at(c % weft::kLinks)}, true});
    color.route_of.assign(pes, 0);
    color.route_of.front() = -1;
    p.colors.push_back(std::move(color));
  }
  p.programs.push_back({.name = colors.front(),
                        .lines = {{.first = 0,
                                   .what = "copy(to(" + colors.front() + "), u)",
                                   .where = "made_up.py:7",
                                   .cycles = 1000,
                                   .most = 10,
                                   .x = p.width - 1,
                                   .y = 0}},
                        .code = {{.text = "mov32 " + colors.back(), .line = 0, .cycles = 1000}},
                        .tasks = {{.number = 3, .name = colors.back()}},
                        .arrays = {{colors.back(), {.address = 64, .bytes = 256}}}});
  p.program_of.assign(pes, 0);
  for (std::uint64_t n = 0; n < kPhases; ++n) {
    weft::PhaseCounts phase{.name = colors[n % colors.size()] + " " + std::to_string(n)};
    phase.first.assign(pes, n * p.cycles / kPhases);
    phase.last.assign(pes, (n + 1) * p.cycles / kPhases - 1);
    for (const weft::CountInfo& info : weft::count_infos())
      if (weft::is_by_phase(info)) phase.counts[static_cast<std::size_t>(info.count)].resize(pes);
    p.phases.push_back(std::move(phase));
  }
}

/// The first PE waits for the second, which keeps all up.
weft::Stuck stuck(const std::string& name) {
  return {
      .error = "deadlock: " + name,
      .causes = {"nobody sends " + name},
      .waits = {{.what = "a wavelet of " + name, .x = 0, .y = 0, .cause = 0, .waits_for = 1},
                {.what = "a microthread of " + name, .x = 1, .y = 1, .cause = 0, .first = true}}};
}

/// Most of it in the first PE; then a wavelet goes from there to the last one.
std::vector<weft::PathPiece> path(const weft::Profile& p) {
  const std::uint64_t begun = p.cycles / 4 * 3;
  const int last = p.width - 1;
  return {{.to = begun, .kind = weft::PathKind::computing},
          {.from = begun,
           .to = p.cycles,
           .kind = weft::PathKind::on_the_way,
           .to_x = last,
           .to_y = last,
           .color = 0}};
}

weft::Profile made_up(int side, int windows, const std::vector<std::string>& colors) {
  const auto n = static_cast<std::size_t>(side);
  const std::size_t pes = n * n;
  weft::Profile p{.width = side,
                  .height = side,
                  .cycles = kWindowCycles * static_cast<std::uint64_t>(windows),
                  .windows = windows,
                  .window_cycles = kWindowCycles};
  p.totals.fill(std::vector<std::uint64_t>(pes));
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> noise(0.985, 1.015);
  std::array<std::vector<std::uint32_t>, weft::kCounts> planes;  // of the present window
  const auto add = [&](Count count, std::size_t pe, double share) {
    const auto value = static_cast<std::uint32_t>(std::min(1.0, share * noise(random)) *
                                                  static_cast<double>(kWindowCycles));
    planes[static_cast<std::size_t>(count)].push_back(value);
    p.totals[static_cast<std::size_t>(count)][pe] += value;
  };
  for (int w = 0; w < windows; ++w) {
    for (std::vector<std::uint32_t>& plane : planes) plane.clear();
    for (std::size_t pe = 0; pe < pes; ++pe) {
      const Shares s = shares_of((static_cast<double>(pe % n) + 0.5) / side,
                                 (static_cast<double>(pe / n) + 0.5) / side, (w + 0.5) / windows);
      const std::array states = {s.computing, s.moving, s.waits_data, s.waits_room};
      for (std::size_t k = 0; k < states.size(); ++k) add(kStates[k], pe, states[k]);
      add(Count::held, pe, s.held);
      for (std::size_t k = 0; k < s.links.size(); ++k)
        add(weft::count_of(static_cast<weft::Port>(k)), pe, s.links[k]);
    }
    for (std::size_t count = 0; count < planes.size(); ++count)
      p.windowed[count].append(planes[count]);
  }
  auto& idle = p.totals[static_cast<std::size_t>(Count::idle)];
  for (std::size_t pe = 0; pe < pes; ++pe) {
    std::uint64_t busy = 0;
    for (const Count state : kStates) busy += p.totals[static_cast<std::size_t>(state)][pe];
    idle[pe] = p.cycles - std::min(p.cycles, busy);
  }
  p.totals[static_cast<std::size_t>(Count::held_room)] = p.counts(Count::held);
  describe(p, colors);
  return p;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("weft-made-up-run FILE SIDE WINDOWS [--stuck] [COLOR ...]\n", stderr);
    return 2;
  }
  std::vector<std::string> colors(argv + 4, argv + argc);
  const bool is_stuck = std::erase(colors, "--stuck") > 0;
  if (colors.empty()) colors = {"rows west", "rows east", "columns south", "columns north"};
  weft::Profile p = made_up(std::stoi(argv[2]), std::stoi(argv[3]), colors);
  if (is_stuck) p.stuck = stuck(colors.front());
  p.path = path(p);
  p.save(argv[1]);
  return 0;
}
