#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "by_line/lines.hpp"
#include "fabric/path/recorder.hpp"
#include "fabric/stepper/start.hpp"

/// The critical path of a run by line. Within a phase a line shares nothing with the others, so the
/// path stays in one, and leaves it where the phase began for the PE that it has come to: there it
/// goes on in the line that crosses it. So few lines have to be followed:
/// 1. The run tells which line did something last.
/// 2. A fabric beside it comes from the start, by line again, to the phase in which that line did
///    so, and keeps the line as it is there (by_line/line_again.hpp).
/// 3. Kept lines are stepped alone, in the order of their phases, and a recorder follows their
///    events. Of PEs whose lines before were not kept it knows nothing: where the way back comes to
///    such a PE, or to a choice that what it did before decides, the line before is kept too, and
///    so on until nothing is missing.
/// What is recorded is what the plain step emits of these PEs, so the path is the same.
namespace weft::fabric {

/// A line in a phase of a run, by their numbers.
struct LineOfPhase {
  int phase, line;
  auto operator<=>(const LineOfPhase&) const = default;
};

/// The lines that a run by line steps.
class LinesOfPhases : public by_line::Watcher {
 public:
  void begins(const by_line::Phase& phase) override;

  int phases() const { return static_cast<int>(stepped_.size()); }
  /// The line of a PE in the last phase before this one in which it was stepped; none: -1, 0.
  LineOfPhase last_before(int phase, int x, int y) const;

 private:
  struct Stepped {
    bool rows;
    std::vector<bool> lines;
  };
  std::vector<Stepped> stepped_{};
};

/// Watches a run by line, and finds its path then.
class LinePath : public LinesOfPhases {
 public:
  explicit LinePath(const Start& start) : start_(start) {}

  void ended(const by_line::LineGroup& lines, const by_line::LastDone& last) override;

  /// After the run of `stepped`. Throws LinesMet where it cannot be found so, and what `progress`
  /// throws.
  std::unique_ptr<path::Recorder> find(const LaneStepper& stepped,
                                       const engine::RunOptions& options) const;

 private:
  struct Ended {
    int phase;
    by_line::LineGroup lines;
    std::uint64_t other;  ///< as LastDone::other
  };
  std::vector<Ended> ended_{};
  const Start& start_;
};

}  // namespace weft::fabric
