#include "patterns/steps.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "program/pe_impl.hpp"
#include "weft/error.hpp"

namespace weft::patterns {

void check_under_way(PeProgram& pe, const OneAtATime& of) {
  auto& impl = PeProgramAccess::impl(pe);
  const auto last = impl.started.find(of.shared);
  if (last != impl.started.end() && !impl.is_waited_for(last->second))
    throw Error(ErrorCategory::program, fmt::format("{}: another one is under way", of.pattern),
                of.why, "wait for it first");
}

void note_started(PeProgram& pe, const OneAtATime& of, const PeOperation& first) {
  PeProgramAccess::impl(pe).started.insert_or_assign(
      of.shared, PeProgramAccess::started_use(of.pattern, first));
}

void run(PeProgram& pe, const OneAtATime& of, const Steps& steps) {
  if (!steps.empty()) check_under_way(pe, of);
  for (const auto& step : steps) step();
}

std::vector<PeOperation> start(PeProgram& pe, const OneAtATime& of, const Steps& steps) {
  if (steps.empty()) return {};
  check_under_way(pe, of);
  PeOperation first = steps[0]();
  first.async();
  note_started(pe, of, first);
  if (steps.size() > 1)
    PeProgramAccess::follow(pe, first, fmt::format("{}, further steps", of.pattern), [&] {
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
