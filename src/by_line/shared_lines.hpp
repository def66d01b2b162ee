#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include "by_line/bundle_state.hpp"
#include "engine/given_up.hpp"
#include "engine/rows.hpp"
#include "weft/processes.hpp"

/// A run by line that several processes share. In phases of rows each steps rows of its own, in
/// phases of columns columns of its own, and nothing goes over. Between two phases, PEs go to the
/// processes that step them next, and all learn how the phase has ended.
namespace weft::by_line {

/// How a phase ended in a process; what ends the run comes later. Of several processes, the last of
/// these is that of all.
enum class PhaseEnd : std::uint32_t {
  whole,
  equal_lines_differed,
  lines_met,
  stopped,  ///< the callback for the progress has thrown
  failed,   ///< something else was thrown
};

/// What a process knows after a phase.
struct PhaseNews {
  PhaseEnd end = PhaseEnd::whole;
  std::uint32_t goes_on = 0;   ///< some PE has stopped: there is another phase
  std::uint64_t wavelets = 0;  ///< of the phase
  std::uint64_t reached = 0;   ///< nothing was stepped at or after this cycle
  /// The cycle after the last in which some line did something, as far as it is known: in the first
  /// phase, whose clock is one, and the ends of tasks. All else was done before `end_within`.
  std::uint64_t task_end = 0, end_within = 0;
};

/// Strips side by side that make a bundle of lines, if there are enough such for all processes;
/// else 1. `strips`: of the mesh, down for rows, across for columns. A process has as many, or
/// several times so many.
int strips_together(bool rows, int strips, int processes);

/// The part of a process. All make the same calls, in the same order.
class SharedLines {
 public:
  explicit SharedLines(Processes& processes) : processes_(processes) {}
  SharedLines(const SharedLines&) = delete;
  SharedLines& operator=(const SharedLines&) = delete;
  virtual ~SharedLines() = default;

  /// The rows that this process steps, or the columns.
  virtual engine::Rows lines(bool rows) const = 0;

  /// Of the whole fabric; `mine`: of this process's strips. None: of some there are none.
  std::optional<LineFacts> facts_of_all(const std::optional<LineFacts>& mine) const;
  /// The callback for the progress: what it throws stops the run of all.
  std::function<void(std::uint64_t)> watched(std::function<void(std::uint64_t)> progress);

  /// work(), unless the run is over. What it throws, all learn when they agree.
  template <class F>
  void guard(const F& work) {
    if (end_ != PhaseEnd::whole) return;
    try {
      work();
    } catch (...) {
      note(std::current_exception());
    }
  }
  /// The news of all processes together. Where the run is over in one of them, all throw: LinesMet
  /// or EqualLinesDiffered; what the callback for the progress has thrown, the others an Error that
  /// names the process; or as engine::throw_failure.
  PhaseNews agree(PhaseNews mine);
  /// PEs go to where they are stepped next, their times too. What fails, all learn when they agree;
  /// where they cannot, it is thrown.
  void exchange(bool rows_next, PeTimes& times) {
    guard([&] { move(rows_next, times); });
    if (others_wait_) std::rethrow_exception(thrown_);
  }
  /// The latest of all processes' cycles.
  std::uint64_t latest(std::uint64_t mine) const;
  /// The bits of all processes, in as many words as the most. Throws as agree.
  void add_bits(std::vector<std::uint64_t>& words);

  /// A process has failed: no other run can follow.
  bool lost() const { return lost_; }

 protected:
  Processes& processes() const { return processes_; }
  /// As exchange. Throws engine::GivenUp where another process fails in it, and what fails here
  /// after it has told all others.
  virtual void move(bool rows_next, PeTimes& times) = 0;
  /// What it throws, the others cannot learn: they wait for its messages.
  void others_wait() { others_wait_ = lost_ = true; }

 private:
  void note(const std::exception_ptr& thrown);

  Processes& processes_;
  bool progress_threw_ = false;
  PhaseEnd end_ = PhaseEnd::whole;
  std::exception_ptr thrown_{};  ///< here
  bool lost_ = false, others_wait_ = false;
};

}  // namespace weft::by_line
