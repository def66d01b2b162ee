#include "cli/common/engines.hpp"

#include <utility>

namespace weft::cli {
namespace {

template <Engine kEngine>
FftRun run_on(const FftPlan& plan, const Volume& input, FftDirection direction,
              const OnFftProgress& progress) {
  FftOptions options = plan.options();
  options.engine = kEngine;
  return FftPlan(plan.shape(), plan.precision(), std::move(options))
      .run(input, direction, progress);
}

template <Engine kEngine>
EngineRow row(bool by_default, std::string_view meaning) {
  return {to_string(kEngine), [] { return weft::why_absent(kEngine); }, run_on<kEngine>, by_default,
          meaning};
}

}  // namespace

std::span<const EngineRow> engines() {
  static const EngineRow table[] = {
      row<Engine::host>(true, "CPU threads"), row<Engine::cuda>(true, "an NVIDIA GPU"),
      row<Engine::reference>(false, "the plain specification, in ten seconds for a side of 32")};
  return table;
}

}  // namespace weft::cli
