#include "weft/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "engine/threads.hpp"
#include "fabric/access.hpp"
#include "fabric/deadlock/circles.hpp"
#include "fabric/faults.hpp"
#include "fabric/lines_pay.hpp"
#include "fabric/looks.hpp"
#include "fabric/start.hpp"
#include "fabric/stepper.hpp"
#include "fabric/symbols.hpp"
#include "fabric/waits.hpp"
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

}  // namespace

// Hidden: it has a public name in front, and is no symbol of a shared library.
struct [[gnu::visibility("hidden")]] Fabric::Impl {
  Machine machine;
  Memory memory;
  FabricOptions options;
  fabric::ChosenStepper chosen;
  fabric::Symbols symbols;
  std::uint64_t cycle = 0, skipped = 0;
  std::chrono::duration<double> wall{};
  bool begun = false, by_line = false, faulted = false;
  std::mutex starting_over{};                 ///< guards step_again
  std::optional<fabric::Start> start{};       ///< while a run by line may be tried, or start over
  bool must_pay = true;                       ///< as engine::RunOptions::must_pay
  std::optional<std::uint64_t> step_again{};  ///< from the start to this cycle, before any use

  fabric::Stepper& stepper() { return *chosen.stepper; }

  void write(const Rect& where, std::uint32_t address, std::span<const std::uint32_t> words) {
    make_whole();
    stepper().write(where, first_word(memory, where, address, words.size()), words);
    if (start && !begun) start->keep(where, address, words);
  }

  void read(const Rect& where, std::uint32_t address, std::span<std::uint32_t> words) {
    make_whole();
    stepper().read(where, first_word(memory, where, address, words.size()), words);
  }

  engine::RunResult step(const engine::RunOptions& run) {
    const auto begin = std::chrono::steady_clock::now();
    const auto stop_clock = [&] { wall += std::chrono::steady_clock::now() - begin; };
    try {
      engine::RunResult result = stepper().run(cycle, run);
      stop_clock();
      return result;
    } catch (...) {
      stop_clock();
      throw;
    }
  }

  /// The first run, by line. No result: lines met, or something is stuck, and the fabric has
  /// started over. Throws what `progress` does.
  std::optional<engine::RunResult> run_by_line(engine::RunOptions run) {
    std::uint64_t seen = 0;
    if (options.progress)
      run.progress = [&](std::uint64_t now) {
        seen = now;
        options.progress(now);
      };
    run.by_line = true;
    run.must_pay = must_pay;
    const engine::RunResult result = step(run);
    if (result.stop == engine::Stop::midway) {
      step_again = seen;
      try {
        std::rethrow_exception(result.thrown);
      } catch (const engine::LinesMet&) {
        step_again = 0;
      }
    } else if (stepper().anything_left()) {
      step_again = 0;  // for a report of the deadlock with tallies
    } else {
      by_line = true;
      return result;
    }
    make_whole();
    return std::nullopt;
  }

  /// As step, but ends early where nothing is left but wavelets that go round in circles of routes.
  engine::RunResult step_to_rest(engine::RunOptions run) {
    const std::uint64_t limit = run.limit;
    engine::Totals before = stepper().totals();
    for (;;) {
      run.limit = std::min(limit, fabric::next_look(cycle));
      const engine::RunResult result = step(run);
      if (result.stop != engine::Stop::limit || result.thrown || result.cycle >= limit)
        return result;
      const engine::Totals now = stepper().totals();
      if (fabric::only_routers_moved(before, now) && circles()) return result;
      before = now;
      note(result);
    }
  }

  /// `to_rest`: no end but the limit was asked for.
  engine::RunResult run(std::uint64_t limit, bool to_rest) {
    make_whole();
    if (faulted) throw fabric::fault_error(stepper().first_fault());
    const engine::RunOptions how{
        .limit = limit, .threads = options.threads, .progress = options.progress};
    const bool try_by_line = to_rest && !begun && start && start->complete();
    begun = true;
    std::optional<engine::RunResult> result;
    if (try_by_line) result = run_by_line(how);
    if (!result) result = to_rest ? step_to_rest(how) : step(how);
    start.reset();
    options.write_again = {};
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
    if (start) start_over();
    if (const char* torn = stepper().torn(); torn != nullptr)
      throw Error(ErrorCategory::usage, "the fabric is of no more use", torn, "build it anew");
  }

  void start_over() {
    const std::lock_guard lock(starting_over);  // several threads may read
    if (!step_again) return;
    chosen.stepper.reset();  // first, as both may be large
    Fabric anew = start->build();
    chosen.stepper = std::move(anew.impl_->chosen.stepper);
    cycle = skipped = 0;
    if (*step_again > 0) note(step({.limit = *step_again, .threads = options.threads}));
    step_again.reset();  // last: where memory was short, the next use tries once more
  }

  fabric::deadlock::Mesh mesh() {
    return fabric::deadlock::mesh_of(memory.width, memory.height, machine,
                                     [&](int x, int y) { return stepper().pe_state(x, y); });
  }

  bool circles() { return !fabric::deadlock::circling(mesh()).empty(); }
};

int most_fabric_threads(int rows) noexcept { return model::strips_down(rows); }

