#include "fabric/stepper/distributed_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/bytes.hpp"
#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "by_line/lines.hpp"
#include "fabric/own_rows.hpp"
#include "fabric/stepper/alike.hpp"
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
              "each steps a part of it, on CPUs", remedy);
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
  const std::size_t each_row =
      words_each(where, words.size()) * static_cast<std::size_t>(where.width);
  for (int rank = 0; rank < processes_->size(); ++rank) {
    const engine::Rows strips = share_->rows(rank);
    const int begin = std::max(strips.first * model::kStripHeight, where.y) - where.y;
    const int end = std::min(strips.last * model::kStripHeight, where.y + where.height) - where.y;
    if (begin >= end) continue;
    processes_->broadcast(rank, std::as_writable_bytes(words.subspan(
                                    static_cast<std::size_t>(begin) * each_row,
                                    static_cast<std::size_t>(end - begin) * each_row)));
  }
}

void DistributedStepper::read_own(const Rect& where, std::size_t first,
                                  std::span<std::uint32_t> words) const {
  lanes_->read(where, first, words);
}

void DistributedStepper::activate(const Rect& where, int task) { lanes_->activate(where, task); }

/// run(), the same in all processes; whatever it throws loses the fabric.
template <class F>
engine::RunResult DistributedStepper::noting_loss(std::uint64_t limit, const F& run) {
  if (lost_)
    throw Error(ErrorCategory::usage, "the fabric is lost", *lost_,
                "make it again, in all processes");
  check_run_alike(*processes_, limit, history().cycle);
  try {
    return run();
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

engine::RunResult DistributedStepper::run(const engine::RunOptions& options) {
  engine::RunOptions shared = options;
  shared.share = share_.get();
  return noting_loss(options.limit, [&] { return lanes_->run(shared); });
}

bool DistributedStepper::has_lines() const {
  std::optional<by_line::LineFacts> facts;
  base::in_all(processes_.get(), [&] { facts = by_line::lines_of(lanes_->view()); });
  return exchange_->facts_of_all(facts).has_value();
}

engine::RunResult DistributedStepper::run_by_line(engine::RunOptions options, bool must_pay,
                                                  by_line::Watcher* watcher) {
  exchange_->set_threads(options.threads);
  std::exception_ptr ended;  // the run, but nothing is lost
  engine::RunResult result = noting_loss(options.limit, [&]() -> engine::RunResult {
    try {
      return lanes_->run_by_line(options, must_pay, watcher, exchange_.get());
    } catch (...) {
      if (exchange_->lost()) throw;
      ended = std::current_exception();
      return {};
    }
  });
  if (ended != nullptr) std::rethrow_exception(ended);
  return result;
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
  share_profile(*share_, profile);
  return profile;
}

std::vector<PhaseCounts> DistributedStepper::phases() const {
  std::vector<PhaseCounts> phases = lanes_->phases();
  share_phases(*share_, phases, layout_.width(), layout_.height());
  return phases;
}

PeState DistributedStepper::pe_state(int x, int y) const {
  if (whole_ == nullptr)
    throw Error(ErrorCategory::emulator, "a PE's state is asked for where nobody has collected it",
                "of processes that share a fabric the first one has all PEs, after collect_states",
                "please report it");
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
