#include "spec/filter.hpp"

namespace weft::spec {
namespace {

/// Data or control wavelets are counted, if they are; what is not counted passes.
template <class Counter>
bool counts(const Counter& filter, const Wavelet& wavelet) {
  return wavelet.control ? filter.count_control : filter.count_data;
}

template <class Counter>
bool in_window(const Counter& filter, const Wavelet& wavelet) {
  return !counts(filter, wavelet) || filter.counter <= filter.max_counter;
}

bool accepts_one(const CounterFilter& filter, const Wavelet& wavelet) {
  if (filter.filter_control) return wavelet.control && filter.counter == filter.max_counter;
  return in_window(filter, wavelet);
}

bool accepts_one(const SparseCounterFilter& filter, const Wavelet& wavelet) {
  return in_window(filter, wavelet);
}

bool accepts_one(const RangeFilter& filter, const Wavelet& wavelet) {
  const std::uint32_t index = wavelet.payload >> 16U;
  return wavelet.control || (filter.min_index <= index && index <= filter.max_index);
}

void count_one(CounterFilter& filter, const Wavelet& wavelet) {
  if (!counts(filter, wavelet)) return;
  filter.counter = filter.counter == filter.limit1 ? 0 : filter.counter + 1;
}

void count_one(SparseCounterFilter& filter, const Wavelet& wavelet) {
  if (!counts(filter, wavelet)) return;
  if (filter.counter != filter.limit1) {
    ++filter.counter;
  } else if (filter.limit2) {
    filter.limit1 = *filter.limit2;
    filter.limit2.reset();
    filter.counter = 0;
  } else {  // off: counts nothing, so everything passes
    filter.count_data = filter.count_control = false;
  }
}

void count_one(RangeFilter&, const Wavelet&) {}

template <class Member>
std::uint32_t* member(Filter& filter, Member of) {
  return std::visit(
      [&](auto& f) -> std::uint32_t* {
        if constexpr (requires { f.counter; })
          return &of(f);
        else
          return nullptr;
      },
      filter);
}

}  // namespace

bool accepts(const Filter& filter, const Wavelet& wavelet) {
  return std::visit([&](const auto& f) { return accepts_one(f, wavelet); }, filter);
}

void count(Filter& filter, const Wavelet& wavelet) {
  std::visit([&](auto& f) { count_one(f, wavelet); }, filter);
}

std::uint32_t* counter(Filter& filter) {
  return member(
      filter, [](auto& f) -> auto& { return f.counter; });
}
std::uint32_t* limit1(Filter& filter) {
  return member(
      filter, [](auto& f) -> auto& { return f.limit1; });
}
std::uint32_t* max_counter(Filter& filter) {
  return member(
      filter, [](auto& f) -> auto& { return f.max_counter; });
}

}  // namespace weft::spec
