#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/fit.hpp"
#include "io/volume_file.hpp"

namespace weft::test {

/// A whole array made to fit.
inline Volume fit(const Volume& volume, Shape3 shape, io::Fit how, const std::string& source) {
  const FftPart all{shape, 0, {{{0, shape.n0}}}};
  const auto read = [&](std::span<const io::NumberRun> runs) {
    std::vector<std::complex<float>> numbers;
    for (const auto& [first, count, counted] : runs) {
      const auto begin = volume.data.begin() + static_cast<std::ptrdiff_t>(first);
      numbers.insert(numbers.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    }
    return numbers;
  };
  return {shape, io::fit_part(read, volume.shape, all, {}, how, source)};
}

}  // namespace weft::test
