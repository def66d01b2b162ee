#include "weft/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "engine/device_engine.hpp"
#include "engine/engine.hpp"
#include "fabric/faults.hpp"
#include "fabric/state.hpp"
#include "fabric/strips.hpp"

namespace weft {
namespace {

using model::kLanes;

/// f(word of a PE's memory, its number) for the words from `word` on, `each` in number, of each PE
/// of a rectangle; they are numbered PE by PE, row by row. In turns of a few of each PE of a strip,
/// as these share cache lines.
template <class F>
void for_words(const fabric::State& s, const Rect& r, std::size_t word, std::size_t each, F f) {
  constexpr std::size_t kTurn = 64;  // chosen: words of a strip's PEs are 16 KiB
  fabric::for_strips(s, r, [&](std::size_t strip, model::Mask lanes) {
    const model::Place at = fabric::place(s, strip);
    std::uint32_t* words = s.memory.data() + (strip * s.memory_words + word) * kLanes;
    for (std::size_t first = 0; first < each; first += kTurn)
      for (model::Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = model::lowest(rest);
        const int pe = (at.y(lane) - r.y) * r.width + at.x(lane) - r.x;
        const std::size_t number = static_cast<std::size_t>(pe) * each;
        for (std::size_t i = first; i < std::min(first + kTurn, each); ++i)
          f(words[i * kLanes + static_cast<std::size_t>(lane)], number + i);
      }
  });
}

/// Sets what other threads may be setting to the larger of both.
void raise(std::size_t& value, std::size_t to) {
  const std::atomic_ref shared(value);
  for (std::size_t now = shared.load(); now < to && !shared.compare_exchange_weak(now, to);) {
  }
}

/// Words of each PE that `words` words for a rectangle are, after checking that they are there.
std::size_t words_per_pe(const fabric::State& s, const Rect& r, std::uint32_t address,
                         std::size_t words) {
  if (r.width < 1 || r.height < 1 || r.x < 0 || r.y < 0 || r.width > s.width - r.x ||
      r.height > s.height - r.y)
    throw Error(
        Category::usage,
        fmt::format("no PEs {}..{} x {}..{}", r.x, r.x + r.width - 1, r.y, r.y + r.height - 1),
        fmt::format("the fabric is {} x {}", s.width, s.height), "give a rectangle inside it");
  const auto pes = static_cast<std::size_t>(r.width) * static_cast<std::size_t>(r.height);
  if (words % pes != 0)
    throw Error(Category::usage, fmt::format("{} words cannot be shared by {} PEs", words, pes),
                "each PE of the rectangle takes as many", "give a multiple of the number of PEs");
  const std::size_t each = words / pes;
  if (address % 4 != 0 || address / 4 + each > s.memory_words)
    throw Error(
        Category::usage,
        fmt::format("bytes {} to {} are not in a PE's memory", address, address + each * 4),
        fmt::format("it has {} bytes, and words start at multiples of four", s.memory_words * 4),
        "use an address of the program's symbols");
  return each;
}

void check_without_data(const fabric::State& s) {
  for (const model::FilterState& filter : s.filters)
    if (filter.range != 0)
      throw Error(Category::usage, "the layout has range filters, which need data",
                  "they choose wavelets by what these carry", "emulate it with data");
}

}  // namespace

struct Fabric::Impl {
  fabric::State state;
  FabricOptions options;
  std::uint64_t cycle = 0, skipped = 0;
  std::unique_ptr<engine::DeviceEngine> device{};  ///< null: the host steps
  std::string engine_note{};
  bool faulted = false;
  const char* torn = nullptr;  ///< why the state is not that of any one cycle; null: it is

  void choose_engine() {
    if (options.engine == Engine::host) return;
    try {
      device = std::make_unique<engine::DeviceEngine>(state.view(), state.sizes());
    } catch (const Error& error) {
      if (options.engine == Engine::cuda || error.category() != Category::environment) throw;
      const std::string why = why_absent(Engine::cuda);
      engine_note = why.empty() ? error.what() : why;
    }
  }

  engine::RunResult step(const engine::RunOptions& run) {
    if (!device) return engine::run_on_host(state.view(), cycle, run);
    model::Sizes sizes = state.sizes();
    try {
      const engine::RunResult result = device->run(state.view(), sizes, cycle, run);
      state.touched_words = sizes.touched_words;
      return result;
    } catch (...) {
      if (!device->host_whole()) torn = "the CUDA device failed as its last run was copied back";
      throw;
    }
  }

