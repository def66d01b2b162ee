#include <fmt/format.h>

#include "fabric/deadlock/report.hpp"
#include "fabric/deadlock/text.hpp"
#include "fabric/faults.hpp"

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

DeadlockError deadlock_error(deadlock::Mesh mesh, std::uint64_t cycle) {
  DeadlockReport report = deadlock_report(std::move(mesh), cycle);
  Fault fault = fault_at(FaultKind::deadlock, cycle);
  if (!report.causes.empty()) {
    const DeadlockCause& first = report.causes.front();
    fault.x = first.stuck.front().x;
    fault.y = first.stuck.front().y;
    fault.color = first.color;
  }
  return {fault, std::move(report)};
}

FaultError limit_error(const deadlock::Mesh& mesh, std::uint64_t limit) {
  const std::vector<DeadlockWait> waits = waits_of(mesh);
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
