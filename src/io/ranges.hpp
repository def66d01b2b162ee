#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "io/volume_file.hpp"
#include "weft/fft.hpp"

/// The numbers of an array that have some indices of each axis.
namespace weft::io {

/// Indices of an axis, ascending.
using Ranges = std::vector<FftPart::Range>;
using RangesOfAxes = std::array<Ranges, 3>;

/// Of the one array of a part.
RangesOfAxes ranges_of(const FftPart& part);

std::size_t count_of(const Ranges& ranges);
bool has(const Ranges& ranges, std::size_t index);
/// How many of them come before an index.
std::size_t count_before(const Ranges& ranges, std::size_t index);

/// Those from `first` on and before `last`, less `first`.
Ranges clipped(const Ranges& ranges, std::size_t first, std::size_t last);

/// Of an array of this shape, in C order. Those whose index along `axis` is in one of `others` are
/// not counted.
std::vector<NumberRun> runs_of(const RangesOfAxes& ranges, const Shape3& shape, int axis = 0,
                               const std::vector<Ranges>& others = {});

}  // namespace weft::io
