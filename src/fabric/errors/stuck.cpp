#include "fabric/errors/stuck.hpp"

#include <cstddef>

#include "fabric/errors/deadlock/text.hpp"

namespace weft::fabric {
namespace {

StuckWait wait_of(const DeadlockWait& wait, const ColorNames& colors) {
  using What = DeadlockWait::What;
  const bool runs = wait.what == What::core || wait.what == What::microthread;
  return {.what = text(wait, colors),
          .line = runs ? wait.name : "",
          .x = wait.x,
          .y = wait.y,
          .color = wait.color};
}

}  // namespace

Stuck stuck_of(const DeadlockError& error, const ColorNames& colors) {
  Stuck all{.error = error.what()};
  const auto& causes = error.report().causes;
  all.causes.reserve(causes.size());
  for (const DeadlockCause& cause : causes) {
    const auto number = static_cast<std::int32_t>(all.causes.size());
    const std::size_t first = all.waits.size();
    all.causes.push_back(explain(cause));
    for (std::size_t n = 0; n < cause.stuck.size(); ++n) {
      StuckWait wait = wait_of(cause.stuck[n], colors);
      const std::size_t other = cause.stuck[n].waits_for;
      wait.cause = number;
      wait.waits_for = static_cast<std::int32_t>(first + other);
      // Of a circle, each waits for the next one, and all are its cause.
      wait.first = other == n || (cause.kind == DeadlockKind::circular_wait && other <= n);
      all.waits.push_back(std::move(wait));
    }
  }
  return all;
}

Stuck stuck_of(const LimitError& error, const ColorNames& colors) {
  Stuck all{.error = error.what()};
  all.waits.reserve(error.waits().size());
  for (const DeadlockWait& wait : error.waits()) all.waits.push_back(wait_of(wait, colors));
  return all;
}

}  // namespace weft::fabric
