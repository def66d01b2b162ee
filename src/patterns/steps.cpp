#include "patterns/steps.hpp"

#include <cstddef>

#include "program/pe_impl.hpp"

namespace weft::patterns {

void run(const Steps& steps) {
  for (const auto& step : steps) step();
}

std::vector<PeOperation> start(PeProgram& pe, const std::string& pattern, const Steps& steps) {
  if (steps.empty()) return {};
  PeOperation first = steps[0]();
  first.async();
  if (steps.size() > 1)
    PeProgramAccess::follow(pe, first, pattern + ", further steps", [&] {
      PeOperation last = steps[1]();
      for (std::size_t k = 2; k < steps.size(); ++k) {
        pe.wait({last});
        last = steps[k]();
      }
      return last;
    });
  return {first};
}

void start_and_get_back(PeProgram& pe, PeOperation operation) {
  operation.async();
  PeProgramAccess::impl(pe).section().back().returns = true;
}

}  // namespace weft::patterns
