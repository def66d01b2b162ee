#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <iterator>
#include <set>
#include <string>
#include <tuple>

#include "by_line/lines.hpp"
#include "differential/case.hpp"
#include "differential/host_ends.hpp"
#include "engine/left.hpp"
#include "fabric/build/state.hpp"
#include "fabric/errors/deadlock/report.hpp"
#include "fabric/profile/lines.hpp"
#include "fabric/stepper/host_ends.hpp"
#include "fabric/stepper/lane_facts.hpp"
#include "fabric/stepper/lane_profile.hpp"
#include "fabric/stepper/spec_profile.hpp"

namespace weft::test {
namespace {

/// Both fabrics, side by side.
struct Pair {
  fabric::State state;  // first: it checks the layout
  Reference reference;
  model::View view;
  std::vector<fabric::ProgramFacts> programs;
  std::vector<ProgramCounts> program_lines;
  Machine machine;
  std::uint64_t cycle = 0;  ///< the emulator's clock
  bool lines = false;       ///< by line
  bool ahead = false;       ///< cores run ahead while they count
  std::uint64_t sent = 0;   ///< words

  explicit Pair(const Case& c)
      : state(state_of(c)),
        reference(c, c.observe),
        view(state.view()),
        programs(fabric::facts_of_programs(state.code, state.programs)),
        program_lines(fabric::lines_of_programs(layout_of(c), state.programs.size())),
        machine(c.machine) {}

  std::optional<Difference> fabric_wide(const char* field, std::string of_reference,
                                        std::string of_emulator) const {
    if (of_reference == of_emulator) return std::nullopt;
    return Difference{cycle, -1, -1, field, std::move(of_reference), std::move(of_emulator)};
  }

  /// Runs both up to a cycle and compares.
  std::optional<Difference> advance(std::uint64_t limit, const Case& c, const Meddle& meddle,
                                    Outcome& outcome) {
    const bool every_cycle = !c.stops;
    outcome.stop = spec::Fabric::Stop::limit;
    while (outcome.stop == spec::Fabric::Stop::limit && reference.cycle() < limit) {
      outcome.stop = reference.run(reference.cycle() + 1);
      if (meddle) meddle(reference);
    }
    // The state after a fault is that of its cycle only where all rows meet after every cycle.
    const int block = outcome.stop == spec::Fabric::Stop::fault ? 1 : c.block;
    const engine::RunOptions options{limit, c.threads, {}, block};
    const auto packing =
        c.memory_seed % 2 == 0 ? by_line::Packing::always : by_line::Packing::where_it_pays;
    const engine::RunResult result =
        lines ? by_line::run(view, cycle, options, false, nullptr, nullptr, packing)
              : engine::run_on_host(view, cycle, options);
    cycle = result.cycle;
    const bool counts_hold =
        !ahead || (result.stop != engine::Stop::fault &&
                   !(result.stop == engine::Stop::quiet && engine::anything_left(view)));
    if (c.observe.counts && counts_hold && cycle == reference.cycle() &&
        (!every_cycle || cycle % 16 == 0)) {
      if (auto d = compare_profiles(fabric::profile_of(reference),
                                    fabric::profile_of(state, program_lines, cycle, 1)))
        return d;
      if (cycle % 3 == 0) fabric::fold(state, cycle);
    }
    if (result.stop == engine::Stop::fault || outcome.stop == spec::Fabric::Stop::fault) {
      outcome.fault = reference.fault();
      if (auto d = fabric_wide("fault", describe(reference.fault()),
                               describe(fabric::first_fault(state))))
        return d;
      if (auto d =
              fabric_wide("the fault's instruction", std::to_string(reference.fault().instruction),
                          std::to_string(fabric::first_fault(state).instruction)))
        return d;
      return compare(reference, state, programs, cycle,
                     every_cycle ? Scope::after_fault : Scope::only_routers);
    }
    const auto stop =
        result.stop == engine::Stop::quiet ? spec::Fabric::Stop::quiet : spec::Fabric::Stop::limit;
    if (auto d =
            fabric_wide("end", describe(outcome.stop, reference.cycle()), describe(stop, cycle)))
      return d;
    if (auto d = compare(reference, state, programs, cycle, lines ? Scope::by_line : Scope::all))
      return d;
    if (auto d = compare_host(c)) return d;
    if (stop != spec::Fabric::Stop::quiet) return std::nullopt;
    outcome.deadlock = reference.anything_left();
    if (auto d = fabric_wide("anything left", outcome.deadlock ? "yes" : "no",
                             engine::anything_left(view) ? "yes" : "no"))
      return d;
    return outcome.deadlock ? explains(c) : std::nullopt;
  }

