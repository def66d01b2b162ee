#include "cli/reproduce/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

#include "base/crew.hpp"
#include "cli/common/interrupt.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

/// Chosen: a run of ten seconds may take much memory, and keeps several threads busy by itself.
constexpr double kLong = 1e10;

bool is_long(const evaluation::Run& run) { return evaluation::work_of(run) >= kLong; }

}  // namespace

evaluation::Outcomes Runner::all(const std::vector<evaluation::Run>& runs) {
  std::vector<evaluation::Run> short_ones, long_ones;
  for (const evaluation::Run& run : runs)
    if (const auto known = again_ ? std::nullopt : store_.find(key_of(run)))
      outcomes_.add(run, *known);
    else
      (is_long(run) ? long_ones : short_ones).push_back(run);
  count_ = short_ones.size() + long_ones.size();
  for (const auto* some : {&short_ones, &long_ones})
    for (const evaluation::Run& run : *some) work_ += evaluation::work_of(run);
  side_by_side(short_ones);
  for (const evaluation::Run& run : long_ones) make(run, threads_);
  return std::move(outcomes_);
}

void Runner::side_by_side(const std::vector<evaluation::Run>& runs) {
  if (runs.empty()) return;
  const int at_once = static_cast<int>(std::min(static_cast<std::size_t>(threads_), runs.size()));
  std::atomic<std::size_t> next{0};
  base::Crew crew(at_once);
  crew.run([&](int) {
    try {
      for (std::size_t k = next++; k < runs.size(); k = next++) make(runs[k], threads_ / at_once);
    } catch (...) {
      next = runs.size();  // no other run begins
      throw;
    }
  });
}

void Runner::make(const evaluation::Run& run, int threads) {
  const auto progress = [&](const FftProgress& now) {
    const auto expected = now.expectation();
    show(run, expected ? expected->fraction : 0, now.pe_cycles);
  };
  show(run, 0, 0);
  std::optional<evaluation::Outcome> outcome;
  std::string why;
  try {
    outcome = measure(run, machine_, threads, progress);
  } catch (const Error& error) {
    const bool unfit = error.category() == ErrorCategory::environment ||
                       error.category() == ErrorCategory::machine_profile;
    if (!unfit) throw;
    why = error.what();
  }
  const std::scoped_lock lock(mutex_);
  ++ended_;
  work_ended_ += evaluation::work_of(run);
  under_way_.erase(&run);
  if (!outcome) return outcomes_.refuse(run, why);
  outcomes_.add(run, *outcome);
  store_.add(key_of(run), *outcome);  // if it cannot be kept, those after it would be lost too
  pe_cycles_ += outcome->cycles * static_cast<std::uint64_t>(run.mesh.x) *
                static_cast<std::uint64_t>(run.mesh.y);
}

void Runner::show(const evaluation::Run& run, double fraction, std::uint64_t pe_cycles) {
  const std::scoped_lock lock(mutex_);
  if (is_interrupted())
    throw Interrupted(fmt::format(
        "in '{}'; {} of {} results were added to '{}', from which the same command goes on",
        key_of(run), ended_, count_, store_.path()));
  under_way_[&run] = {fraction * evaluation::work_of(run), pe_cycles};
  bar_.show([&]() -> Shown {
    UnderWay sum{work_ended_, pe_cycles_};
    for (const UnderWay& one : std::views::values(under_way_)) {
      sum.work += one.work;
      sum.pe_cycles += one.pe_cycles;
    }
    return {sum.work / work_, fmt::format("{} of {}: {}", ended_ + 1, count_, key_of(run)),
            sum.pe_cycles};
  });
}

}  // namespace weft::cli
