#include "gpu/twins.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "differential/compare.hpp"
#include "engine/clock.hpp"
#include "fabric/stepper/lane_stepper.hpp"

namespace weft::test {
namespace {

FabricOptions options_of(const Beginning& b) {
  FabricOptions options;
  options.data = b.data;
  options.accelerate = b.accelerate;
  options.observe = b.observe;
  return options;
}

std::string text(const engine::Totals& t) {
  return fmt::format("{} wavelets, {} hops, {} delivered, {} filtered", t.wavelets, t.hops,
                     t.delivered, t.filtered);
}

}  // namespace

Twins::Twins(const Beginning& b)
    : on_host(std::make_unique<fabric::LaneStepper>(b.layout, b.machine, options_of(b))),
      on_device(fabric::make_device_stepper(b.layout, b.machine, options_of(b))),
      all_{0, 0, b.layout.width(), b.layout.height()},
      words_(static_cast<std::size_t>(b.machine.pe_memory_bytes) / 4),
      data_(b.data) {
  if (!b.write) return;
  b.write(*on_host);
  b.write(*on_device);
}

std::vector<std::uint32_t> Twins::memory(const fabric::Stepper& of) const {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(all_.width) *
                                   static_cast<std::size_t>(all_.height) * words_);
  of.read(all_, 0, words);
  return words;
}

std::string Twins::difference(const fabric::Stepper& a, const fabric::Stepper& b) const {
  const std::string totals = text(a.totals());
  if (const std::string other = text(b.totals()); other != totals)
    return fmt::format("{} and {}", totals, other);
  if (!data_) return "";
  for (int y = 0; y < all_.height; ++y)
    for (int x = 0; x < all_.width; ++x)
      if (const auto found =
              compare_pes(a.pe_state(x, y), b.pe_state(x, y), a.history().cycle, Scope::all))
        return describe(*found);
  const std::vector<std::uint32_t> of_a = memory(a), of_b = memory(b);
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(of_a, of_b).in1 - of_a.begin());
  if (at == of_a.size()) return "";
  const auto width = static_cast<std::size_t>(all_.width);
  return fmt::format("memory word {} of PE ({}, {}): {:#x} and {:#x}", at % words_,
                     at / words_ % width, at / words_ / width, of_a[at], of_b[at]);
}

engine::RunResult Twins::run_device(std::uint64_t limit, int blocks,
                                    const std::function<void(std::uint64_t)>& progress) {
  return on_device->run({limit, 1, progress, blocks});
}

engine::RunResult Twins::run(std::uint64_t limit, int blocks,
                             const std::function<void(std::uint64_t)>& progress) {
  const engine::RunResult of_host = on_host->run({limit, 1, {}, engine::kMostCycles});
  const engine::RunResult of_device = run_device(limit, blocks, progress);
  EXPECT_EQ(of_device.stop, of_host.stop);
  EXPECT_EQ(of_device.cycle, of_host.cycle);
  if (of_host.stop == engine::Stop::fault) {  // PEs go on, each as far as its engine's block does
    EXPECT_EQ(describe(on_host->first_fault()), describe(on_device->first_fault()));
  } else {
    EXPECT_EQ(difference(*on_host, *on_device), "");
  }
  if (of_host.stop == engine::Stop::quiet) {  // who has not come to rest is not asked
    EXPECT_EQ(on_device->anything_left(), on_host->anything_left());
  }
  return of_device;
}

bool Twins::device_is_lost() const {
  try {
    static_cast<void>(on_device->history());
    return false;
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::usage) << error.what();
    return true;
  }
}

}  // namespace weft::test
