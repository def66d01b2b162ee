#include "evaluation/runs.hpp"

#include <fmt/format.h>

#include "fft/wsfft/pencil.hpp"

namespace weft::evaluation {

Run cube_run(int n, int p, FftPrecision precision, FftDirection direction) {
  const auto side = static_cast<std::size_t>(n);
  return {Run::Kind::transform, {side, side, side}, {p, p}, precision, direction, p < n};
}

std::vector<int> powers(int first, int last) {
  std::vector<int> all;
  for (int n = first; n <= last; n *= 2) all.push_back(n);
  return all;
}

std::vector<Run> all_of(const std::vector<std::vector<Run>>& lists) {
  std::vector<Run> all;
  for (const std::vector<Run>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::string text_of(FftPrecision precision) { return std::string(to_string(precision)); }

std::string title_of(FftPrecision precision, std::string_view of) {
  return fmt::format("{} {}", precision == FftPrecision::fp16 ? "FP16" : "FP32", of);
}

double wavelets_of(FftPrecision precision) { return wsfft::Numbers{precision}.words(); }

}  // namespace weft::evaluation
