#pragma once

#include "spec/router.hpp"

/// Filters decide what reaches the core. A filter's settings are its state, too.
namespace weft::spec {

/// Whether the core gets the wavelet; decided before it is counted.
bool accepts(const Filter& filter, const Wavelet& wavelet);
void count(Filter& filter, const Wavelet& wavelet);

/// A counter's register; null: this filter has none.
std::uint32_t* counter(Filter& filter);
std::uint32_t* limit1(Filter& filter);
std::uint32_t* max_counter(Filter& filter);

}  // namespace weft::spec
