#include "fabric/stepper/stepper.hpp"

#include <algorithm>

#include "fabric/stepper/looks.hpp"

namespace weft::fabric {

engine::RunResult Stepper::run_until_idle(engine::RunOptions options,
                                          const std::function<bool()>& circles) {
  const std::uint64_t limit = options.limit;
  engine::Totals before = totals();
  for (;;) {
    options.limit = std::min(limit, next_look(history().cycle));
    engine::RunResult result = run(options);
    if (result.stop != engine::Stop::limit || result.thrown || result.cycle >= limit) return result;
    const engine::Totals now = totals();
    if (only_routers_moved(before, now) && circles()) return result;
    before = now;
  }
}

}  // namespace weft::fabric
