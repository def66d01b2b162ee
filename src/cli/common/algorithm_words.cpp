#include "cli/common/algorithm_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weft::cli {

const AlgorithmWords& words_about(FftAlgorithm algorithm) {
  static const std::string powers =
      fmt::format("2^a 3^b 5^c from {} to {}", FftPlan::kLeastSide, FftPlan::kMostSide);
  static const std::string any = fmt::format("sides from 2 to {}", FftPlan::kMostSide);
  static const std::array kAll{
      AlgorithmWords{FftAlgorithm::wsfft, true, false, powers,
                     fmt::format("one to four sides, {} (an only side: to {}), as in --shape "
                                 "64,64,64; --algorithm s3dft takes any three",
                                 powers, FftPlan::kLongest),
                     "published", "published", "by the paper's formulas, for its machine"},
      AlgorithmWords{FftAlgorithm::s3dft, false, true, any,
                     fmt::format("three {}, as in --shape 20,12,30", any), "by formula",
                     "by_formula", "of each step, for the default machine"}};
  return *std::ranges::find(kAll, algorithm, &AlgorithmWords::algorithm);
}

}  // namespace weft::cli
