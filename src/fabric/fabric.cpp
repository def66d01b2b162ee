#include "weft/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "fabric/faults.hpp"
#include "fabric/stepper.hpp"
#include "model/state.hpp"

namespace weft::inline v0 {
namespace {

/// The memory of the PEs of a mesh.
struct Memory {
  int width, height;
  std::size_t words;  ///< of a PE
};

/// The word at which `words` words for a rectangle begin in each PE, after checking that all are
/// there.
std::size_t first_word(const Memory& m, const Rect& r, std::uint32_t address, std::size_t words) {
  if (r.width < 1 || r.height < 1 || r.x < 0 || r.y < 0 || r.width > m.width - r.x ||
      r.height > m.height - r.y)
    throw Error(
        ErrorCategory::usage,
        fmt::format("no PEs {}..{} x {}..{}", r.x, r.x + r.width - 1, r.y, r.y + r.height - 1),
        fmt::format("the fabric is {} x {}", m.width, m.height), "give a rectangle inside it");
  const auto pes = static_cast<std::size_t>(r.width) * static_cast<std::size_t>(r.height);
  if (words % pes != 0)
    throw Error(ErrorCategory::usage,
                fmt::format("{} words cannot be shared by {} PEs", words, pes),
                "each PE of the rectangle takes as many", "give a multiple of the number of PEs");
  const std::size_t each = words / pes;
  if (address % 4 != 0 || address / 4 + each > m.words)
    throw Error(ErrorCategory::usage,
                fmt::format("bytes {} to {} are not in a PE's memory", address, address + each * 4),
                fmt::format("it has {} bytes, and words start at multiples of four", m.words * 4),
                "use an address of the program's symbols");
  return address / 4;
}

void check_without_data(const Layout& layout, Engine engine) {
  if (engine == Engine::reference)
    throw Error(ErrorCategory::usage, "the reference engine cannot leave data out",
                "it carries the payload of every wavelet", "emulate with data, or on the host");
  const bool range = std::ranges::any_of(layout.filterings(), [](const Layout::Filtering& f) {
    return std::holds_alternative<RangeFilter>(f.filter);
  });
  if (range)
    throw Error(ErrorCategory::usage, "the layout has range filters, which need data",
                "they choose wavelets by what these carry", "emulate it with data");
}

/// Words that were written, to be written once more.
struct Written {
  Rect where;
  std::size_t first;
  std::vector<std::uint32_t> words;
};

}  // namespace

struct Fabric::Impl {
  std::optional<Layout> start;  ///< to start over from after a run by line; none: it may not
  Machine machine;
  Memory memory;
  FabricOptions options;
  fabric::ChosenStepper chosen;
  std::uint64_t cycle = 0, skipped = 0;
  bool begun = false, faulted = false;
  const char* torn = nullptr;      ///< why the state is not that of any one cycle; null: it is
  std::mutex starting_over{};      ///< guards the next two
  std::vector<Written> written{};  ///< before the first run, if it may start over
  std::optional<std::uint64_t> step_again{};  ///< from the start to this cycle, before any use

  fabric::Stepper& stepper() { return *chosen.stepper; }

  void write(const Rect& where, std::uint32_t address, std::span<const std::uint32_t> words) {
    make_whole();
    const std::size_t first = first_word(memory, where, address, words.size());
    stepper().write(where, first, words);
    if (begun || !start) return;
    std::vector<std::uint32_t> copy(words.begin(), words.end());
    const std::lock_guard lock(starting_over);
    written.push_back({where, first, std::move(copy)});
  }

  engine::RunResult step(const engine::RunOptions& run) {
    try {
      return stepper().run(cycle, run);
    } catch (...) {
      torn = stepper().torn();
      throw;
    }
  }

  /// The first run, by line. No result: lines met, and the fabric has started over. Throws what
  /// `progress` does.
  std::optional<engine::RunResult> run_by_line(engine::RunOptions run) {
    std::uint64_t seen = 0;
    if (options.progress)
      run.progress = [&](std::uint64_t now) {
        seen = now;
        options.progress(now);
      };
    const engine::RunResult result = step(run);
    if (result.stop != engine::Stop::midway) return result;
    try {
      std::rethrow_exception(result.thrown);
    } catch (const engine::LinesMet&) {
      if (start) {
        step_again = 0;
        make_whole();
        return std::nullopt;
      }
      torn = "it could not be stepped by line, and its last run was given up";
      throw LinesMet();
    } catch (...) {
      if (start)
        step_again = seen;
      else
        torn = "an exception ended its last run, which was by line: rows were at different cycles";
      throw;
    }
  }