  void send(const Case& c, std::size_t stop) {
    for_sends(c, stop, [&](const fabric::HostEnd& end, const std::vector<std::uint32_t>& words) {
      fabric::words_at(state, end).append(words);
      std::ranges::copy(words, std::back_inserter(words_at(reference, end)));
      sent += words.size();
    });
  }

  /// The words of all streams, at the host.
  std::optional<Difference> compare_host(const Case& c) {
    return compare_words(c, reference, [&](const fabric::HostEnd& end) -> const base::HostWords& {
      return fabric::words_at(state, end);
    });
  }

  /// Takes all that has come. Returns how many words.
  std::uint64_t receive(const Case& c) {
    std::uint64_t count = 0;
    for_ends(c, [&](const fabric::HostEnd& end, std::size_t) {
      if (end.input) return;
      engine::HostWords& w = fabric::words_at(state, end);
      count += w.held();
      if (!c.receives) return;
      w.drop(w.held());
      words_at(reference, end).clear();
    });
    return count;
  }

  /// Wavelets wait at open inputs of routers.
  bool polled() const {
    return std::ranges::any_of(state.route_row,
                               [](std::uint64_t wake) { return wake != model::kNever; });
  }

  std::uint64_t waiting() const {
    std::uint64_t words = 0;
    for (const engine::HostPort& port : state.host.port)
      for (const engine::HostWords& w : port.input) words += w.held();
    return words;
  }

  std::vector<fabric::HostFacts> host_facts(const Case& c) {
    std::vector<fabric::HostFacts> facts;
    for_ends(c, [&](const fabric::HostEnd& end, std::size_t n) {
      facts.push_back({c.host[n], end.x, end.y, words_at(reference, end).size()});
    });
    return facts;
  }

