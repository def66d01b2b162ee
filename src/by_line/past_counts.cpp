#include "by_line/past_counts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include "base/pages.hpp"
#include "model/state/counts_state.hpp"

namespace weft::by_line {
namespace {

using model::Counts;
using model::kLanes;
using model::kSeries;

/// Bytes; chosen: less than half of what the PEs of 128 x 128 take.
constexpr std::size_t kMostUnpacked = std::size_t{64} << 20;

/// Chosen: windows are packed by so many. So after they have become twice as long once or twice,
/// each is packed whole or not at all, and packed ones leave only zeros in the rows.
constexpr std::uint32_t kPackedTogether = 4;

using OfWindow = std::array<std::uint32_t, kLanes>;

/// Numbers that come later get room when they come: there are many thousands of these.
void leave_no_room(PackedCounts& counts) {
  PackedCounts copy = counts;
  counts = std::move(copy);
}

/// Windows of a strip from the last one that is packed up to another.
template <class Number>
void pack_windows(PackedCounts& past, Number* rows, std::size_t first, std::size_t end) {
  OfWindow numbers{};
  while (past.size() < first * kLanes) past.append(numbers);  // the series began later
  for (std::size_t window = first; window < end; ++window) {
    std::copy_n(rows + window * kLanes, kLanes, numbers.begin());
    past.append(numbers);
    std::fill_n(rows + window * kLanes, numbers == OfWindow{} ? 0 : kLanes, Number{0});
  }
  leave_no_room(past);
  const auto is_zero = [&](std::size_t window) {
    return std::all_of(rows + window * kLanes, rows + (window + 1) * kLanes,
                       [](Number number) { return number == 0; });
  };
  constexpr std::size_t kPage = 4096 / (kLanes * sizeof(Number));  // windows
  std::size_t begin = first;  // there may be packed ones on the first page
  while (begin > 0 && first - begin < kPage && is_zero(begin - 1)) --begin;
  base::forget(rows + begin * kLanes, (end - begin) * kLanes);
}

void pack_windows(const Counts& c, std::size_t strip, std::uint32_t end) {
  model::StripCounts& s = c.strip[strip];
  for (std::size_t series = 0; series < kSeries; ++series) {
    if ((s.used >> series & 1U) == 0) continue;  // its memory stays untouched
    const std::size_t number = strip * kSeries + series, row = number * c.windows * kLanes;
    if ((s.wide >> series & 1U) != 0) {
      pack_windows(c.past[number], c.wide + row, s.packed, end);
      base::forget(c.narrow + row, std::size_t{c.windows} * kLanes);
    } else {
      pack_windows(c.past[number], c.narrow + row, s.packed, end);
    }
  }
  s.packed = end;
}

/// As Counts::join_past.
void join_past(const Counts& c, int strip) {
  const auto first = static_cast<std::size_t>(strip) * kSeries;
  for (PackedCounts& past : std::span(c.past + first, kSeries)) {
    PackedCounts joined;
    OfWindow one{}, other{};
    for (std::size_t at = 0; at < past.size(); at += 2 * std::size_t{kLanes}) {
      past.read(at, one);
      other = {};
      if (at + kLanes < past.size()) past.read(at + kLanes, other);
      std::ranges::transform(one, other, one.begin(), std::plus());
      joined.append(one);
    }
    leave_no_room(joined);
    past = std::move(joined);
  }
  model::StripCounts& s = c.strip[strip];
  s.packed = (s.packed + 1) / 2;
  const std::size_t half = std::size_t{c.windows} / 2 * kLanes;
  for (std::size_t series = 0; series < kSeries; ++series) {
    if ((s.used >> series & 1U) == 0) continue;
    const std::size_t second = (first + series) * 2 * half + half;
    base::forget(c.narrow + second, half);
    if ((s.wide >> series & 1U) != 0) base::forget(c.wide + second, half);
  }
}

/// The first cycle of each strip that PEs of it may count in.
std::vector<std::uint64_t> first_cycles(const model::View& whole,
                                        const std::vector<std::uint64_t>& known) {
  std::vector<std::uint64_t> first(whole.strip_count(), model::kNever);
  std::size_t pe = 0;
  for (int y = 0; y < whole.height; ++y)
    for (int x = 0; x < whole.width; ++x) {
      std::uint64_t& least =
          first[static_cast<std::size_t>(model::address_of(whole.strips, x, y).strip)];
      least = std::min(least, known[pe++]);
    }
  return first;
}

/// The cycles of a strip's lines of programs, of all phases so far.
void pack_lines(const Counts& c, std::size_t strip) {
  const std::span rows(c.lines + c.first_row[strip], c.lines + c.first_row[strip + 1]);
  if (rows.empty()) return;
  PackedCounts& past = c.past_lines[strip];
  std::vector<std::uint32_t> all(rows.size() * kLanes);
  past.read(0, std::span(all).first(past.size()));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::uint32_t any = 0;
    for (const std::uint32_t cycles : rows[row].at) any |= cycles;
    if (any == 0) continue;  // most lines are of other phases
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      all[row * kLanes + lane] += rows[row].at[lane];
    rows[row] = {};
  }
  past = PackedCounts(all);
  leave_no_room(past);
  base::forget(rows.data(), rows.size());
}

}  // namespace

bool counts_much(const model::View& whole) {
  if (whole.counts == nullptr) return false;
  const Counts& c = *whole.counts;
  const std::size_t strips = whole.strip_count();
  return strips * kSeries * c.windows * kLanes * sizeof(std::uint16_t) +
             c.first_row[strips] * sizeof(model::Vector) >
         kMostUnpacked;
}

void pack_past_windows(const model::View& whole, const std::vector<std::uint64_t>& known) {
  Counts& c = *whole.counts;
  if (c.windows == 0) return;
  c.join_past = &join_past;
  const std::vector<std::uint64_t> first = first_cycles(whole, known);
  for (std::size_t strip = 0; strip < first.size(); ++strip) {
    const model::StripCounts& s = c.strip[strip];
    const std::uint64_t past = std::min<std::uint64_t>(first[strip] >> s.window_bits, c.windows) /
                               kPackedTogether * kPackedTogether;
    if (past > s.packed) pack_windows(c, strip, static_cast<std::uint32_t>(past));
  }
}

void pack_lines_of_programs(const model::View& whole, const LineGroup& given) {
  const int first = given.line[0], last = given.line[static_cast<std::size_t>(given.count) - 1];
  const int north_west = given.rows ? model::address_of(whole.strips, 0, first).strip
                                    : model::address_of(whole.strips, first, 0).strip;
  const int south_east = given.rows ? model::address_of(whole.strips, whole.width - 1, last).strip
                                    : model::address_of(whole.strips, last, whole.height - 1).strip;
  for (int row = north_west / whole.strips; row <= south_east / whole.strips; ++row)
    for (int column = north_west % whole.strips; column <= south_east % whole.strips; ++column)
      pack_lines(*whole.counts,
                 static_cast<std::size_t>(row) * static_cast<std::size_t>(whole.strips) +
                     static_cast<std::size_t>(column));
}

}  // namespace weft::by_line
