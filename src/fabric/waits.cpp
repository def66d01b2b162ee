#include <fmt/format.h>

#include "fabric/deadlock/report.hpp"
#include "fabric/deadlock/text.hpp"
#include "fabric/faults.hpp"
#include "model/group.hpp"

namespace weft::fabric {
namespace {

constexpr std::size_t kListed = 8;  // enough to see the pattern, short enough to read

Fault fault_at(FaultKind kind, std::uint64_t cycle) {
  Fault fault;
  fault.kind = kind;
  fault.cycle = cycle;
  return fault;
}

std::string list(const std::vector<DeadlockWait>& waits) {
  std::string names;
  for (std::size_t i = 0; i < waits.size() && i < kListed; ++i)
    names += (i == 0 ? "" : "; ") + text(waits[i]);
  if (waits.size() > kListed) names += fmt::format("; and {} more", waits.size() - kListed);
  return names;
}

}  // namespace

bool anything_left(const State& s) {
  model::Mask left = 0;
  for (std::size_t strip = 0; strip < s.strip_count(); ++strip) {
    if (!s.in_use(strip)) continue;
    const model::CoreState& core = s.core[strip];
    left |= core.running | model::with_microthreads(core);
    for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1)
      left |= core.in[model::lowest(rest)].valid[0];
    for (std::uint32_t rest = s.strip[strip].outputs_held; rest != 0; rest &= rest - 1)
      left |= core.out[model::lowest(rest)].valid[0];
  }
  for (std::size_t n = 0; n < s.port_queues.size(); ++n) left |= s.port_queues[n].valid[0];
  return left != 0;
}

DeadlockError deadlock_error(const State& s, std::uint64_t cycle) {
  DeadlockReport report = deadlock_report(s, cycle);
  Fault fault = fault_at(FaultKind::deadlock, cycle);
  if (!report.causes.empty()) {
    const DeadlockCause& first = report.causes.front();
    fault.x = first.stuck.front().x;
    fault.y = first.stuck.front().y;
    fault.color = first.color;
  }
  return {fault, std::move(report)};
}

FaultError limit_error(const State& s, std::uint64_t limit) {
  const std::vector<DeadlockWait> waits = waits_of(s);
  Fault fault = fault_at(FaultKind::cycle_limit, limit);
  if (!waits.empty()) {
    fault.x = waits.front().x;
    fault.y = waits.front().y;
    fault.color = waits.front().color;
  }
  return {fault, fmt::format("the run is not done at cycle {} ({}); give it a higher limit if it "
                             "still makes progress",
                             limit, waits.empty() ? "cores are busy" : "waiting: " + list(waits))};
}

}  // namespace weft::fabric
