#include "fabric/stepper/strip_exchange.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/bytes.hpp"
#include "engine/given_up.hpp"
#include "engine/share.hpp"
#include "fabric/stepper/strip_bytes.hpp"
#include "fabric/stepper/strip_counts.hpp"

namespace weft::fabric {
namespace {

/// The last message of a process that has failed: others are longer.
constexpr std::size_t kLastBytes = 1;

std::size_t index_of(const State& s, int row, int column) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(s.strips) +
         static_cast<std::size_t>(column);
}

void leave(State& s, std::size_t strip) {
  leave_counts(s, strip);
  leave_strip(s, strip);
}

}  // namespace

OwnStrips strips_by_line(const Processes& processes, int rank, int rows, int columns) {
  const auto of = [&](bool of_rows, int strips) {
    return engine::rows_of(processes, rank, strips,
                           by_line::strips_together(of_rows, strips, processes.size()));
  };
  return {of(true, rows), of(false, columns)};
}

StripExchange::StripExchange(State& s, Processes& processes)
    : SharedLines(processes), s_(s), words_(words_of_programs(s)) {
  for (int row = 0; row < s.rows; ++row) {
    if (s.own.rows.has(row)) continue;
    for (int column = s.own.columns.first; column < s.own.columns.last; ++column)
      leave(s, index_of(s, row, column));
    for (auto* wakes : {&s.route_row, &s.deliver_row, &s.core_row})
      (*wakes)[static_cast<std::size_t>(row)] = model::kNever;
  }
  s.own.columns = {};
}

engine::Rows StripExchange::lines(bool rows) const {
  const OwnStrips own = strips_by_line(processes(), processes().rank(), s_.rows, s_.strips);
  const engine::Rows strips = rows ? own.rows : own.columns;
  const int each = rows ? model::kStripHeight : model::kStripWidth;
  const int all = rows ? s_.height : s_.width;
  return {std::min(strips.first * each, all), std::min(strips.last * each, all)};
}

StripExchange::Part StripExchange::part(int from, int to, bool rows_next) const {
  const OwnStrips by_rows = strips_by_line(processes(), rows_next ? to : from, s_.rows, s_.strips);
  const OwnStrips by_columns =
      strips_by_line(processes(), rows_next ? from : to, s_.rows, s_.strips);
  return {by_rows.rows, by_columns.columns};
}

/// f(number) for the PEs of a strip that the mesh has, as in PeTimes.
template <class F>
void StripExchange::for_pes(int row, int column, F f) const {
  const int x = column * model::kStripWidth, y = row * model::kStripHeight;
  for (int to = y; to < std::min(y + model::kStripHeight, s_.height); ++to)
    for (int at = x; at < std::min(x + model::kStripWidth, s_.width); ++at)
      f(by_line::number_of_pe(true, s_.width, to, at));
}

void StripExchange::send(int to, const Part& message, const by_line::PeTimes& times) {
  const int row = message.rows.first;
  base::Packer pack(bytes_.size());  // as much as came last
  for (int column = message.columns.first; column < message.columns.last; ++column) {
    const std::size_t strip = index_of(s_, row, column);
    add_strip(s_, strip, pack);
    add_counts(s_, strip, pack);
    add_memory(s_, strip, words_, pack);
    for_pes(row, column, [&](std::size_t pe) {
      pack(times.from[pe]);
      pack(times.stopped[pe]);
    });
  }
  processes().send(to, std::move(pack).bytes());
  for (int column = message.columns.first; column < message.columns.last; ++column) {
    const std::size_t strip = index_of(s_, row, column);
    forget_memory(s_, strip, words_);
    leave(s_, strip);
  }
}

/// Returns whether there are more to come.
bool StripExchange::receive(int from, const Part& message, by_line::PeTimes& times) {
  const int row = message.rows.first;
  processes().receive(from, bytes_);
  if (bytes_.size() == kLastBytes) {
    others_failed_ = true;
    return false;
  }
  if (failed_ != nullptr) return true;
  base::Unpacker unpack(bytes_);
  for (int column = message.columns.first; column < message.columns.last; ++column) {
    const std::size_t strip = index_of(s_, row, column);
    set_strip(s_, strip, unpack);
    set_counts(s_, strip, unpack);
    set_memory(s_, strip, words_, unpack);
    for_pes(row, column, [&](std::size_t pe) {
      unpack(times.from[pe]);
      unpack(times.stopped[pe]);
    });
  }
  return true;
}

/// Notes the first failure. The second one is thrown: nobody can be told.
template <class F>
bool StripExchange::succeeds(const F& work) {
  try {
    work();
    return true;
  } catch (...) {
    if (failed_ != nullptr) throw;
    failed_ = std::current_exception();
    return false;
  }
}

/// Process p sends to p + 1 while it receives from p - 1, and so on: a message each in turn, so
/// that few are under way. One that fails tells those to which it has not sent all, and takes what
/// others send, so that nothing is left over.
void StripExchange::move_all(bool rows_next, by_line::PeTimes& times) {
  const int size = processes().size(), rank = processes().rank();
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size, from = (rank + size - step) % size;
    const Part out = part(rank, to, rows_next), in = part(from, rank, rows_next);
    bool sends = true, receives = true;
    for (int n = 0; n < std::max(out.messages(), in.messages()); ++n) {
      if (sends && n < out.messages()) {
        sends = failed_ == nullptr && succeeds([&] { send(to, out.of(n), times); });
        if (!sends) processes().send(to, std::vector<std::byte>(kLastBytes));
      }
      const auto take = [&] { receives = receive(from, in.of(n), times); };
      if (receives && n < in.messages() && !succeeds(take)) take();  // once more, for nothing
    }
  }
}

void StripExchange::move(bool rows_next, by_line::PeTimes& times) {
  try {
    move_all(rows_next, times);
  } catch (...) {
    others_wait();
    throw;
  }
  if (failed_ != nullptr) std::rethrow_exception(failed_);
  if (others_failed_) throw engine::GivenUp();
}

}  // namespace weft::fabric
