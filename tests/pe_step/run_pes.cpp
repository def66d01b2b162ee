#include "pe_step/run_pes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "differential/host_ends.hpp"
#include "fabric/stepper/spec_facts.hpp"
#include "fabric/stepper/spec_profile.hpp"

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

/// The host of both fabrics.
struct HostPair {
  const Case& c;
  spec::Fabric& reference;
  PeFabric& pes;
  std::uint64_t sent = 0;  ///< words

  /// Before a piece of the run.
  void send(std::size_t piece) {
    for_sends(c, piece, [&](const fabric::HostEnd& end, const std::vector<std::uint32_t>& words) {
      pes.host_words(end).append(words);
      std::ranges::copy(words, std::back_inserter(words_at(reference, end)));
      sent += words.size();
    });
  }
  std::optional<Difference> compare() {
    return compare_words(c, reference, [&](const fabric::HostEnd& end) -> const base::HostWords& {
      return pes.host_words(end);
    });
  }
  /// Takes all that has come, if the case does. Returns how many words have.
  std::uint64_t receive() {
    std::uint64_t count = 0;
    for_ends(c, [&](const fabric::HostEnd& end, std::size_t) {
      if (end.input) return;
      std::deque<std::uint32_t>& words = words_at(reference, end);
      count += words.size();
      if (!c.receives) return;
      pes.host_words(end).drop(words.size());
      words.clear();
    });
    return count;
  }
  std::uint64_t entered() {
    std::uint64_t left = 0;
    for_ends(c, [&](const fabric::HostEnd& end, std::size_t) {
      if (end.input) left += words_at(reference, end).size();
    });
    return sent - left;
  }
};

}  // namespace

PeOutcome run_pes(const Case& c, const PeOptions& options) {
  return run_pes(c, options, *make_pe_fabric(c, options));
}

PeOutcome run_pes(const Case& c, const PeOptions& options, PeFabric& pes) {
  Reference reference(c, c.observe);
  Dice dice(mixed(options.seed ^ 0x570b5U));
  HostPair host{c, reference, pes};
  PeOutcome outcome;
  outcome.stop = spec::Fabric::Stop::limit;
  std::uint64_t came = 0;  // words, after the last piece
  for (std::size_t piece = 0; reference.cycle() < c.limit; ++piece) {
    host.send(piece);
    const bool news = sends_from(c, piece) || (c.receives && came != 0);
    if (outcome.stop == spec::Fabric::Stop::quiet && !news) break;
    const auto step = static_cast<std::uint64_t>(
        options.every_cycle ? 1 : dice.roll(1, dice.pick({10, 100, 10000})));
    const std::uint64_t until = std::min(reference.cycle() + step, c.limit);
    outcome.stop = reference.run(until);
    outcome.difference = compare_all(reference, outcome.stop, pes, pes.run(until), options);
    if (outcome.difference || outcome.stop == spec::Fabric::Stop::fault) break;
    if (c.observe.counts && (outcome.stop == spec::Fabric::Stop::quiet || until == c.limit ||
                             dice.chance(options.every_cycle ? 5 : 50)))
      outcome.difference = compare_profiles(fabric::profile_of(reference), pes.profile());
    if (outcome.difference) break;
    outcome.difference = host.compare();
    if (outcome.difference) break;
    came = host.receive();
    outcome.host_words += came;
  }
  outcome.host_sent = host.entered();
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