  /// Everything that is stuck waits for one of the first causes that are found.
  std::optional<Difference> explains(const Case& c) {
    const DeadlockReport report = fabric::deadlock_report(
        fabric::deadlock::mesh_of(
            state.width, state.height, machine,
            [&](int x, int y) { return fabric::pe_state(state, programs, x, y, cycle); },
            host_facts(c)),
        cycle);
    std::set<std::tuple<DeadlockWait::What, int, int, int, int>> explained;
    for (const DeadlockCause& cause : report.causes)
      for (const DeadlockWait& wait : cause.stuck)
        explained.emplace(wait.what, wait.x, wait.y, wait.number, wait.color);
    explain(report);  // there are words for all of it
    return fabric_wide("stuck things with a first cause", std::to_string(report.waits),
                       std::to_string(explained.size()));
  }
};

void note_reached(const spec::Core& core, Outcome& outcome) {
  outcome.shapes |=
      std::ranges::any_of(core.dsr, [](const auto& d) { return d.shape.has_value(); });
  outcome.fifos |= std::ranges::any_of(core.fifo, [](const auto& f) { return f.head != 0; });
  outcome.shared |= outcome.fault.kind != FaultKind::queue_color_changed &&
                    std::ranges::any_of(core.colors_seen, [](std::uint32_t colors) {
                      return std::popcount(colors) > 1;
                    });
}

void count(const Pair& pair, Outcome& outcome) {
  const spec::Fabric& reference = pair.reference;
  for (int y = 0; y < reference.height(); ++y)
    for (int x = 0; x < reference.width(); ++x) note_reached(reference.pe(x, y).core, outcome);
  outcome.cycles = reference.cycle();
  outcome.wavelets = reference.wavelets;
  outcome.hops = reference.hops;
  outcome.delivered = reference.delivered;
  outcome.filtered = reference.filtered;
  outcome.host_sent = pair.sent - pair.waiting();
}

}  // namespace

Program program_of(std::vector<Instruction> code, std::vector<std::int32_t> local_entries) {
  Program p;
  p.name = "case";
  p.data_entry.fill(Program::kUnbound);
  p.local_entry.fill(Program::kUnbound);
  p.control_entry.fill(Program::kUnbound);
  std::ranges::copy(local_entries, p.local_entry.begin());
  p.started_local = local_entries.empty() ? 0 : 1;
  p.code = std::move(code);
  return p;
}

Layout layout_of(const Case& c) {
  Layout layout(c.width, c.height);
  for (const auto& [where, program] : c.programs) layout.place(where, program);
  for (const Layout::HostStream& s : c.host) {
    if (s.input)
      layout.host_input(s.name, s.where, s.edge, s.color);
    else
      layout.host_output(s.name, s.where, s.edge, s.color, s.limit);
  }
  for (const Layout::Routing& r : c.routes) layout.route(r.where, r.color, r.route);
  for (const Layout::Filtering& f : c.filters) layout.filter(f.where, f.color, f.filter);
  return layout;
}

Accelerations accelerations(unsigned bits) {
  const auto on = [&](unsigned n) { return (bits >> n & 1U) != 0; };
  return {.delay_lines = on(0),
          .shared_execution = on(1),
          .equal_lines = on(6),
          .run_ahead = on(2),
          .dry_run = on(3),
          .element_rows = on(5),
          .shortcuts = on(4)};
}

fabric::State state_of(const Case& c) {
  fabric::State state = fabric::build(layout_of(c), c.machine);
  state.fast = c.fast;
  if (!c.fast.dry_run) std::ranges::fill(state.private_cycles, 0);
  if (c.observe.counts)
    fabric::start_counting(state, layout_of(c),
                           fabric::lines_of_programs(layout_of(c), state.programs.size()),
                           c.observe);
  if (c.memory_seed == 0) return state;
  for (int y = 0; y < c.height; ++y)
    for (int x = 0; x < c.width; ++x) {
      std::uint32_t* const memory = state.memory_of(x, y);
      for (std::size_t w = 0; w < state.timing.memory_bytes / 4; ++w)
        memory[w * model::kLanes] = initial_word(c.memory_seed, x, y, w);
    }
  return state;
}

Reference::Reference(const Case& c, const Observation& asked)
    : Fabric(layout_of(c), c.machine, asked) {
  for (int y = 0; y < c.height; ++y)
    for (int x = 0; x < c.width; ++x) {
      std::vector<std::uint32_t>& memory = pe(x, y).core.memory;
      for (std::size_t w = 0; w < memory.size() && c.memory_seed != 0; ++w)
        memory[w] = initial_word(c.memory_seed, x, y, w);
    }
}

Outcome run(const Case& c, const Meddle& meddle) {
  Pair pair(c);
  Outcome outcome;
  std::vector<std::uint64_t> stops = c.stops.value_or(std::vector<std::uint64_t>{});
  if (!c.stops)
    for (std::uint64_t cycle = 1; cycle < c.limit; ++cycle) stops.push_back(cycle);
  stops.push_back(c.limit);
  for (std::size_t n = 0; n < stops.size(); ++n) {
    pair.send(c, n);
    outcome.difference = pair.advance(stops[n], c, meddle, outcome);
    if (outcome.difference || outcome.stop == spec::Fabric::Stop::fault) break;
    const std::uint64_t came = pair.receive(c);
    outcome.host_words += came;
    if (outcome.stop != spec::Fabric::Stop::quiet || (c.receives && came > 0 && pair.polled()))
      continue;
    // At rest, it goes on with the next words from the host.
    const auto sends_at = [&](std::size_t stop) {
      return std::ranges::any_of(c.sends,
                                 [&](const HostSend& s) { return s.stop == stop && s.each > 0; });
    };
    while (n + 1 < stops.size() && !sends_at(n + 1)) ++n;
  }
  count(pair, outcome);
  return outcome;
}

Outcome run_counting_ahead(const Case& c) {
  Pair pair(c);
  pair.ahead = pair.state.counts->view.ahead = true;
  Outcome outcome;
  Case at_once = c;
  at_once.stops.emplace();  // rows do not meet after every cycle
  outcome.difference = pair.advance(c.limit, at_once, {}, outcome);
  count(pair, outcome);
  return outcome;
}

ByLine run_by_line(const Case& c) {
  Pair pair(c);
  pair.lines = true;
  ByLine result;
  result.tried = by_line::lines_of(pair.view).has_value();
  try {
    Case at_once = c;
    at_once.stops.emplace();  // rows do not meet after every cycle
    result.outcome.difference = pair.advance(c.limit, at_once, {}, result.outcome);
  } catch (const by_line::LinesMet&) {
    result.met = true;
    return result;
  }
  count(pair, result.outcome);
  return result;
}

}  // namespace weft::test
