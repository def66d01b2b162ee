#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <span>
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
  /// So many pack and unpack, from now on.
  void set_threads(int threads) { threads_ = std::max(threads, 1); }

 private:
  struct Strip {
    int row, column;
  };
  /// Strips that go from one process to another, in a message each.
  struct Part {
    engine::Rows rows, columns;

    int messages() const { return rows.count() * columns.count(); }
    Strip strip(int message) const {
      return {rows.first + message / columns.count(), columns.first + message % columns.count()};
    }
  };
  Part part(int from, int to, bool rows_next) const;
  void move(bool rows_next, by_line::PeTimes& times) override;
  void move_all(bool rows_next, by_line::PeTimes& times);
  void send(int to, const Part& part, engine::Rows& messages, const by_line::PeTimes& times);
  bool receive(int from, const Part& part, engine::Rows& messages, int told,
               by_line::PeTimes& times);
  template <class F>
  bool succeeds(const F& work);
  template <class F>
  void twice(const F& work);
  template <class F>
  void for_pes(const Strip& strip, F f) const;
  std::vector<std::byte> packed(const Strip& strip, const by_line::PeTimes& times) const;
  void unpack(const Strip& strip, std::span<const std::byte> bytes, by_line::PeTimes& times);

  State& s_;
  const std::size_t words_;  ///< of a PE's memory that go with it
  int threads_ = 1;
  std::vector<std::vector<std::byte>> batch_{};  ///< messages under way here
  std::vector<std::byte> told_{};                ///< an empty message
  std::size_t room_ = 0;                         ///< bytes of a message, about
  std::exception_ptr failed_{};
  bool others_failed_ = false;
};

}  // namespace weft::fabric
