#pragma once

#include "pe/state.hpp"

/// Filters on the way from router to core.
namespace weft::pe {

WEFT_HD std::uint32_t counter_of(const Filter& f) { return f.base + f.loaded - f.left; }

WEFT_HD bool counts(const FilterCounts& f, bool control) {
  return control ? f.count_control : f.count_data;
}

WEFT_HD bool refuses_data(const Filter& f) {
  return f.filter_control || (f.count_data && counter_of(f) > f.max_counter);
}

/// Starts a stretch of at most 65,535 counted wavelets in which the filter neither opens, shuts nor
/// wraps. It ends where the counter reaches limit1, passes max_counter or overflows; at limit1 it
/// is one wavelet long.
WEFT_HD void load(Filter& f, std::uint32_t base) {
  std::uint32_t most = 0xffffU;
  const auto up_to = [&](std::uint32_t steps) {
    if (steps != 0 && steps < most) most = steps;
  };
  if (base == f.limit1) up_to(1);
  up_to(f.limit1 - base);  // modulo 2^32: it may be past limit1
  up_to(base <= f.max_counter ? f.max_counter + 1U - base : 0U - base);
  f.base = base;
  f.loaded = f.left = static_cast<std::uint16_t>(most);
}

/// A filter that counted its last wavelet.
WEFT_HD void renew(Filter& f) {
  if (f.base != f.limit1) return load(f, counter_of(f));
  if (f.kind == Filter::Kind::counter) return load(f, 0);
  if (f.has_limit2) {
    f.limit1 = f.limit2;
    f.has_limit2 = false;
    return load(f, 0);
  }
  f.count_data = f.count_control = false;  // off
  load(f, f.base);
}

WEFT_HD bool accepts_control(const Filter& f) {
  if (f.kind == Filter::Kind::range) return true;
  if (f.filter_control) return counter_of(f) == f.max_counter;
  return !f.count_control || counter_of(f) <= f.max_counter;
}

WEFT_HD bool accepts_data(const Filter& f, std::uint32_t payload) {
  if (f.kind != Filter::Kind::range) return !refuses_data(f);
  const std::uint32_t index = payload >> 16U;
  return f.limit1 <= index && index <= f.max_counter;
}

/// A wavelet has passed on its way to the ramp. `now`: the filter's counts, which are stored.
/// Returns whether the filter may decide otherwise now.
WEFT_HD bool count_passed(Filter& f, FilterCounts now, bool control) {
  const bool last = counts(now, control) && --now.left == 0;
  static_cast<FilterCounts&>(f) = now;
  if (last) renew(f);
  return last;
}

enum class FilterRegister : std::uint8_t { counter, limit1, max_counter };

WEFT_HD void write_register(Filter& f, FilterRegister which, std::uint32_t value) {
  std::uint32_t counter = counter_of(f);
  if (which == FilterRegister::counter) counter = value;
  if (which == FilterRegister::limit1) f.limit1 = value;
  if (which == FilterRegister::max_counter) f.max_counter = value;
  load(f, counter);
}

/// The core writes a register of a filter. Returns whether it may. (A counter past limit1 is set
/// all the same.)
template <class S>
WEFT_HD_RARE bool write_filter(Cell<S> cell, FilterRegister which, int real_color,
                               std::uint32_t value) {
  const Pe<S> pe = pe_of(cell);
  const std::uint8_t color = pe.rules().number[real_color];
  if (color == kNone || (pe.router().marked(Mark::filtered) >> color & 1U) == 0) return false;
  Filter& f = pe.far().filter[color];
  if (f.kind == Filter::Kind::range) return false;
  write_register(f, which, value);
  pe.router().mark(Mark::shut, color, refuses_data(f));
  return which != FilterRegister::counter || value <= f.limit1;
}

}  // namespace weft::pe