Fabric::Fabric(const Layout& layout, const Machine& machine, FabricOptions options) {
  engine::check_threads(options.threads);
  if (!options.data) check_without_data(layout, options.engine);
  fabric::ChosenStepper chosen = fabric::make_stepper(layout, machine, options);
  const Memory memory{layout.width(), layout.height(),
                      static_cast<std::size_t>(machine.pe_memory_bytes) / 4};
  impl_.reset(
      new Impl{machine, memory, std::move(options), std::move(chosen), fabric::Symbols(layout)});
  // The layout is asked first: the stepper looks at all PEs.
  if (impl_->options.accelerate.by_line && fabric::lines_pay(layout, impl_->options.data) &&
      impl_->stepper().has_lines())
    impl_->start.emplace(layout, machine, impl_->options);
}
Fabric::~Fabric() = default;
Fabric::Fabric(Fabric&&) noexcept = default;
Fabric& Fabric::operator=(Fabric&&) noexcept = default;

void Fabric::write(const Rect& where, std::uint32_t address, std::span<const std::uint32_t> words) {
  impl_->write(where, address, words);
}

void Fabric::read(const Rect& where, std::uint32_t address, std::span<std::uint32_t> words) const {
  impl_->read(where, address, words);
}

MemorySpan Fabric::symbol(const Rect& where, std::string_view symbol) const {
  (void)first_word(impl_->memory, where, 0, 0);  // only checks the rectangle
  return impl_->symbols.find(where, symbol).front().second;
}

std::size_t Fabric::elements(const Rect& where, std::string_view symbol, ElementType type) const {
  return fabric::elements_of(this->symbol(where, symbol), symbol, type);
}

void Fabric::write_elements(const Rect& where, std::string_view symbol, ElementType type,
                            const void* values, std::size_t count) {
  const std::size_t each = elements(where, symbol, type);
  fabric::check_count(where, symbol, each, count);
  const std::size_t bytes = each * static_cast<std::size_t>(element_bytes(type));
  for (const auto& [part, span] : impl_->symbols.find(where, symbol)) {
    std::vector<std::uint32_t> words(fabric::words_of(part, bytes));
    if (bytes % 4 != 0) impl_->read(part, span.address, words);  // what follows the last element
    fabric::each_pe(where, part, [&](std::size_t in_where, std::size_t in_part) {
      std::memcpy(words.data() + in_part * ((bytes + 3) / 4),
                  static_cast<const char*>(values) + in_where * bytes, bytes);
    });
    impl_->write(part, span.address, words);
  }
}

void Fabric::read_elements(const Rect& where, std::string_view symbol, ElementType type,
                           void* values, std::size_t count) const {
  const std::size_t each = elements(where, symbol, type);
  fabric::check_count(where, symbol, each, count);
  if (impl_->begun && !impl_->options.data) impl_->symbols.check_computed(where, symbol);
  const std::size_t bytes = each * static_cast<std::size_t>(element_bytes(type));
  for (const auto& [part, span] : impl_->symbols.find(where, symbol)) {
    std::vector<std::uint32_t> words(fabric::words_of(part, bytes));
    impl_->read(part, span.address, words);
    fabric::each_pe(where, part, [&](std::size_t in_where, std::size_t in_part) {
      std::memcpy(static_cast<char*>(values) + in_where * bytes,
                  words.data() + in_part * ((bytes + 3) / 4), bytes);
    });
  }
}

void Fabric::run_until_idle(std::uint64_t limit) {
  const engine::RunResult result = impl_->run(limit, true);
  const bool at_limit = result.stop == engine::Stop::limit;
  if (!at_limit && !impl_->stepper().anything_left()) return;
  fabric::deadlock::Mesh mesh = impl_->mesh();
  if (at_limit && fabric::deadlock::circling(mesh).empty()) throw fabric::limit_error(mesh, limit);
  throw fabric::deadlock_error(std::move(mesh), impl_->cycle - 1);
}

RunEnd Fabric::run(std::uint64_t cycles) {
  impl_->make_whole();
  const engine::RunResult result = impl_->run(impl_->cycle + cycles, false);
  if (result.stop == engine::Stop::limit) return RunEnd::limit;
  return impl_->stepper().anything_left() ? RunEnd::stuck : RunEnd::idle;
}

FabricCounters Fabric::counters() const {
  impl_->make_whole();
  const engine::Totals all = impl_->stepper().totals();
  return {impl_->cycle, all.wavelets, all.hops, all.delivered, all.filtered};
}

RunReport Fabric::report() const {
  RunReport report;
  report.counters = counters();
  report.cycles = report.counters.cycle;
  const Impl& fabric = *impl_;
  report.pe_cycles = report.cycles * static_cast<std::uint64_t>(fabric.memory.width) *
                     static_cast<std::uint64_t>(fabric.memory.height);
  report.time_us = static_cast<double>(report.cycles) * 1e3 / fabric.machine.clock_khz;
  report.wall_seconds = fabric.wall.count();
  report.skipped_cycles = fabric.skipped;
  report.by_line = fabric.by_line;
  report.engine = engine();
  return report;
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

bool FabricAccess::force_by_line(Fabric& fabric, const Layout& layout, std::size_t most_kept) {
  Fabric::Impl& impl = *fabric.impl_;
  if (impl.start) impl.start.reset();
  if (!impl.stepper().has_lines()) return false;
  impl.start.emplace(layout, impl.machine, impl.options, most_kept);
  impl.must_pay = false;
  return true;
}

bool FabricAccess::force_by_line(Fabric& fabric, const Layout& layout) {
  return force_by_line(fabric, layout, fabric::Start::kMostKept);
}

}  // namespace weft::inline v0
