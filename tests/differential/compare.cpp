#include "differential/compare.hpp"

#include <fmt/format.h>

#include <variant>
#include <vector>

#include "model/state.hpp"

namespace weft::test {
namespace {

using model::has;
using model::kLanes;
using model::Mask;
using spec::Queue;

/// Takes the first difference of one PE.
struct Report {
  std::uint64_t cycle;
  int x, y;
  std::optional<Difference> found{};

  template <class F>
  void check(std::uint64_t reference, std::uint64_t emulator, F field) {
    if (found || reference == emulator) return;
    found = Difference{cycle,
                       x,
                       y,
                       field(),
                       fmt::format("{} (0x{:x})", reference, reference),
                       fmt::format("{} (0x{:x})", emulator, emulator)};
  }
  void check(std::uint64_t reference, std::uint64_t emulator, const char* field) {
    check(reference, emulator, [&] { return std::string(field); });
  }
};

/// Where a PE stands in the emulator's state.
struct Lane {
  const fabric::State& state;
  int x, y;
  model::Seat seat = model::seat_of(state.strips, x, y);
  std::size_t strip = static_cast<std::size_t>(seat.strip);
  int lane = seat.lane;

  const model::StripState& router() const { return state.strip[strip]; }
  const model::CoreState& core() const { return state.core[strip]; }
  std::uint32_t word(std::size_t at) const { return state.memory_of(x, y)[at * kLanes]; }
};

/// Entries of a queue in unary masks: payload, control bit, seen.
struct Entry {
  std::uint32_t payload;
  bool control, seen;
};

template <class QueueOf32>
std::vector<Entry> entries(const QueueOf32& q, int lane, int depth) {
  std::vector<Entry> result;
  for (int k = 0; k < depth && has(q.valid[k], lane); ++k) {
    bool seen = true;
    if constexpr (requires { q.seen; }) seen = has(q.seen[k], lane);
    result.push_back({q.payload[k].at[lane], has(q.control[k], lane), seen});
  }
  return result;
}

void compare_queue(Report& report, const Queue& reference, const std::vector<Entry>& emulator,
                   std::uint64_t seen_until, const std::string& name) {
  report.check(reference.size(), emulator.size(), [&] { return name + ", wavelets"; });
  for (std::size_t k = 0; k < reference.size() && !report.found; ++k) {
    report.check(reference[k].payload, emulator[k].payload,
                 [&] { return fmt::format("{}, payload {}", name, k); });
    report.check(reference[k].control, emulator[k].control,
                 [&] { return fmt::format("{}, control bit {}", name, k); });
    if (seen_until != model::kNever)
      report.check(reference[k].ready <= seen_until, emulator[k].seen,
                   [&] { return fmt::format("{}, seen {}", name, k); });
  }
}

std::uint8_t open(const Mask* ports, int lane) {
  unsigned bits = 0;
  for (int port = 0; port < kPorts; ++port) bits |= (has(ports[port], lane) ? 1U : 0U) << port;
  return static_cast<std::uint8_t>(bits);
}

void compare_channel(Report& report, const spec::Channel& channel, const Lane& pe, int color,
                     Scope scope) {
  const auto name = [color](const char* what) { return fmt::format("color {}, {}", color, what); };
  const std::int32_t index = pe.router().color_state[color];
  report.check(1, index >= 0 ? 1 : 0, [&] { return name("routed"); });
  if (report.found) return;
  const model::ColorState& c = pe.state.colors[static_cast<std::size_t>(index)];
  const model::SwitchState& s = pe.state.switches[static_cast<std::size_t>(index)];
  report.check(static_cast<std::uint64_t>(channel.position), s.position[pe.lane],
               [&] { return name("switch position"); });
  report.check(channel.now().rx.bits(), open(c.rx, pe.lane), [&] { return name("rx"); });
  report.check(channel.now().tx.bits(), open(c.tx, pe.lane), [&] { return name("tx"); });
  for (int port = 0; port < kPorts; ++port) {
    if (c.queue[port] < 0) {
      report.check(channel.queue[static_cast<std::size_t>(port)].size(), 0,
                   [&] { return fmt::format("color {}, router queue of port {}", color, port); });
      continue;
    }
    const model::PortQueue& q = pe.state.port_queues[static_cast<std::size_t>(c.queue[port])];
    compare_queue(report, channel.queue[static_cast<std::size_t>(port)],
                  entries(q, pe.lane, model::kMaxRouterDepth), model::kNever,
                  fmt::format("color {}, router queue of port {}", color, port));
  }
  report.check(channel.held, has(c.held, pe.lane), [&] { return name("held"); });
  if (!channel.filter) return;
  const model::FilterState& f = pe.state.filters[static_cast<std::size_t>(c.filter)];
  const model::FilterTally& t = pe.state.tallies[static_cast<std::size_t>(c.filter)];
  if (scope != Scope::by_line) {
    report.check(channel.let_in, t.let_in.at[pe.lane], [&] { return name("wavelets let in"); });
    report.check(channel.control_let_in, t.control.at[pe.lane],
                 [&] { return name("control wavelets let in"); });
    report.check(channel.refused, t.refused.at[pe.lane], [&] { return name("wavelets refused"); });
  }
  std::visit(
      [&](const auto& filter) {
        if constexpr (requires { filter.counter; }) {
          report.check(filter.counter, f.counter.at[pe.lane],
                       [&] { return name("filter counter"); });
          if (scope != Scope::only_routers)
            report.check(filter.limit1, f.limit1.at[pe.lane],
                         [&] { return name("filter limit1"); });
          report.check(filter.max_counter, f.max_counter.at[pe.lane],
                       [&] { return name("filter max_counter"); });
          report.check(filter.count_data, has(f.count_data, pe.lane),
                       [&] { return name("filter counts data"); });
          report.check(filter.count_control, has(f.count_control, pe.lane),
                       [&] { return name("filter counts control"); });
        }
      },
      *channel.filter);
}

void compare_ramps(Report& report, const spec::Core& core, const Lane& pe, std::uint64_t cycle) {
  const model::CoreState& s = pe.core();
  for (std::size_t q = 0; q < kInputQueues; ++q) {
    compare_queue(report, core.input[q], entries(s.in[q], pe.lane, model::kMaxRampDepth), cycle - 1,
                  fmt::format("input queue {}", q));
    if (core.program && !core.input[q].empty())
      report.check(static_cast<std::uint64_t>(core.input[q].front().color),
                   s.queue_color[q][pe.lane],
                   [&] { return fmt::format("input queue {}, color", q); });
  }
  for (std::size_t q = 0; q < kOutputQueues; ++q) {
    compare_queue(report, core.output[q], entries(s.out[q], pe.lane, model::kMaxRampDepth),
                  model::kNever, fmt::format("output queue {}", q));
    if (!core.output[q].empty())
      report.check(static_cast<std::uint64_t>(core.output[q].front().color),
                   s.out[q].color[pe.lane],
                   [&] { return fmt::format("output queue {}, color", q); });
  }
}

void compare_tasks(Report& report, const spec::Core& core, const Lane& pe, std::uint64_t cycle) {
  const model::CoreState& s = pe.core();
  const int lane = pe.lane;
  if (!core.program) return;
  for (std::size_t id = 0; id < kLocalTasks; ++id) {
    report.check(core.active[id], has(s.local_active[id], lane),
                 [&] { return fmt::format("local task {}, active", id); });
    report.check(core.blocked[id], has(s.local_blocked[id], lane),
                 [&] { return fmt::format("local task {}, blocked", id); });
  }
  for (std::size_t q = 0; q < kInputQueues; ++q) {
    if (core.input[q].empty()) continue;  // its color no longer matters
    const int color = core.input[q].front().color;
    report.check(core.color_blocked[static_cast<std::size_t>(color)], has(s.queue_blocked[q], lane),
                 [&] { return fmt::format("color of queue {}, blocked", q); });
  }
  report.check(core.pending, s.pending.at[lane], "colors torn down");
  const bool ended = has(s.ending, lane) && s.wake[lane] < cycle;
  const bool running = has(s.running, lane) && !ended;
  report.check(core.running, running, "running a task");
  report.check(core.waiting, has(s.waiting, lane), "waiting for a microthread");
  if (!core.running || !running) return;
  report.check(core.pc + core.first_instruction, s.pc.at[lane], "pc, among all instructions");
  if (!core.waiting) report.check(core.wake, s.wake[lane], "cycle of the next instruction");
}

void compare_fifos(Report& report, const spec::Core& core, const Lane& pe) {
  if (core.fifo.empty()) return;
  const std::int32_t first = pe.core().fifo;
  report.check(1, first >= 0 ? 1 : 0, "has FIFOs");
  for (std::size_t n = 0; n < core.fifo.size() && !report.found; ++n) {
    const spec::FifoFill& fill = core.fifo[n];
    const model::FifoState& f = pe.state.fifos[static_cast<std::size_t>(first) + n];
    const auto name = [n](const char* what) { return fmt::format("FIFO {}, {}", n, what); };
    report.check(fill.held, f.held.at[pe.lane], [&] { return name("elements"); });
    if (fill.held > 0)
      report.check(fill.head, f.head.at[pe.lane], [&] { return name("oldest element"); });
    report.check(fill.found_empty, has(f.was_empty, pe.lane), [&] { return name("found empty"); });
    report.check(fill.found_full, has(f.was_full, pe.lane), [&] { return name("found full"); });
  }
}

void compare_core(Report& report, const spec::Core& core, const Lane& pe, std::uint64_t cycle) {
  const model::CoreState& s = pe.core();
  compare_ramps(report, core, pe, cycle);
  compare_tasks(report, core, pe, cycle);
  compare_fifos(report, core, pe);
  for (std::size_t u = 0; u < kInputQueues; ++u) {
    const auto& m = core.microthread[u];
    report.check(m ? 1 : 0, has(s.microthread[u].live, pe.lane) ? 1 : 0,
                 [&] { return fmt::format("microthread {}, live", u); });
    if (m)
      report.check(m->work.left, s.microthread[u].work[pe.lane].left,
                   [&] { return fmt::format("microthread {}, elements left", u); });
  }
  for (std::size_t r = 0; r < kRegisters; ++r)
    report.check(core.reg[r], s.reg[r].at[pe.lane], [&] { return fmt::format("r{}", r); });
  for (std::size_t w = 0; w < core.memory.size() && !report.found; ++w)
    report.check(core.memory[w], pe.word(w),
                 [&] { return fmt::format("memory at byte {}", 4 * w); });
}

std::optional<Difference> compare_counters(const spec::Fabric& reference,
                                           const fabric::State& state, std::uint64_t cycle) {
  std::uint64_t wavelets = 0, hops = 0, delivered = 0, filtered = 0;
  for (std::size_t i = 0; i < state.strip_count(); ++i) {
    wavelets += state.strip[i].wavelets;
    hops += state.strip[i].hops;
    delivered += state.strip[i].delivered;
    filtered += state.strip[i].filtered;
  }
  Report report{cycle, -1, -1};
  report.check(reference.wavelets, wavelets, "wavelets");
  report.check(reference.hops, hops, "hops");
  report.check(reference.delivered, delivered, "delivered");
  report.check(reference.filtered, filtered, "filtered");
  return report.found;
}

}  // namespace

std::string describe(const Difference& d) {
  const std::string place = d.x < 0 ? "the fabric" : fmt::format("PE ({}, {})", d.x, d.y);
  return fmt::format("before cycle {}, {}: {} is {} in the reference, {} in the emulator", d.cycle,
                     place, d.field, d.reference, d.emulator);
}

std::optional<Difference> compare(const spec::Fabric& reference, const fabric::State& state,
                                  std::uint64_t cycle, Scope scope) {
  for (int y = 0; y < reference.height(); ++y)
    for (int x = 0; x < reference.width(); ++x) {
      const spec::Pe& pe = reference.pe(x, y);
      const Lane lane{.state = state, .x = x, .y = y};
      Report report{cycle, x, y};
      if (scope != Scope::all && pe.core.stopped) continue;
      for (int color = 0; color < kColors && !report.found; ++color)
        if (const auto& channel = pe.router.channel[static_cast<std::size_t>(color)])
          compare_channel(report, *channel, lane, color, scope);
      // The behaviour of a core on a queue of two colors is nothing to compare.
      if (scope != Scope::only_routers && !pe.core.mixed && !report.found)
        compare_core(report, pe.core, lane, cycle);
      if (report.found) return report.found;
    }
  return compare_counters(reference, state, cycle);
}

}  // namespace weft::test
