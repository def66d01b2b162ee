#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/explanation.hpp"

namespace weft::fabric {

/// A phase of a run, or the whole, as findings look at it.
struct Part {
  const Profile& profile;
  const std::array<std::vector<std::uint64_t>, kCounts>& counts;  ///< by PE
  int phase = -1;                                                 ///< of the profile; -1: the whole
  PhaseExplanation explained{};

  const std::vector<std::uint64_t>& of(Count count) const {
    return counts[static_cast<std::size_t>(count)];
  }
  std::size_t pes() const { return counts.front().size(); }
  std::string name() const { return explained.name; }
  /// The most of a link, a ramp and a core's instructions, and the longest way: streams that run at
  /// the same time take no less.
  std::uint64_t least_of_streams() const;
  /// Of its PEs' cycles, those in which a task holds its core while a stream runs.
  double share_in_streams() const;
  /// Cycles of the program's lines in it, by line: those of a task that holds its core.
  struct Line {
    std::string text;
    std::uint64_t cycles = 0;
    int x = 0, y = 0;  ///< the PE that had most of them, in the whole run
  };
  /// Those with the most cycles first.
  std::vector<Line> lines() const;
  /// The text of the first one, if it has a tenth of the computing; else empty.
  std::string busiest_line() const;
};

/// "copy(u, from(halo)) (heat.py:31)"; of a program without words, its instruction.
std::string text_of(const ProgramCounts& program, const LineCounts& line);

/// The whole run, then its phases.
std::vector<Part> parts_of(const Profile& profile);

inline double share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}
std::uint64_t sum(const std::vector<std::uint64_t>& values);
/// The first place of the largest value; there is one.
std::size_t largest(const std::vector<std::uint64_t>& values);

}  // namespace weft::fabric
