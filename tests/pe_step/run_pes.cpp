#include "pe_step/run_pes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/stepper/spec_facts.hpp"

namespace weft::test {
namespace {

std::optional<Difference> compare_mesh(const spec::Fabric& reference, PeFabric& pes,
                                       bool after_fault, const PeOptions& options) {
  const std::uint64_t cycle = reference.cycle();
  for (int y = 0; y < reference.height(); ++y)
    for (int x = 0; x < reference.width(); ++x) {
      const spec::Core& core = reference.pe(x, y).core;
      if (after_fault && core.stopped) continue;
      // The behaviour of a core on a queue of two colors is nothing to compare; cores may be ahead
      // of a fault's cycle.
      const bool routers = core.mixed || (after_fault && !options.every_cycle);
      const Scope scope = routers ? Scope::only_routers : Scope::all;
      if (auto d = compare_pes(fabric::pe_state(reference, x, y, options.tally), pes.state(x, y),
                               cycle, scope))
        return d;
      if (!routers && core.memory != pes.memory(x, y))
        return Difference{cycle, x, y, "memory", "one", "another"};
    }
  return std::nullopt;
}

std::optional<Difference> compare_all(const spec::Fabric& reference, spec::Fabric::Stop stop,
                                      PeFabric& pes, spec::Fabric::Stop other,
                                      const PeOptions& options) {
  const auto differ = [&](const char* field, const std::string& a,
                          const std::string& b) -> std::optional<Difference> {
    if (a == b) return std::nullopt;
    return Difference{reference.cycle(), -1, -1, field, a, b};
  };
  // Of a core that is ahead of the clock, a fault may be known before its cycle.
  const Fault known = pes.fault().cycle < pes.cycle() ? pes.fault() : Fault{};
  if (auto d = differ("fault", describe(reference.fault()), describe(known))) return d;
  if (auto d = differ("end", describe(stop, reference.cycle()), describe(other, pes.cycle())))
    return d;
  if (stop == spec::Fabric::Stop::fault && options.past_fault) return std::nullopt;
  if (auto d = compare_mesh(reference, pes, stop == spec::Fabric::Stop::fault, options)) return d;
  const pe::Totals totals = pes.totals();
  const auto counts = [](auto... count) {
    return fmt::format("{}", fmt::join(std::initializer_list<std::uint64_t>{count...}, " "));
  };
  return differ("wavelets, hops, delivered, filtered",
                counts(reference.wavelets, reference.hops, reference.delivered, reference.filtered),
                counts(totals.wavelets, totals.hops, totals.delivered, totals.filtered));
}

}  // namespace

PeOutcome run_pes(const Case& c, const PeOptions& options) {
  return run_pes(c, options, *make_pe_fabric(c, options));
}

PeOutcome run_pes(const Case& c, const PeOptions& options, PeFabric& pes) {
  Reference reference(c);
  Dice dice(mixed(options.seed ^ 0x570b5U));
  PeOutcome outcome;
  outcome.stop = spec::Fabric::Stop::limit;
  while (outcome.stop == spec::Fabric::Stop::limit && reference.cycle() < c.limit) {
    const auto step = static_cast<std::uint64_t>(
        options.every_cycle ? 1 : dice.roll(1, dice.pick({10, 100, 10000})));
    const std::uint64_t until = std::min(reference.cycle() + step, c.limit);
    outcome.stop = reference.run(until);
    outcome.difference = compare_all(reference, outcome.stop, pes, pes.run(until), options);
    if (outcome.difference) break;
  }
  outcome.fault = reference.fault();
  outcome.cycles = reference.cycle();
  outcome.wavelets = reference.wavelets;
  outcome.hops = reference.hops;
  outcome.delivered = reference.delivered;
  outcome.filtered = reference.filtered;
  outcome.deadlock = outcome.stop == spec::Fabric::Stop::quiet && reference.anything_left();
  outcome.counts = pes.counts();
  return outcome;
}

}  // namespace weft::test
