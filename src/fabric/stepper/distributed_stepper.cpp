#include "fabric/stepper/distributed_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/bytes.hpp"
#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "by_line/lines.hpp"
#include "fabric/own_rows.hpp"
#include "fabric/stepper/shared_profile.hpp"
#include "fabric/stepper/strip_bytes.hpp"
#include "weft/error.hpp"

namespace weft::fabric {
namespace {

OwnStrips own_strips(const Layout& layout, const Processes& processes, Divided divided) {
  const int rows = model::strips_down(layout.height()),
            columns = model::strips_across(layout.width());
  if (divided == Divided::by_line)
    return strips_by_line(processes, processes.rank(), rows, columns);
  return {.rows = own_strip_rows(processes, processes.rank(), rows, divided != Divided::by_rows)};
}

/// The stepper of the strips of this process.
std::unique_ptr<LaneStepper> make_part(const Layout& layout, const Machine& machine,
                                       const FabricOptions& options, Divided divided) {
  Processes& processes = *options.processes;
  const OwnStrips own = own_strips(layout, processes, divided);
  std::unique_ptr<LaneStepper> lanes;
  base::in_all(&processes, [&] {
    try {
      lanes = std::make_unique<LaneStepper>(layout, machine, options, own);
      if (divided != Divided::by_line) lanes->ask_for_pages();
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCategory::environment,
                  fmt::format("no memory for the part of process {}", processes.rank()),
                  fmt::format("it has {} of {} rows of strips{}", own.rows.count(),
                              model::strips_down(layout.height()),
                              own.columns.empty() ? "" : ", and columns in turn"),
                  "take a smaller mesh, or more hosts");
    }
  });
  return lanes;
}

[[noreturn]] void refuse_to_share(const std::string& what, const std::string& remedy) {
  throw Error(ErrorCategory::usage, "processes that share a fabric have no " + what,
              "each steps a part of it", remedy);
}

/// f(strip) for those of a row.
template <class F>
void for_row(const State& s, int row, F f) {
  const auto strips = static_cast<std::size_t>(s.strips);
  const std::size_t first = strips * static_cast<std::size_t>(row);
  for (std::size_t strip = first; strip < first + strips; ++strip) f(strip);
}

/// `room`: bytes that it probably takes.
std::vector<std::byte> bytes_of_row(const State& s, int row, std::size_t room) {
  base::Packer pack(room);
  for_row(s, row, [&](std::size_t strip) { add_strip(s, strip, pack); });
  return std::move(pack).bytes();
}

void set_row(State& s, int row, std::span<const std::byte> bytes) {
  base::Unpacker unpack(bytes);
  for_row(s, row, [&](std::size_t strip) { set_strip(s, strip, unpack); });
}

}  // namespace

bool is_shared(const Layout& layout, const FabricOptions& options) {
  if (base::process_count(options.processes.get()) == 1) return false;
  if (options.engine == Engine::reference)
    refuse_to_share("engine reference", "take the engine host or cuda, or one process");
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
                                       const FabricOptions& options, Divided divided)
    : processes_(options.processes),
      layout_(layout),
      machine_(machine),
      lanes_(make_part(layout, machine, options, divided)),
      exchange_(divided == Divided::by_line
                    ? std::make_unique<StripExchange>(lanes_->state(), *processes_)
                    : nullptr),
      share_(std::make_unique<engine::Share>(
          lanes_->view(), *processes_,
          rows_together(processes_->size(), lanes_->state().rows, divided != Divided::by_rows))) {}

void DistributedStepper::write(const Rect& where, std::size_t first,
                               std::span<const std::uint32_t> words) {
  lanes_->write(where, first, words);
}

void DistributedStepper::read(const Rect& where, std::size_t first,
                              std::span<std::uint32_t> words) const {
  lanes_->read(where, first, words);
  share_words(*share_, where, words);
}

void DistributedStepper::read_own(const Rect& where, std::size_t first,
                                  std::span<std::uint32_t> words) const {
  lanes_->read(where, first, words);
}

void DistributedStepper::activate(const Rect& where, int task) { lanes_->activate(where, task); }

engine::RunResult DistributedStepper::run(const engine::RunOptions& options) {
  engine::RunOptions shared = options;
  shared.share = share_.get();
  return runs_.make(*processes_, options.limit, history().cycle,
                    [&] { return lanes_->run(shared); });
}

bool DistributedStepper::has_lines() const {
  const auto facts =
      base::in_all(processes_.get(), [&] { return by_line::lines_of(lanes_->view()); });
  return exchange_->facts_of_all(facts).has_value();
}

engine::RunResult DistributedStepper::run_by_line(engine::RunOptions options, bool must_pay,
                                                  by_line::Watcher* watcher) {
  exchange_->set_threads(options.threads);
  std::exception_ptr ended;  // the run, but nothing is lost
  const auto step = [&]() -> engine::RunResult {
    try {
      return lanes_->run_by_line(options, must_pay, watcher, exchange_.get());
    } catch (...) {
      if (exchange_->lost()) throw;
      ended = std::current_exception();
      return {};
    }
  };
  engine::RunResult result = runs_.make(*processes_, options.limit, history().cycle, step);
  if (ended != nullptr) std::rethrow_exception(ended);
  return result;
}

Fault DistributedStepper::first_fault() const {
  return first_of_all(*processes_, lanes_->first_fault());
}

bool DistributedStepper::anything_left() const {
  return share_->latest(lanes_->anything_left() ? 1 : 0) != 0;
}

engine::Totals DistributedStepper::totals() const {
  return sum_of_all(*processes_, lanes_->totals());
}

Profile DistributedStepper::profile() const {
  Profile profile = base::in_all(processes_.get(), [&] { return lanes_->profile(); });
  share_profile(*share_, profile);
  return profile;
}

std::vector<PhaseCounts> DistributedStepper::phases() const {
  auto phases = base::in_all(processes_.get(), [&] { return lanes_->phases(); });
  share_phases(*share_, phases, layout_.width(), layout_.height());
  return phases;
}

PeState DistributedStepper::pe_state(int x, int y) const {
  if (whole_ == nullptr) refuse_uncollected();
  return fabric::pe_state(*whole_, programs_, x, y, lanes_->history().cycle);
}

void DistributedStepper::collect_states() const {
  const bool first = processes_->rank() == 0;
  base::in_all(processes_.get(), [&] {
    if (!first || whole_ != nullptr) return;
    try {
      whole_ = std::make_unique<State>(build(layout_, machine_));
    } catch (const std::bad_alloc&) {
      refuse_to_collect();
    }
    whole_->data = lanes_->state().data;
    whole_->tally = lanes_->state().tally;
    programs_ = facts_of_programs(whole_->code, whole_->programs);
  });
  std::vector<std::byte> bytes, taken;
  for (int rank = 0; rank < processes_->size(); ++rank) {
    const engine::Rows part = share_->rows(rank);
    const bool mine = rank == processes_->rank();
    if (!mine && !first) continue;
    for (int row = part.first; row < part.last; ++row) {  // one at a time is under way
      if (mine) bytes = bytes_of_row(lanes_->state(), row, bytes.size());
      if (mine && !first) {
        processes_->send(0, bytes);
        processes_->receive(0, taken);
        continue;
      }
      if (!mine) {
        processes_->receive(rank, bytes);
        processes_->send(rank, {});
      }
      set_row(*whole_, row, bytes);
    }
  }
}

}  // namespace weft::fabric
