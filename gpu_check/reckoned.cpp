#include "gpu_check/reckoned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace weft::gpu_check {
namespace {

// Counted: instructions of a warp for a strip-cycle in which its PEs stream both ways (the two
// lanes of a thread are among them), and the shares of strips that are awake in a transpose.
constexpr double kRoute = 2713, kDeliver = 2741, kCore = 3132;
constexpr double kAwakeRoute = 0.9, kAwakeDeliver = 0.9, kAwakeCore = 0.75;
constexpr double kElement = 40;  // of a pencil's arithmetic
// From an instruction to the next of its chain: measured where a tile's state stays in the caches,
// assumed where it does not.
constexpr double kClocks = 12, kClocksMissing = 28;
constexpr double kWait = 1.6e-6;                 // for neighbouring tiles, a cycle
constexpr double kClockHz = 1.98e9;              // of an H200 at work
constexpr int kSchedulers = 4, kMostWarps = 16;  // of a block, which has a multiprocessor
constexpr int kStripWidth = 16;

/// Of a cycle, one row of strips being a block.
struct Work {
  double block;  ///< instructions of all warps
  double chain;  ///< of one warp, each waiting for the one before
};

Work work_of(int n) {
  const int strips = std::max(n / kStripWidth, 1);
  const int of_a_warp = (strips + kMostWarps - 1) / kMostWarps;
  const double all = kRoute + kDeliver + kCore;
  const double awake = kAwakeRoute * kRoute + kAwakeDeliver * kDeliver + kAwakeCore * kCore;
  // With one strip a warp, the block's slowest warp has all to do in nearly every cycle.
  return {strips * awake, of_a_warp * (of_a_warp == 1 ? all : awake)};
}

/// Elements of a PE's three pencils times the instructions for each, for both lanes.
double pencil_chain(int n) {
  const double elements = 6.5 * n * std::log2(n) + 35 * n;
  const int of_a_warp = std::max(n / kStripWidth / kMostWarps, 1);
  return 3 * elements * kElement * 2 * of_a_warp;
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0);
}

}  // namespace

Reckoned reckon(int n) {
  const double cycles = 2.0 * (n * n + 72 * n);  // of both transposes
  const Work work = work_of(n);
  const double pencils = pencil_chain(n);
  const auto chained = [&](double clocks) {
    return (cycles * work.chain + pencils) * clocks / kClockHz + cycles * kWait;
  };
  return {cycles * work.block / kSchedulers / kClockHz, chained(kClocks), chained(kClocksMissing),
          cycles * kWait, work.chain * kClocks / kClockHz + kWait};
}

std::string reckoned_table() {
  struct Row {
    const char* name;
    double Reckoned::*value;
  };
  constexpr Row kRows[] = {{"issue alone", &Reckoned::issue},
                           {"latency of dependent instructions, 12 clocks", &Reckoned::latency},
                           {"the same with caches that miss often, 28 clocks", &Reckoned::missing},
                           {"waiting for neighbours alone", &Reckoned::waiting},
                           {"a cycle of a transpose, by latency", &Reckoned::cycle}};
  constexpr int kSides[] = {64, 128, 256, 512};
  std::string table = "| bound by |", line = "| --- |";
  for (const int n : kSides) {
    table += fmt::format(" {}^3 |", n);
    line += " ---: |";
  }
  table += "\n" + line + "\n";
  for (const Row& row : kRows) {
    table += fmt::format("| {} |", row.name);
    for (const int n : kSides) table += fmt::format(" {} |", time_text(reckon(n).*row.value));
    table += "\n";
  }
  return table;
}

}  // namespace weft::gpu_check
