#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <vector>

#include "by_line/shared_lines.hpp"
#include "engine/rows.hpp"
#include "fabric/build/state.hpp"
#include "weft/processes.hpp"

namespace weft::fabric {

/// The strips that a process has in a run by line: whole rows of them in phases of rows, whole
/// columns in phases of columns.
OwnStrips strips_by_line(const Processes& processes, int rank, int rows, int columns);

/// Moves strips of a State between processes that share a run by line.
class StripExchange : public by_line::SharedLines {
 public:
  /// `s` has the strips of strips_by_line, in a layout with lines; it stays there. The process
  /// leaves those of its columns that are in others' rows.
  StripExchange(State& s, Processes& processes);

  engine::Rows lines(bool rows) const override;

 private:
  /// Strips that go from one process to another, in messages of a few of a row each.
  struct Part {
    static constexpr int kTogether = 16;  ///< chosen: with 48 KiB in a PE, 48 MiB

    engine::Rows rows, columns;

    int of_row() const { return (columns.count() + kTogether - 1) / kTogether; }
    int messages() const { return rows.count() * of_row(); }
    /// The strips of a message, in one row.
    Part of(int message) const {
      const int row = rows.first + message / of_row();
      const int first = columns.first + message % of_row() * kTogether;
      return {{row, row + 1}, {first, std::min(first + kTogether, columns.last)}};
    }
  };
  Part part(int from, int to, bool rows_next) const;
  void move(bool rows_next, by_line::PeTimes& times) override;
  void send(int to, const Part& message, const by_line::PeTimes& times);
  bool receive(int from, const Part& message, by_line::PeTimes& times);
  void move_all(bool rows_next, by_line::PeTimes& times);
  template <class F>
  bool succeeds(const F& work);
  template <class F>
  void for_pes(int row, int column, F f) const;

  State& s_;
  const std::size_t words_;  ///< of a PE's memory that go with it
  std::vector<std::byte> bytes_{};
  std::exception_ptr failed_{};
  bool others_failed_ = false;
};

}  // namespace weft::fabric
