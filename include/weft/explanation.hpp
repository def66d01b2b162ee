#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/profile.hpp"

/// Why a run took its cycles, from what was counted: as data, and as text.
namespace weft::inline v0 {

/// A lower bound of cycles, and the place that it holds for.
struct Least {
  std::uint64_t cycles = 0;
  int x = 0, y = 0;        ///< the PE
  Port port = Port::ramp;  ///< of links, the way out of it
  bool operator==(const Least&) const = default;
};

/// A phase, or the whole run: what it took, and below what it cannot come.
struct PhaseExplanation {
  std::string name{};      ///< empty: the whole run
  std::uint64_t took = 0;  ///< cycles, of the PE that was in it longest
  Least link{};            ///< the fullest: a wavelet a cycle
  Least core{};            ///< the one that computes and moves most
  Least ramp{};            ///< the fullest, in one of its two directions: a wavelet a cycle
  std::uint64_t way = 0;   ///< cycles of a wavelet along the longest way that was used
  /// Of the cycles of its PEs, from 0 to 1.
  double computing = 0, moving = 0, waits_data = 0, waits_room = 0, idle = 0;
  bool operator==(const PhaseExplanation&) const = default;
};

enum class FindingKind : std::uint8_t {
  computing,         ///< cores compute most of the time
  full_link,         ///< a link is busy most of the time
  shared_ramp,       ///< several colors leave or come by one ramp
  slow_pe,           ///< one PE computes more than the others, which wait for it
  tasks_of_streams,  ///< cores wait at turn-arounds: tasks between the streams
  nothing_overlaps,  ///< each stream waits for the end of the one before
  shallow_queues,    ///< input queues two deep pass two wavelets in three cycles
  idle_at_end,       ///< PEs end one after the other
};

/// "shared ramp", and so on.
std::string_view to_string(FindingKind kind) noexcept;

/// Something that a run's cycles go to.
struct Finding {
  FindingKind kind = FindingKind::computing;
  std::string what{};        ///< a sentence without its end
  std::uint64_t cycles = 0;  ///< that can be saved at most
  double share = 0;          ///< of the run, from 0 to 1
  std::string phase{};       ///< empty: the whole run, or there are none
  int x = -1, y = -1;        ///< a PE to look at; -1: none
  int color = -1;            ///< -1: none
  std::string line{};        ///< of the program: "copy(u, from(halo)) (heat.py:31)"; empty: none
  std::string advice{};      ///< a sentence without its end
  bool operator==(const Finding&) const = default;
};

/// A share of the critical path (Profile::path).
struct PathShare {
  /// The word of a PathKind; or "turn-around": what a core does between the streams of a phase.
  std::string what{};
  std::string phase{};       ///< empty: of all, or there are none
  std::string line{};        ///< of the program; empty: none
  int color = -1;            ///< -1: none
  std::uint64_t cycles = 0;  ///< of the path
  std::uint64_t parts = 0;   ///< without anything else between
  int x = 0, y = 0;          ///< the PE in which most of it was
  bool operator==(const PathShare&) const = default;
};

/// The critical path of a run in shares; all three add up to the run. Those with the most cycles
/// come first; `phases` are in the order that the path comes to them.
struct PathExplanation {
  std::vector<PathShare> kinds{};
  std::vector<PathShare> phases{};  ///< by phase and kind
  std::vector<PathShare> places{};  ///< by kind, and line or color
};

struct Explanation {
  std::uint64_t cycles = 0;
  std::vector<PhaseExplanation> phases{};  ///< the whole run first
  /// With the most cycles first; last the places that are busy most of the time.
  std::vector<Finding> findings{};
  PathExplanation path{};  ///< empty where nobody asked for the path
};

/// Finds where the cycles of a run went. docs/observing.md has the words of each finding.
Explanation explain(const Profile& profile);

/// The same for people, and who waits for whom in a run that stood still.
std::string explanation_text(const Profile& profile);

}  // namespace weft::inline v0
