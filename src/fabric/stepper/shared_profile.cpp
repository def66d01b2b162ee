#include "fabric/stepper/shared_profile.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/processes.hpp"
#include "engine/share.hpp"
#include "model/lanes/lanes.hpp"

namespace weft::fabric {
namespace {

/// The PEs of each process, by number, row by row.
class PesByProcess {
 public:
  PesByProcess(const engine::Share& parts, int width, int height)
      : parts_(parts),
        width_(static_cast<std::size_t>(width)),
        height_(static_cast<std::size_t>(height)) {}

  /// Of numbers by PE, perhaps several times as many: all processes take from each those of its
  /// PEs.
  template <class Number>
  void share(std::vector<Number>& numbers) const {
    const std::size_t pes = width_ * height_;
    Processes& processes = parts_.processes();
    for (int rank = 0; rank < processes.size(); ++rank) {
      const auto [first, last] = pes_of(rank);
      std::vector<Number> part;
      part.reserve(numbers.size() / pes * (last - first));
      for (std::size_t at = 0; at < numbers.size(); at += pes) {
        const auto from = std::span(numbers).subspan(at + first, last - first);
        part.insert(part.end(), from.begin(), from.end());
      }
      if (part.empty()) continue;
      processes.broadcast(rank, std::as_writable_bytes(std::span(part)));
      auto taken = part.begin();
      for (std::size_t at = 0; at < numbers.size(); at += pes, taken += difference(last - first))
        std::copy_n(taken, last - first, numbers.begin() + difference(at + first));
    }
  }

 private:
  struct Range {
    std::size_t first, last;
  };

  static std::ptrdiff_t difference(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

  Range pes_of(int rank) const {
    const engine::Rows strips = parts_.rows(rank);
    const auto row = [&](int strip) {
      return std::min(static_cast<std::size_t>(strip) * model::kStripHeight, height_);
    };
    return {row(strips.first) * width_, row(strips.last) * width_};
  }

  const engine::Share& parts_;
  const std::size_t width_, height_;
};

/// The colors that some process has routes of.
void share_colors(Processes& processes, const PesByProcess& parts, Profile& p) {
  std::uint32_t routed = 0;
  for (const ColorCounts& color : p.colors) routed |= 1U << color.color;
  for (const std::uint32_t theirs : base::gathered(processes, routed)) routed |= theirs;
  const std::size_t pes = p.totals.front().size();
  std::vector<ColorCounts> all;
  all.reserve(kColors);
  for (int color = 0; color < kColors; ++color) {
    if ((routed >> color & 1U) == 0) continue;
    const auto known = std::ranges::find(p.colors, color, &ColorCounts::color);
    ColorCounts& counts =
        all.emplace_back(known != p.colors.end() ? std::move(*known) : ColorCounts{.color = color});
    counts.held.resize(pes);
    parts.share(counts.held);
    for (auto& each : counts.wavelets) {
      each.resize(pes);
      parts.share(each);
    }
  }
  p.colors = std::move(all);
}

void share_windows(const PesByProcess& parts, Profile& p) {
  std::vector<std::uint32_t> window(p.totals.front().size());
  for (PackedCounts& counts : p.windowed) {
    PackedCounts all;
    for (std::size_t first = 0; first < counts.size(); first += window.size()) {
      counts.read(first, window);
      parts.share(window);
      all.append(window);
    }
    counts = std::move(all);
  }
}

/// f(line) for all lines of programs, or f(instruction).
template <class F>
void for_lines(std::vector<ProgramCounts>& programs, F f) {
  for (ProgramCounts& program : programs) std::ranges::for_each(program.lines, f);
}
template <class F>
void for_code(std::vector<ProgramCounts>& programs, F f) {
  for (ProgramCounts& program : programs) std::ranges::for_each(program.code, f);
}

/// The cycles of instructions are those of all processes together.
void share_code(Processes& processes, std::vector<ProgramCounts>& programs) {
  std::vector<std::uint64_t> mine;
  for_code(programs, [&](const CodeCounts& code) { mine.push_back(code.cycles); });
  const std::vector<std::uint64_t> all = base::gathered(processes, mine);
  std::size_t n = 0;
  for_code(programs, [&](CodeCounts& code) {
    code.cycles = 0;
    for (std::size_t at = n++; at < all.size(); at += mine.size()) code.cycles += all[at];
  });
}

/// Those of lines, too; of PEs that have the most, the first one is that of the first process.
void share_lines(Processes& processes, std::vector<ProgramCounts>& programs) {
  struct Line {
    std::uint64_t cycles, most;
    int x, y;
  };
  std::vector<Line> mine;
  for_lines(programs, [&](const LineCounts& line) {
    mine.push_back({line.cycles, line.most, line.x, line.y});
  });
  const std::vector<Line> all = base::gathered(processes, mine);
  std::size_t n = 0;
  for_lines(programs, [&](LineCounts& line) {
    Line sum{};
    for (std::size_t at = n++; at < all.size(); at += mine.size()) {
      const std::uint64_t cycles = sum.cycles + all[at].cycles;
      if (all[at].most > sum.most) sum = all[at];
      sum.cycles = cycles;
    }
    line.cycles = sum.cycles;
    line.most = sum.most;
    line.x = sum.x;
    line.y = sum.y;
  });
}

}  // namespace

void share_phases(const engine::Share& share, std::vector<PhaseCounts>& phases, int width,
                  int height) {
  const PesByProcess parts(share, width, height);
  for (PhaseCounts& phase : phases) {
    parts.share(phase.first);
    parts.share(phase.last);
    for (auto& counts : phase.counts) parts.share(counts);
  }
}

void share_profile(const engine::Share& share, Profile& profile) {
  Processes& processes = share.processes();
  const PesByProcess parts(share, profile.width, profile.height);
  share_colors(processes, parts, profile);
  for (auto& total : profile.totals) parts.share(total);
  share_windows(parts, profile);
  share_lines(processes, profile.programs);
  share_code(processes, profile.programs);
  share_phases(share, profile.phases, profile.width, profile.height);
}

}  // namespace weft::fabric
