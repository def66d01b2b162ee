#include "fabric/report.hpp"

#include <cstdint>

#include "engine/totals.hpp"
#include "fabric/profile/phases.hpp"

namespace weft::fabric {

FabricCounters counters_of(const Stepper& stepper) {
  const engine::Totals all = stepper.totals();
  return {stepper.history().cycle, all.wavelets, all.hops, all.delivered, all.filtered};
}

RunReport report_of(const Stepper& stepper, int width, int height, const Machine& machine) {
  const RunHistory history = stepper.history();
  RunReport report;
  report.counters = counters_of(stepper);
  report.cycles = report.counters.cycle;
  report.pe_cycles =
      report.cycles * static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  report.time_us = static_cast<double>(report.cycles) * 1e3 / machine.clock_khz;
  report.wall_seconds = history.wall.count();
  report.skipped_cycles = history.skipped;
  report.by_line = history.by_line;
  report.engine = stepper.engine();
  report.phases = phases_of(stepper.phases());
  return report;
}

}  // namespace weft::fabric
