#include "distributed/same_as_one.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "differential/stepper_of.hpp"
#include "model/lanes/lanes.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"

namespace weft::test {
namespace {

/// All that one stop of a run has come to.
struct Stand {
  std::string end;  ///< how, when, counts, first fault
  std::vector<fabric::PeState> pes;
  std::vector<std::uint32_t> memory;
};

FabricOptions options_of(const Case& c, std::shared_ptr<Processes> processes,
                         Engine engine = Engine::automatic) {
  FabricOptions options;
  options.engine = engine;
  options.threads = c.threads;
  options.accelerate = c.fast;
  options.accelerate.by_line = false;
  options.processes = std::move(processes);
  return options;
}

/// By line, other cycles are skipped, and filters have no tallies.
Scope scope_of(const Compared& c) { return c.until_idle ? Scope::by_line : Scope::all; }

Stand stand_of(const Compared& c, const fabric::Stepper& stepper, const engine::RunResult& result) {
  Stand stand;
  const engine::Totals totals = stepper.totals();
  const bool left = stepper.anything_left();
  stand.end = fmt::format(
      "end {} at cycle {}, {} skipped; {} wavelets, {} hops, {} delivered, {} "
      "filtered; left: {}; {}",
      static_cast<int>(result.stop), result.cycle, c.until_idle ? 0 : result.skipped,
      totals.wavelets, totals.hops, totals.delivered, totals.filtered, left,
      describe(stepper.first_fault()));
  stepper.collect_states();
  const Processes* const processes = stepper.processes();
  for (int y = 0; (processes == nullptr || processes->rank() == 0) && y < c.height; ++y)
    for (int x = 0; x < c.width; ++x) stand.pes.push_back(stepper.pe_state(x, y));
  stand.memory.resize(static_cast<std::size_t>(c.width) * static_cast<std::size_t>(c.height) *
                      c.memory_words);
  stepper.read({0, 0, c.width, c.height}, 0, stand.memory);
  return stand;
}

/// f(stop's number, stand) after each stop, as long as it returns true.
template <class F>
void run_to_stops(const Compared& c, fabric::Stepper& stepper, F f) {
  for (std::size_t n = 0; n < c.stops.size(); ++n) {
    const engine::RunOptions options{.limit = c.stops[n], .threads = c.threads, .block = c.block};
    const engine::RunResult result =
        c.until_idle ? stepper.run_until_idle(options, [] { return false; }) : stepper.run(options);
    if (!f(n, stand_of(c, stepper, result)) || result.stop == engine::Stop::fault) return;
  }
}

std::string difference(const Stand& one, const Stand& shared, std::uint64_t cycle, Scope scope) {
  if (one.end != shared.end)
    return fmt::format("of one process: {}\nshared: {}", one.end, shared.end);
  for (std::size_t pe = 0; pe < shared.pes.size(); ++pe)  // the first process has them
    if (const auto found = compare_pes(one.pes[pe], shared.pes[pe], cycle, scope))
      return describe(*found);
  return one.memory == shared.memory ? "" : fmt::format("memory differs at cycle {}", cycle);
}

/// What Fabric reports of the whole run: its counters, and the text of its error.
std::string reports_of(const Case& c, const Layout& layout, std::shared_ptr<Processes> processes) {
  FabricOptions options = options_of(c, std::move(processes));
  std::string text;
  Fabric fabric(layout, c.machine, options);
  try {
    fabric.run_until_idle(c.limit);
  } catch (const Error& error) {
    text = error.what();
  }
  const FabricCounters all = fabric.counters();
  return fmt::format("{}, {} {} {} {}: {}", all.cycle, all.wavelets, all.hops, all.delivered,
                     all.filtered, text);
}

}  // namespace

std::string difference(const Compared& compared, Team& team) {
  std::vector<Stand> stands;
  run_to_stops(compared, *compared.make({}), [&](std::size_t, Stand stand) {
    stands.push_back(std::move(stand));
    return true;
  });
  const std::vector<std::string> told = team.run([&](const std::shared_ptr<Processes>& processes) {
    std::string found;
    const auto stepper = compared.make(processes);
    run_to_stops(compared, *stepper, [&](std::size_t n, const Stand& stand) {
      found = n < stands.size()
                  ? difference(stands[n], stand, stepper->history().cycle, scope_of(compared))
                  : "goes on after its end";
      return found.empty();
    });
    if (compared.by_line != nullptr && processes->rank() == 0)
      *compared.by_line = stepper->history().by_line ? 1 : 0;
    return found;
  });
  for (int rank = 0; rank < team.size; ++rank)
    if (const std::string& text = told[static_cast<std::size_t>(rank)]; !text.empty())
      return fmt::format("process {} of {}: {}", rank, team.size, text);
  return "";
}

std::string difference(const Profile& one, const Profile& shared) {
  if (one.cycles != shared.cycles) return "cycles";
  for (const CountInfo& info : count_infos()) {
    const auto n = static_cast<std::size_t>(info.count);
    if (one.totals[n] != shared.totals[n]) return "totals of " + std::string(info.name);
    if (one.windowed[n] != shared.windowed[n]) return "windows of " + std::string(info.name);
  }
  if (one.colors != shared.colors) return "colors";
  if (one.programs != shared.programs) return "programs";
  if (one.phases != shared.phases) return "phases";
  return one == shared ? "" : "something else";
}

Traffic traffic_of_run(const Compared& compared, Team& team) {
  for (const std::string& error : team.run([&](const std::shared_ptr<Processes>& processes) {
         compared.make(processes)->run(
             {compared.stops.back(), compared.threads, {}, compared.block});
         return std::string();
       }))
    if (!error.empty()) throw std::runtime_error(error);
  return team.traffic;
}

namespace {

Compared compared_of(const Case& c, Engine engine = Engine::automatic) {
  Compared compared{.width = c.width,
                    .height = c.height,
                    .memory_words = static_cast<std::size_t>(c.machine.pe_memory_bytes / 4),
                    .stops = c.stops.value_or(std::vector<std::uint64_t>{}),
                    .threads = c.threads,
                    .block = c.block,
                    .make = {}};
  std::erase_if(compared.stops, [&](std::uint64_t stop) { return stop >= c.limit; });
  compared.stops.push_back(c.limit);
  compared.make = [&c, engine, layout = layout_of(c)](std::shared_ptr<Processes> processes) {
    return stepper_of(c, layout, options_of(c, std::move(processes), engine));
  };
  return compared;
}

}  // namespace

Compared compared_on(const Case& c, Engine engine) { return compared_of(c, engine); }

Case tall_case(std::uint64_t seed, Dice& dice) {
  Case c = random_case(seed, dice.roll(1, 20), dice.roll(5, 18));
  c.stops.emplace();
  if (dice.chance(70)) c.stops->push_back(static_cast<std::uint64_t>(dice.roll(1, 60)));
  if (dice.chance(50)) c.stops->push_back(static_cast<std::uint64_t>(dice.roll(60, 300)));
  c.block = dice.chance(50) ? dice.roll(1, 32) : 0;
  c.threads = dice.roll(1, 3);
  c.fast = accelerations(static_cast<unsigned>(dice.roll(0, static_cast<int>(kCombinations) - 1)));
  return c;
}

Team team_for(const Case& c, std::uint64_t seed) {
  const int most = std::min(4, model::strips_down(c.height));
  Team team;
  team.size = 2 + static_cast<int>(seed % static_cast<std::uint64_t>(most - 1));
  team.delays = seed % 3 == 0 ? seed + 1 : 0;
  return team;
}

std::string error_of_run(const Layout& layout, const Machine& machine, const FabricOptions& options,
                         std::uint64_t limit) {
  try {
    Fabric(layout, machine, options).run_until_idle(limit);
  } catch (const Error& error) {
    return std::string(to_string(error.category())) + ": " + error.what();
  }
  return "no error";
}

Compared compared_by_line(const Case& c) {
  Compared compared = compared_of(c);
  compared.until_idle = true;
  compared.stops = {c.limit};
  compared.make = [&c, layout = layout_of(c)](std::shared_ptr<Processes> processes) {
    const bool shared = processes != nullptr;
    return stepper_of(c, layout, options_of(c, std::move(processes)), {.always = shared});
  };
  return compared;
}

std::string difference(const Case& c, Team& team) { return difference(compared_of(c), team); }

Traffic traffic_of_run(const Case& c, Team& team) { return traffic_of_run(compared_of(c), team); }

std::string difference_of_reports(const Case& c, Team& team) {
  const Layout layout = layout_of(c);
  const std::string one = reports_of(c, layout, {});
  for (const std::string& shared : team.run([&](const std::shared_ptr<Processes>& processes) {
         return reports_of(c, layout, processes);
       }))
    if (shared != one) return fmt::format("of one process: {}\nshared: {}", one, shared);
  return "";
}

}  // namespace weft::test
