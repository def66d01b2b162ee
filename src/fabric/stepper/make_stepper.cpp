#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "base/processes.hpp"
#include "fabric/build/state.hpp"
#include "fabric/build/timing.hpp"
#include "fabric/own_rows.hpp"
#include "fabric/stepper/alike.hpp"
#include "fabric/stepper/device_stepper.hpp"
#include "fabric/stepper/distributed_stepper.hpp"
#include "fabric/stepper/first_run_stepper.hpp"
#include "fabric/stepper/lane_stepper.hpp"
#include "fabric/stepper/lines_pay.hpp"
#include "fabric/stepper/lines_stepper.hpp"
#include "fabric/stepper/shared_device_stepper.hpp"
#include "fabric/stepper/start.hpp"
#include "fabric/stepper/stepper.hpp"

namespace weft::fabric {
namespace {

void check_without_data(const Layout& layout, Engine engine) {
  if (engine == Engine::reference)
    throw Error(ErrorCategory::usage, "invalid engine for a run without data: reference",
                "it carries the payload of every wavelet", "emulate with data, or on the host");
  const bool range = std::ranges::any_of(layout.filterings(), [](const Layout::Filtering& f) {
    return std::holds_alternative<RangeFilter>(f.filter);
  });
  if (range)
    throw Error(ErrorCategory::usage, "the layout has range filters, which need data",
                "they choose wavelets by what these carry", "emulate it with data");
}

void check_observation(const Observation& asked, Engine engine) {
  const auto n = static_cast<unsigned>(asked.windows);
  const bool fits = std::has_single_bit(n) && n >= kLeastWindows && n <= kMostWindows;
  if (asked.windows != 0 && !fits)
    throw Error(ErrorCategory::usage, fmt::format("invalid windows of time: {}", asked.windows),
                fmt::format("they are a power of two from {} to {}", kLeastWindows, kMostWindows),
                "take 128, or 0 for totals alone");
  if (asked.windows != 0 && !asked.counts)
    throw Error(ErrorCategory::usage, "windows of time without counts",
                "they divide what is counted", "ask for counts too");
  if (asked.path && !asked.counts)
    throw Error(ErrorCategory::usage, "the critical path without counts",
                "it is a part of the profile, which has what was counted", "ask for counts too");
  if (engine == Engine::cuda && (asked.path || !asked.events.empty()))
    throw Error(
        ErrorCategory::usage,
        asked.path ? "the engine cuda finds no critical path" : "the engine cuda emits no events",
        "only the host's engine and the specification do, the engines host and reference",
        asked.path ? "emulate on the engine host, or without the path"
                   : "emulate on the engine host, or without events");
}

void check_engine(const Layout& layout, const Machine& machine, Engine engine) {
  if (engine == Engine::cuda && machine.die_link_cycles != 0 &&
      has_far_links(machine, layout.width(), layout.height()))
    throw Error(
        ErrorCategory::usage, "the engine cuda has no links that take longer than others",
        fmt::format("machine '{}': die_link_cycles is {}", machine.name, machine.die_link_cycles),
        "emulate on the engine host, or with die_link_cycles 0");
}

/// Of a fabric that processes share. All choose the same.
std::unique_ptr<Stepper> make_shared_stepper(const Layout& layout, const Machine& machine,
                                             const FabricOptions& options,
                                             const ByLineOptions& by_line) {
  Processes& processes = *options.processes;
  if (options.engine == Engine::cuda)
    return std::make_unique<SharedDeviceStepper>(
        layout, machine, options,
        rows_together(processes.size(), model::strips_down(layout.height()),
                      by_line.rows_of_lines));
  const double part =
      static_cast<double>(processes.most_on_a_host()) / static_cast<double>(processes.size());
  const bool may =
      by_line.always || (options.accelerate.by_line && lines_pay(layout, options.data, part));
  const std::vector<std::uint32_t> all = base::gathered(processes, std::uint32_t{may});
  if (std::ranges::find(all, 0U) == all.end()) {
    auto lines = std::make_unique<DistributedStepper>(layout, machine, options, Divided::by_line);
    if (lines->has_lines())
      return std::make_unique<FirstRunStepper>(
          std::move(lines), std::make_unique<Start>(layout, machine, options, by_line),
          by_line.always ? FirstRun::by_line : FirstRun::by_line_if_it_pays);
  }
  return std::make_unique<DistributedStepper>(
      layout, machine, options, by_line.rows_of_lines ? Divided::by_bundles : Divided::by_rows);
}

}  // namespace

std::unique_ptr<LinesStepper> make_lines_stepper(const Layout& layout, const Machine& machine,
                                                 const FabricOptions& options) {
  if (is_shared(layout, options))
    return std::make_unique<DistributedStepper>(layout, machine, options, Divided::by_line);
  return std::make_unique<LaneStepper>(layout, machine, options);
}

std::unique_ptr<Stepper> make_stepper(const Layout& layout, const Machine& machine,
                                      const FabricOptions& options, const ByLineOptions& by_line) {
  const Engine engine = options.engine;
  if (base::process_count(options.processes.get()) > 1) check_alike(layout, machine, options);
  if (!options.data) check_without_data(layout, engine);
  check_observation(options.observe, engine);
  check_engine(layout, machine, engine);
  if (is_shared(layout, options)) return make_shared_stepper(layout, machine, options, by_line);
  if (engine == Engine::reference) {
    build(layout, machine);  // checks them
    return make_spec_stepper(layout, machine, options);
  }
  if (engine == Engine::cuda) return make_device_stepper(layout, machine, options);
  const bool no_streams_or_events = layout.host_streams().empty() && options.observe.events.empty();
  const bool wanted =
      no_streams_or_events &&
      (by_line.always || (options.accelerate.by_line && lines_pay(layout, options.data)));
  FabricOptions first = options;
  if (wanted) first.observe.path = false;  // by line it is found afterwards, from some of the lines
  auto lanes = std::make_unique<LaneStepper>(layout, machine, first);
  const auto first_run = [&](FirstRun way) {
    return std::make_unique<FirstRunStepper>(
        std::move(lanes), std::make_unique<Start>(layout, machine, options, by_line), way,
        options.observe.path);
  };
  if (wanted && lanes->has_lines())  // in this order: that looks at all PEs
    return first_run(by_line.always ? FirstRun::by_line : FirstRun::by_line_if_it_pays);
  if (wanted && options.observe.path) lanes->record_path(layout, machine);
  lanes->ask_for_pages();
  if (no_streams_or_events && !options.observe.path && options.observe.counts &&
      by_line.counting_ahead)
    return first_run(FirstRun::counting_ahead);
  return lanes;
}

}  // namespace weft::fabric