  engine::RunResult run(std::uint64_t limit) {
    make_whole();
    if (faulted) throw fabric::fault_error(stepper().first_fault());
    engine::RunOptions how{limit, options.threads, options.progress, 0,
                           options.by_line && (!begun || !options.restart)};
    begun = true;
    std::optional<engine::RunResult> result;
    if (how.by_line) result = run_by_line(how);
    how.by_line = false;
    if (!result) result = step(how);
    written = {};
    note(*result);
    if (result->thrown) std::rethrow_exception(result->thrown);
    if (faulted) throw fabric::fault_error(stepper().first_fault());
    return *result;
  }

  void note(const engine::RunResult& result) {
    cycle = result.cycle;
    skipped += result.skipped;
    faulted = result.stop == engine::Stop::fault;
  }

  /// Before anything is done with the fabric: its state is that of one cycle then, or it throws.
  void make_whole() {
    if (torn != nullptr)
      throw Error(ErrorCategory::usage, "the fabric is of no more use", torn,
                  chosen.engine == Engine::cuda ? "build it anew"
                                                : "build it anew, with FabricOptions::restart");
    if (!start) return;
    const std::lock_guard lock(starting_over);  // several threads may read
    if (!step_again) return;
    FabricOptions otherwise = options;
    otherwise.by_line = false;
    chosen.stepper.reset();  // first, as both may be large
    chosen = fabric::make_stepper(*start, machine, otherwise);
    for (const Written& w : written) stepper().write(w.where, w.first, w.words);
    cycle = skipped = 0;
    if (*step_again > 0) note(step({*step_again, options.threads, {}, 0, false}));
    step_again.reset();  // last: where memory was short, the next use tries once more
    written = {};
  }

  fabric::deadlock::Mesh mesh() {
    return fabric::deadlock::mesh_of(memory.width, memory.height, machine,
                                     [&](int x, int y) { return stepper().pe_state(x, y); });
  }
};

LinesMet::LinesMet()
    : Error(ErrorCategory::program, "the fabric could not be stepped by line",
            "wavelets along rows and along columns met, the program is at fault, or it came to its "
            "limit",
            "build it anew, with FabricOptions::restart or without FabricOptions::by_line") {}

int most_fabric_threads(int rows) noexcept { return model::strips_down(rows); }

Fabric::Fabric(const Layout& layout, const Machine& machine, FabricOptions options) {
  if (!options.data) check_without_data(layout, options.engine);
  fabric::ChosenStepper chosen = fabric::make_stepper(layout, machine, options);
  const Memory memory{layout.width(), layout.height(),
                      static_cast<std::size_t>(machine.pe_memory_bytes) / 4};
  std::optional<Layout> start;
  if (options.by_line && options.restart && chosen.engine == Engine::host) start = layout;
  impl_.reset(new Impl{std::move(start), machine, memory, std::move(options), std::move(chosen)});
}
Fabric::~Fabric() = default;
Fabric::Fabric(Fabric&&) noexcept = default;
Fabric& Fabric::operator=(Fabric&&) noexcept = default;

void Fabric::write(const Rect& where, std::uint32_t address, std::span<const std::uint32_t> words) {
  impl_->write(where, address, words);
}

void Fabric::read(const Rect& where, std::uint32_t address, std::span<std::uint32_t> words) const {
  impl_->make_whole();
  const std::size_t first = first_word(impl_->memory, where, address, words.size());
  impl_->stepper().read(where, first, words);
}

void Fabric::run_until_idle(std::uint64_t limit) {
  const engine::RunResult result = impl_->run(limit);
  if (result.stop == engine::Stop::limit) throw fabric::limit_error(impl_->mesh(), limit);
  if (impl_->stepper().anything_left())
    throw fabric::deadlock_error(impl_->mesh(), impl_->cycle - 1);
}

void Fabric::run(std::uint64_t cycles) {
  impl_->make_whole();
  impl_->run(impl_->cycle + cycles);
}

FabricCounters Fabric::counters() const {
  impl_->make_whole();
  const engine::Totals all = impl_->stepper().totals();
  return {impl_->cycle, all.wavelets, all.hops, all.delivered, all.filtered};
}

std::uint64_t Fabric::cycle() const {
  impl_->make_whole();
  return impl_->cycle;
}

std::uint64_t Fabric::skipped_cycles() const {
  impl_->make_whole();
  return impl_->skipped;
}

Engine Fabric::engine() const { return impl_->chosen.engine; }

const std::string& Fabric::engine_note() const { return impl_->chosen.note; }

}  // namespace weft::inline v0
