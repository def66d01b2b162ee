#include "fabric/stepper/strip_exchange.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "base/in_parallel.hpp"
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
void StripExchange::for_pes(const Strip& strip, F f) const {
  const int x = strip.column * model::kStripWidth, y = strip.row * model::kStripHeight;
  for (int to = y; to < std::min(y + model::kStripHeight, s_.height); ++to)
    for (int at = x; at < std::min(x + model::kStripWidth, s_.width); ++at)
      f(by_line::number_of_pe(true, s_.width, to, at));
}

std::vector<std::byte> StripExchange::packed(const Strip& strip,
                                             const by_line::PeTimes& times) const {
  base::Packer pack(room_);
  const std::size_t index = index_of(s_, strip.row, strip.column);
  add_strip(s_, index, pack);
  add_counts(s_, index, pack);
  add_memory(s_, index, words_, pack);
  for_pes(strip, [&](std::size_t pe) {
    pack(times.from[pe]);
    pack(times.stopped[pe]);
  });
  return std::move(pack).bytes();
}

void StripExchange::unpack(const Strip& strip, std::span<const std::byte> bytes,
                           by_line::PeTimes& times) {
  base::Unpacker unpack(bytes);
  const std::size_t index = index_of(s_, strip.row, strip.column);
  set_strip(s_, index, unpack);
  set_counts(s_, index, unpack);
  set_memory(s_, index, words_, unpack);
  for_pes(strip, [&](std::size_t pe) {
    unpack(times.from[pe]);
    unpack(times.stopped[pe]);
  });
}

/// Takes messages out of `messages` as they go.
void StripExchange::send(int to, const Part& part, engine::Rows& messages,
                         const by_line::PeTimes& times) {
  const int first = messages.first;
  const auto count = static_cast<std::size_t>(messages.count());
  const auto strip = [&](std::size_t n) { return part.strip(first + static_cast<int>(n)); };
  base::in_parallel(threads_, count, [&](std::size_t n) { batch_[n] = packed(strip(n), times); });
  room_ = batch_.front().size();
  for (; !messages.empty(); ++messages.first)
    processes().send(to, batch_[static_cast<std::size_t>(messages.first - first)]);
  base::in_parallel(threads_, count, [&](std::size_t n) {
    const std::size_t index = index_of(s_, strip(n).row, strip(n).column);
    forget_memory(s_, index, words_);
    leave(s_, index);
  });
}

/// Takes messages out of `messages` as they come, and tells that of those from `told` on. Returns
/// whether there may be more after these.
bool StripExchange::receive(int from, const Part& part, engine::Rows& messages, int told,
                            by_line::PeTimes& times) {
  const int first = messages.first;
  for (; !messages.empty(); ++messages.first) {
    std::vector<std::byte>& message = batch_[static_cast<std::size_t>(messages.first - first)];
    processes().receive(from, message);
    if (message.size() == kLastBytes) {
      others_failed_ = true;
      return false;
    }
    if (messages.first >= told) twice([&] { processes().send(from, {}); });
  }
  if (failed_ != nullptr) return true;
  base::in_parallel(threads_, static_cast<std::size_t>(messages.last - first), [&](std::size_t n) {
    unpack(part.strip(first + static_cast<int>(n)), batch_[n], times);
  });
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

/// What must be done, as another process waits for it.
template <class F>
void StripExchange::twice(const F& work) {
  if (!succeeds(work)) work();
}

/// Process p sends to p + 1 while it receives from p - 1, and so on: some messages each in turn, so
/// that few are under way. Where p has no more to receive, it waits until each that it sends is
/// taken. One that fails tells those to which it has not sent all, and takes what others send, so
/// that nothing is left over.
void StripExchange::move_all(bool rows_next, by_line::PeTimes& times) {
  const int size = processes().size(), rank = processes().rank();
  batch_.resize(static_cast<std::size_t>(threads_));
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size, from = (rank + size - step) % size;
    const Part out = part(rank, to, rows_next), in = part(from, rank, rows_next);
    const Part in_of_from = part((from + size - step) % size, from, rows_next);
    bool sends = true, receives = true;
    for (int n = 0; n < std::max(out.messages(), in.messages()); n += threads_) {
      int sent = n;
      if (sends && n < out.messages()) {
        engine::Rows some{n, std::min(n + threads_, out.messages())};
        sends = failed_ == nullptr && succeeds([&] { send(to, out, some, times); });
        sent = some.first;
        if (!sends) processes().send(to, std::vector<std::byte>(kLastBytes));
      }
      if (receives && n < in.messages()) {
        engine::Rows some{n, std::min(n + threads_, in.messages())};
        twice([&] { receives = receive(from, in, some, in_of_from.messages(), times); });
      }
      for (int taken = std::max(n, in.messages()); taken < sent; ++taken)
        twice([&] { processes().receive(to, told_); });
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
  batch_ = {};
  if (failed_ != nullptr) std::rethrow_exception(failed_);
  if (others_failed_) throw engine::GivenUp();
}

}  // namespace weft::fabric
