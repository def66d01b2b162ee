#include "fabric/stepper/alike.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/digest.hpp"
#include "base/processes.hpp"
#include "engine/rows.hpp"
#include "model/state.hpp"
#include "model/state/counts_state.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::fabric {
namespace {

using base::Digest;

/// All that a process makes a fabric of.
struct Made {
  const Layout& layout;
  const Machine& machine;
  const FabricOptions& options;
};

/// What processes send each other depends on these, too.
void add_build(Digest& digest, const Made& /*made*/) {
  digest.add(std::string_view(version()));
  for (const std::size_t constant :
       {std::size_t{model::kLanes}, std::size_t{model::kStripHeight},
        std::size_t{engine::kMostCycles}, sizeof(model::StripState), sizeof(model::CoreState),
        sizeof(model::ColorState), sizeof(model::SwitchState), sizeof(model::FilterState),
        sizeof(model::PortQueue), sizeof(model::FifoState), sizeof(model::FilterTally),
        sizeof(model::StripCounts), sizeof(model::ColorSums), sizeof(model::StripPhases),
        sizeof(model::PhaseSums), machine_constants().size()})
    digest.add(constant);
}

void add_machine(Digest& digest, const Made& made) {
  for (const MachineConstant& constant : machine_constants())
    digest.add(made.machine.*constant.member);
}

void add_size(Digest& digest, const Made& made) {
  digest.add(made.layout.width());
  digest.add(made.layout.height());
}

void add_symbols(Digest& digest, const Program& program) {
  digest.add(program.symbols.size());
  for (const auto& [name, span] : program.symbols) {
    digest.add(name);
    digest.add(span.address);
    digest.add(span.bytes);
    digest.add(span.type);
    digest.add(span.extents);
  }
  digest.add(program.task_names.size());
  for (const auto& [name, task] : program.task_names) {
    digest.add(name);
    digest.add(task);
  }
}

/// The notes by which memory is read.
void add_notes(Digest& digest, const ProgramNotes& notes) {
  digest.add(notes.prints.size());
  digest.add(notes.roots.size());
  for (const ProgramNotes::RootedLines& lines : notes.roots) {
    digest.add(lines.where);
    digest.add(lines.address);
  }
}

std::uint64_t digest_of(const Program& program) {
  Digest digest;
  digest.add(program.code);
  digest.add(program.data_entry);
  digest.add(program.local_entry);
  digest.add(program.control_entry);
  digest.add(program.high_data);
  digest.add(program.high_local);
  digest.add(program.high_control);
  digest.add(program.started_local);
  digest.add(program.blocked_local);
  digest.add(program.unblocked_colors);
  digest.add(program.memory_bytes);
  digest.add(program.shapes);
  digest.add(program.fifos);
  add_symbols(digest, program);
  add_notes(digest, program.notes);
  return digest.number();
}

void add_programs(Digest& digest, const Made& made) {
  std::map<const Program*, std::uint64_t> known;
  for (const Layout::Placement& placement : made.layout.placements()) {
    digest.add(placement.where);
    const auto [found, is_new] = known.try_emplace(placement.program.get());
    if (is_new) found->second = digest_of(*placement.program);
    digest.add(found->second);
  }
}

void add_route(Digest& digest, const Route& route) {
  digest.add(route.rx);
  digest.add(route.tx);
  digest.add(route.positions);
  digest.add(route.ring);
  digest.add(route.initial);
  digest.add(route.pop);
  digest.add(route.input_queue.value_or(-1));
  digest.add(route.swap_north_south);
  digest.add(route.swap_east_west);
  digest.add(route.teardown);
}

void add_filter(Digest& digest, const CounterFilter& filter) {
  digest.add(std::array{filter.counter, filter.limit1, filter.max_counter});
  digest.add(std::array{filter.count_data, filter.count_control, filter.filter_control});
}
void add_filter(Digest& digest, const SparseCounterFilter& filter) {
  digest.add(std::array{filter.counter, filter.limit1, filter.max_counter});
  digest.add(filter.limit2.has_value());
  digest.add(filter.limit2.value_or(0));
  digest.add(std::array{filter.count_data, filter.count_control});
}
void add_filter(Digest& digest, const RangeFilter& filter) {
  digest.add(filter.min_index);
  digest.add(filter.max_index);
}

void add_colors(Digest& digest, const Made& made) {
  for (const Layout::Routing& routing : made.layout.routings()) {
    digest.add(routing.where);
    digest.add(routing.color);
    add_route(digest, routing.route);
  }
  for (const Layout::Filtering& filtering : made.layout.filterings()) {
    digest.add(filtering.where);
    digest.add(filtering.color);
    digest.add(filtering.filter.index());
    std::visit([&](const auto& filter) { add_filter(digest, filter); }, filtering.filter);
  }
  for (const Layout::HostStream& stream : made.layout.host_streams()) {
    digest.add(stream.name);
    digest.add(stream.where);
  }
  for (const auto& [color, name] : made.layout.color_names()) {
    digest.add(color);
    digest.add(name);
  }
}

/// Processes may have other numbers of threads.
void add_options(Digest& digest, const Made& made) {
  const FabricOptions& o = made.options;
  digest.add(o.engine);
  digest.add(o.data);
  digest.add(o.tally);
  digest.add(o.accelerate);
  digest.add(o.observe.counts);
  digest.add(o.observe.windows);
  digest.add(o.observe.path);
  digest.add(o.observe.events.size());
}

struct Part {
  const char* name;
  void (*add)(Digest& digest, const Made& made);
};

constexpr std::array kParts{
    Part{"version of Weft", add_build},
    Part{"machine profile", add_machine},
    Part{"size", add_size},
    Part{"programs", add_programs},
    Part{"routes, filters or names of colors", add_colors},
    Part{"options", add_options},
};

}  // namespace

