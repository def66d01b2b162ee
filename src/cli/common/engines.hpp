#pragma once

#include <span>
#include <string>
#include <string_view>

#include "weft/fft.hpp"

namespace weft::cli {

/// One of the engines that step a fabric.
struct EngineRow {
  std::string_view name;
  std::string (*why_absent)();  ///< empty where it can run, otherwise the reason in a few words
  FftRun (*run)(const FftPlan& plan, const Volume& input, FftDirection direction,
                const OnFftProgress& progress);
  bool by_default = true;         ///< of comparisons where nobody names engines
  std::string_view meaning = {};  ///< for --help
};

/// All that Weft has, present or not.
std::span<const EngineRow> engines();

}  // namespace weft::cli
