#include "fabric/stepper/distributed_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string>
#include <tuple>

#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "fabric/stepper/alike.hpp"
#include "fabric/stepper/shared_profile.hpp"
#include "fabric/stepper/strip_bytes.hpp"
#include "weft/error.hpp"

namespace weft::fabric {
namespace {

/// The stepper of the rows of this process.
std::unique_ptr<LaneStepper> make_part(const Layout& layout, const Machine& machine,
                                       const FabricOptions& options) {
  Processes& processes = *options.processes;
  const engine::Rows rows =
      engine::rows_of(processes, processes.rank(), model::strips_down(layout.height()));
  std::unique_ptr<LaneStepper> lanes;
  base::in_all(&processes, [&] {
    try {
      lanes = std::make_unique<LaneStepper>(layout, machine, options, rows);
      lanes->ask_for_pages();
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCategory::environment,
                  fmt::format("no memory for the part of process {}", processes.rank()),
                  fmt::format("it has rows {} to {} of {} rows of strips", rows.first,
                              rows.last - 1, model::strips_down(layout.height())),
                  "take a smaller mesh, or more hosts");
    }
  });
  return lanes;
}

[[noreturn]] void refuse_to_share(const std::string& what, const std::string& remedy) {
  throw Error(ErrorCategory::usage, "processes that share a fabric have no " + what,
              "each steps a part of it by the plain step, on CPUs", remedy);
}

}  // namespace

bool is_shared(const Layout& layout, const FabricOptions& options) {
  if (base::process_count(options.processes.get()) == 1) return false;
  if (options.engine != Engine::host && options.engine != Engine::automatic)
    refuse_to_share("other engine than host", "take the engine host, or one process");
  if (!layout.host_streams().empty())
    refuse_to_share("host streams", "write the input before the run, or take one process");
  if (options.observe.path || !options.observe.events.empty())
    refuse_to_share("critical path or events", "leave them out, or take one process");
  const int rows = model::strips_down(layout.height());
  if (options.processes->size() > rows)
    throw Error(ErrorCategory::usage,
                fmt::format("{} processes are too many for this fabric", options.processes->size()),
                fmt::format("they share its {} rows of PEs, four together", layout.height()),
                fmt::format("take at most {}, or a larger mesh", rows));
  return true;
}

DistributedStepper::DistributedStepper(const Layout& layout, const Machine& machine,
                                       const FabricOptions& options)
    : processes_(options.processes),
      layout_(layout),
      machine_(machine),
      lanes_(make_part(layout, machine, options)),
      share_(std::make_unique<engine::Share>(lanes_->view(), *processes_)) {}

void DistributedStepper::write(const Rect& where, std::size_t first,
                               std::span<const std::uint32_t> words) {
  lanes_->write(where, first, words);
}

void DistributedStepper::read(const Rect& where, std::size_t first,
                              std::span<std::uint32_t> words) const {
  lanes_->read(where, first, words);
  const std::size_t each_row =
      words_each(where, words.size()) * static_cast<std::size_t>(where.width);
  for (int rank = 0; rank < processes_->size(); ++rank) {
    const engine::Rows strips = engine::rows_of(*processes_, rank, lanes_->state().rows);
    const int begin = std::max(strips.first * model::kStripHeight, where.y) - where.y;
    const int end = std::min(strips.last * model::kStripHeight, where.y + where.height) - where.y;
    if (begin >= end) continue;
    processes_->broadcast(rank, std::as_writable_bytes(words.subspan(
                                    static_cast<std::size_t>(begin) * each_row,
                                    static_cast<std::size_t>(end - begin) * each_row)));
  }
}

void DistributedStepper::activate(const Rect& where, int task) { lanes_->activate(where, task); }

engine::RunResult DistributedStepper::run(const engine::RunOptions& options) {
  if (lost_)
    throw Error(ErrorCategory::usage, "the fabric is lost", *lost_,
                "make it again, in all processes");
  check_run_alike(*processes_, options.limit, history().cycle);
  engine::RunOptions shared = options;
  shared.share = share_.get();
  try {
    return lanes_->run(shared);
  } catch (const Error& error) {
    lost_ = error.problem();
    throw;
  } catch (const std::exception& error) {
    lost_ = error.what();
    throw;
  } catch (...) {
    lost_ = "a run has ended by an exception";
    throw;
  }
}

Fault DistributedStepper::first_fault() const {
  const std::vector<Fault> all = base::gathered(*processes_, lanes_->first_fault());
  return *std::ranges::min_element(all, {}, [](const Fault& fault) {
    return std::tuple(fault.kind == FaultKind::none, fault.cycle, fault.y, fault.x);
  });
}

bool DistributedStepper::anything_left() const {
  return share_->latest(lanes_->anything_left() ? 1 : 0) != 0;
}

engine::Totals DistributedStepper::totals() const {
  engine::Totals all;
  for (const engine::Totals& one : base::gathered(*processes_, lanes_->totals())) all.add(one);
  return all;
}

Profile DistributedStepper::profile() const {
  Profile profile = lanes_->profile();
  share_profile(*processes_, profile);
  return profile;
}

std::vector<PhaseCounts> DistributedStepper::phases() const {
  std::vector<PhaseCounts> phases = lanes_->phases();
  share_phases(*processes_, phases, layout_.width(), layout_.height());
  return phases;
}

PeState DistributedStepper::pe_state(int x, int y) const {
  return fabric::pe_state(*whole_, programs_, x, y, lanes_->history().cycle);
}

void DistributedStepper::collect_states() const {
  const bool first = processes_->rank() == 0;
  base::in_all(processes_.get(), [&] {
    if (!first || whole_ != nullptr) return;
    try {
      whole_ = std::make_unique<State>(build(layout_, machine_));
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCategory::environment, "no memory to look at all PEs",
                  "process 0 looks at them: a run has ended, and something is left to do",
                  "start process 0 on a host with more memory, or take a smaller mesh");
    }
    whole_->data = lanes_->state().data;
    whole_->tally = lanes_->state().tally;
    programs_ = facts_of_programs(whole_->code, whole_->programs);
  });
  const int rows = lanes_->state().rows;
  std::vector<std::byte> bytes, taken;
  for (int rank = 0; rank < processes_->size(); ++rank) {
    const engine::Rows part = engine::rows_of(*processes_, rank, rows);
    const bool mine = rank == processes_->rank();
    if (!mine && !first) continue;
    for (int row = part.first; row < part.last; ++row) {  // one at a time is under way
      if (mine) bytes = bytes_of_strips(lanes_->state(), {row, row + 1});
      if (mine && !first) {
        processes_->send(0, bytes);
        processes_->receive(0, taken);
        continue;
      }
      if (!mine) {
        processes_->receive(rank, bytes);
        processes_->send(rank, {});
      }
      set_strips(*whole_, {row, row + 1}, bytes);
    }
  }
}

}  // namespace weft::fabric
