#include "cli/engines.hpp"

namespace weft::cli {

std::span<const Engine> engines() {
  static const Engine table[] = {
      {"host", [] { return std::string(); },
       [](const FftPlan& plan, const Volume& input, Direction direction) {
         return plan.run(input, direction);
       }},
  };
  return table;
}

}  // namespace weft::cli