  /// Passes on what has ended a run by line.
  [[noreturn]] void end_midway(const std::exception_ptr& thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const engine::LinesMet&) {
      torn = "it could not be stepped by line, and its last run was given up";
      throw LinesMet();
    } catch (...) {
      torn = "an exception ended its last run, which was by line: rows were at different cycles";
      throw;
    }
  }

  engine::RunResult run(std::uint64_t limit) {
    check_whole();
    if (faulted) throw fabric::fault_error(fabric::first_fault(state));
    const engine::RunResult result =
        step({limit, options.threads, options.progress, 0, options.by_line});
    if (result.stop == engine::Stop::midway) end_midway(result.thrown);
    cycle = result.cycle;
    skipped += result.skipped;
    faulted = result.stop == engine::Stop::fault;
    if (result.thrown) std::rethrow_exception(result.thrown);
    if (faulted) throw fabric::fault_error(fabric::first_fault(state));
    return result;
  }

  void check_whole() const {
    if (torn != nullptr)
      throw Error(Category::usage, "the fabric is of no more use", torn,
                  device ? "build it anew" : "build it anew, without FabricOptions::by_line");
  }

  /// Summed by who steps.
  engine::Totals totals() const {
    if (device) return device->totals();
    engine::Totals all;
    for (std::size_t i = 0; i < state.strip_count(); ++i) all.add(state.strip[i]);
    return all;
  }
};

LinesMet::LinesMet()
    : Error(Category::program, "the fabric could not be stepped by line",
            "wavelets along rows and along columns met, the program is at fault, or it came to its "
            "limit",
            "build it anew, without FabricOptions::by_line") {}

int most_threads(int rows) noexcept { return model::strips_down(rows); }

Fabric::Fabric(const Layout& layout, const Machine& machine, FabricOptions options)
    : impl_(new Impl{fabric::build(layout, machine), std::move(options)}) {
  impl_->state.data = impl_->options.data;
  impl_->state.tally = impl_->options.tally;
  if (!impl_->options.data) check_without_data(impl_->state);
  impl_->choose_engine();
}
Fabric::~Fabric() = default;
Fabric::Fabric(Fabric&&) noexcept = default;
Fabric& Fabric::operator=(Fabric&&) noexcept = default;

void Fabric::write(const Rect& where, std::uint32_t address, std::span<const std::uint32_t> words) {
  impl_->check_whole();
  const std::size_t each = words_per_pe(impl_->state, where, address, words.size());
  raise(impl_->state.touched_words, address / 4 + each);
  for_words(impl_->state, where, address / 4, each,
            [&](std::uint32_t& word, std::size_t number) { word = words[number]; });
}

void Fabric::read(const Rect& where, std::uint32_t address, std::span<std::uint32_t> words) const {
  impl_->check_whole();
  const std::size_t each = words_per_pe(impl_->state, where, address, words.size());
  for_words(impl_->state, where, address / 4, each,
            [&](const std::uint32_t& word, std::size_t number) { words[number] = word; });
}

void Fabric::run_until_idle(std::uint64_t limit) {
  const engine::RunResult result = impl_->run(limit);
  if (result.stop == engine::Stop::limit) throw fabric::limit_error(impl_->state, limit);
  if (fabric::anything_left(impl_->state))
    throw fabric::deadlock_error(impl_->state, impl_->cycle - 1);
}

void Fabric::run(std::uint64_t cycles) { impl_->run(impl_->cycle + cycles); }

FabricCounters Fabric::counters() const {
  impl_->check_whole();
  const engine::Totals all = impl_->totals();
  return {impl_->cycle, all.wavelets, all.hops, all.delivered, all.filtered};
}

std::uint64_t Fabric::cycle() const {
  impl_->check_whole();
  return impl_->cycle;
}

std::uint64_t Fabric::skipped_cycles() const {
  impl_->check_whole();
  return impl_->skipped;
}

Engine Fabric::engine() const { return impl_->device ? Engine::cuda : Engine::host; }

const std::string& Fabric::engine_note() const { return impl_->engine_note; }

}  // namespace weft
