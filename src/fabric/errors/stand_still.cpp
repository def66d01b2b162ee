#include "fabric/errors/stand_still.hpp"

#include <fmt/format.h>

#include "fabric/errors/deadlock/report.hpp"
#include "fabric/errors/deadlock/text.hpp"
#include "fabric/errors/faults.hpp"

namespace weft::fabric {
namespace {

constexpr std::size_t kListed = 8;  // enough to see the pattern, short enough to read

Fault fault_at(FaultKind kind, std::uint64_t cycle) {
  Fault fault;
  fault.kind = kind;
  fault.cycle = cycle;
  return fault;
}

std::string list(const std::vector<DeadlockWait>& waits, const ColorNames& colors) {
  std::string names;
  for (std::size_t i = 0; i < waits.size() && i < kListed; ++i)
    names += (i == 0 ? "" : "; ") + text(waits[i], colors);
  if (waits.size() > kListed) names += fmt::format("; and {} more", waits.size() - kListed);
  return names;
}

ErrorText deadlock_text(const Fault& fault, const DeadlockReport& report) {
  const ColorNames colors =
      report.causes.empty() ? ColorNames{} : report.causes.front().color_names;
  ErrorText words = fault_text(fault, {colors, {}});
  if (report.circling) words.problem = circling_text(report);
  words.reason = report.causes.empty() ? "nothing is found that waits" : first_cause(report);
  words.remedy = report.causes.empty() ? "please report it" : remedy(report.causes.front().kind);
  return words;
}

ErrorText limit_text(const Fault& fault, const std::vector<DeadlockWait>& waits,
                     const ColorNames& colors, const std::string& busy) {
  ErrorText words = fault_text(fault);
  words.reason = waits.empty() ? "cores are busy" : "waiting: " + list(waits, colors);
  if (!busy.empty()) words.reason = busy + "; " + words.reason;
  return words;
}

}  // namespace

Deadlock deadlock_of(deadlock::Mesh mesh, std::uint64_t cycle, const Names& names) {
  DeadlockReport report = deadlock_report(std::move(mesh), cycle, names);
  Fault fault = fault_at(FaultKind::deadlock, cycle);
  if (!report.causes.empty()) {
    const DeadlockCause& first = report.causes.front();
    fault.x = first.stuck.front().x;
    fault.y = first.stuck.front().y;
    fault.color = first.color;
  }
  return {fault, std::move(report)};
}

AtLimit at_limit(const deadlock::Mesh& mesh, std::uint64_t limit, const Names& names) {
  std::vector<DeadlockWait> waits = waits_of(mesh, names);
  Fault fault = fault_at(FaultKind::cycle_limit, limit);
  if (!waits.empty()) {
    fault.x = waits.front().x;
    fault.y = waits.front().y;
    fault.color = waits.front().color;
  }
  return {fault, std::move(waits), busiest(mesh.pes, names)};
}

}  // namespace weft::fabric

namespace weft::inline v0 {

DeadlockError::DeadlockError(const Fault& fault, DeadlockReport report)
    : FaultError(fault, fabric::deadlock_text(fault, report)),
      report_(std::make_shared<const DeadlockReport>(std::move(report))) {}

LimitError::LimitError(const Fault& fault, std::vector<DeadlockWait> waits,
                       const std::map<int, std::string>& color_names, const std::string& busy)
    : FaultError(fault, fabric::limit_text(fault, waits, color_names, busy)),
      waits_(std::make_shared<const std::vector<DeadlockWait>>(std::move(waits))) {}

}  // namespace weft::inline v0