void check_alike(const Layout& layout, const Machine& machine, const FabricOptions& options) {
  using Digests = std::array<std::uint64_t, kParts.size()>;
  Digests mine;
  for (std::size_t k = 0; k < kParts.size(); ++k) {
    Digest digest;
    kParts[k].add(digest, {layout, machine, options});
    mine[k] = digest.number();
  }
  const std::vector<Digests> all = base::gathered(*options.processes, mine);
  const auto other = std::ranges::find_if(all, [&](const Digests& d) { return d != all.front(); });
  if (other == all.end()) return;
  std::vector<const char*> differing;
  differing.reserve(kParts.size());
  for (std::size_t k = 0; k < kParts.size(); ++k)
    if ((*other)[k] != all.front()[k]) differing.push_back(kParts[k].name);
  throw Error(ErrorCategory::usage,
              fmt::format("process {} of {} makes another fabric than process 0",
                          other - all.begin(), all.size()),
              fmt::format("it differs in its {}", fmt::join(differing, ", ")),
              "start the same program with the same arguments in all; a mesh that is chosen by "
              "memory is another one on another host");
}

void check_run_alike(Processes& processes, std::uint64_t limit, std::uint64_t cycle) {
  struct Run {
    std::uint64_t limit, cycle;
    bool operator==(const Run&) const = default;
  };
  const std::vector<Run> all = base::gathered(processes, Run{limit, cycle});
  const auto other = std::ranges::find_if(all, [&](const Run& r) { return r != all.front(); });
  if (other == all.end()) return;
  throw Error(ErrorCategory::usage,
              fmt::format("process {} of {} makes another run than process 0", other - all.begin(),
                          all.size()),
              fmt::format("it is at cycle {} and goes to {}, process 0 is at {} and goes to {}",
                          other->cycle, other->limit, all.front().cycle, all.front().limit),
              "make the same calls with the same limits in all processes");
}

}  // namespace weft::fabric
