#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/run.hpp"

/// Runs and words that evaluations share.
namespace weft::evaluation {

inline constexpr FftPrecision kPrecisions[] = {FftPrecision::fp16, FftPrecision::fp32};

/// n^3 numbers on p x p PEs. PEs get the memory that it takes.
Run cube_run(int n, int p, FftPrecision precision, FftDirection direction = FftDirection::forward);

/// Powers of two.
std::vector<int> powers(int first, int last);

std::vector<Run> all_of(const std::vector<std::vector<Run>>& lists);

/// "fp16"
std::string text_of(FftPrecision precision);
/// "FP16 Weft": the title of a series.
std::string title_of(FftPrecision precision, std::string_view of);

/// Of a number.
double wavelets_of(FftPrecision precision);

}  // namespace weft::evaluation
