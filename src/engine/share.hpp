#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "engine/clock.hpp"
#include "engine/cut.hpp"
#include "engine/rows.hpp"
#include "engine/wire.hpp"
#include "model/state.hpp"
#include "weft/processes.hpp"

namespace weft::engine {

/// The rows of strips that a process has, of a fabric of so many: neighbours. `together`: so many,
/// from the first one on, are in one process.
inline Rows rows_of(int processes, int rank, int rows, int together = 1) {
  const Rows part = part_of({0, (rows + together - 1) / together}, rank, processes);
  return {part.first * together, std::min(part.last * together, rows)};
}
inline Rows rows_of(const Processes& processes, int rank, int rows, int together = 1) {
  return rows_of(processes.size(), rank, rows, together);
}

/// All that processes tell each other between two blocks.
struct BlockNews {
  BlockFacts facts;
  std::uint32_t stop = 0;    ///< how many processes' progress callback threw
  std::uint32_t failed = 0;  ///< how many have given up the run, as another exception was thrown
};

/// A process's part of a fabric, and how it steps together with the others.
class Share {
 public:
  /// `view`: of the whole fabric's rows; it holds the process's own, and one row more beyond each
  /// cut. Each process has a row at least. `together`: as for rows_of.
  Share(const model::View& view, Processes& processes, int together = 1);
  /// Of so many rows of strips that are not stepped as such: without cuts.
  Share(int all_rows, Processes& processes, int together = 1);
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  Rows rows() const { return rows_; }
  Rows rows(int rank) const { return rows_of(processes_, rank, all_rows_, together_); }
  Processes& processes() const { return processes_; }
  Cuts cuts();
  /// To the processes beside this one; null: there is none.
  Wire* north() { return to_north_ ? &*to_north_ : nullptr; }
  Wire* south() { return to_south_ ? &*to_south_ : nullptr; }

  /// The news of all processes as one. `wakes`: by row, when the process's rows have work;
  /// empty: never.
  BlockNews exchange(const BlockNews& mine, std::span<const std::uint64_t> wakes);
  /// Writes when others' rows have work, of those that may come over a cut in a block: as they have
  /// announced last.
  void add_others(std::span<std::uint64_t> wakes) const;

  /// The first process whose progress callback threw, as they have announced last.
  int stopped_by() const;

  /// The end of a run that some process has given up: all call it, and throw as throw_failure.
  /// `announced`: by the last exchange all know that the run is given up. If others cannot be
  /// reached, it throws the exception itself.
  [[noreturn]] void end_given_up(const std::exception_ptr& mine, bool announced);

  /// The latest of all processes' cycles.
  std::uint64_t latest(std::uint64_t mine);

 private:
  struct Announced {
    BlockNews news;
    std::uint64_t first[kFar], last[kFar];  ///< wakes of rows, from the outer ones inwards
  };

  Processes& processes_;
  const int all_rows_, together_;
  const Rows rows_;
  std::optional<Wire> to_north_{}, to_south_{};
  std::optional<Cut> north_{}, south_{};
  std::vector<Announced> announced_;  ///< by process
};

}  // namespace weft::engine
