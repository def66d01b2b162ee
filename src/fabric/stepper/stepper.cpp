#include "fabric/stepper/stepper.hpp"

#include <algorithm>

#include "fabric/stepper/looks.hpp"

namespace weft::fabric {
namespace {

[[noreturn]] void no_streams() {
  throw Error(ErrorCategory::emulator, "this way of stepping has no host streams",
              "make_stepper should have chosen another one", "please report it");
}

}  // namespace

void Stepper::send(const HostEnd&, std::span<const std::uint32_t>) { no_streams(); }
void Stepper::receive(const HostEnd&, std::span<std::uint32_t>) { no_streams(); }
std::size_t Stepper::host_words(const HostEnd&) const { no_streams(); }

Profile Stepper::profile() const {
  throw Error(ErrorCategory::usage, "the fabric has no profile", "nobody has asked it to count",
              "make it with the option observe.counts");
}

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
