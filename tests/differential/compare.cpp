#include "differential/compare.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <variant>
#include <vector>

#include "fabric/stepper/lane_facts.hpp"
#include "fabric/stepper/spec_facts.hpp"

namespace weft::test {
namespace {

using fabric::Channel;
using fabric::DescriptorFacts;
using fabric::HeldWavelet;
using fabric::OperandFacts;
using fabric::PeState;
using fabric::RampFacts;

/// Of what may be -1.
std::uint64_t number(int value) { return static_cast<std::uint32_t>(value); }

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

void compare_queue(Report& report, const std::vector<HeldWavelet>& reference,
                   const std::vector<HeldWavelet>& emulator, const std::string& name) {
  report.check(reference.size(), emulator.size(), [&] { return name + ", wavelets"; });
  for (std::size_t k = 0; k < reference.size() && !report.found; ++k) {
    const auto field = [&](const char* what) {
      return [&name, k, what] { return fmt::format("{}, {} {}", name, what, k); };
    };
    report.check(reference[k].payload, emulator[k].payload, field("payload"));
    report.check(reference[k].control, emulator[k].control, field("control bit"));
    report.check(reference[k].seen, emulator[k].seen, field("seen"));
  }
}

/// A register, or what else a filter has of its kind.
template <class Filter, class F>
void compare_settings(Report& report, const Filter& a, const Filter& b, Scope scope, F name) {
  if constexpr (requires { a.counter; }) {
    report.check(a.counter, b.counter, name("filter counter"));
    if (scope != Scope::only_routers) report.check(a.limit1, b.limit1, name("filter limit1"));
    report.check(a.max_counter, b.max_counter, name("filter max_counter"));
    report.check(a.count_data, b.count_data, name("filter counts data"));
    report.check(a.count_control, b.count_control, name("filter counts control"));
  }
  if constexpr (requires { a.filter_control; })
    report.check(a.filter_control, b.filter_control, name("filter for control wavelets"));
  if constexpr (requires { a.limit2; }) {
    report.check(a.limit2.has_value(), b.limit2.has_value(), name("filter has limit2"));
    report.check(a.limit2.value_or(0), b.limit2.value_or(0), name("filter limit2"));
  }
  if constexpr (requires { a.min_index; }) {
    report.check(a.min_index, b.min_index, name("filter min_index"));
    report.check(a.max_index, b.max_index, name("filter max_index"));
  }
}

void compare_channel(Report& report, const Channel& a, const Channel& b, Scope scope) {
  const auto name = [color = a.color](const char* what) {
    return [color, what] { return fmt::format("color {}, {}", color, what); };
  };
  report.check(number(a.position), number(b.position), name("switch position"));
  report.check(a.rx.to_ulong(), b.rx.to_ulong(), name("rx"));
  report.check(a.tx.to_ulong(), b.tx.to_ulong(), name("tx"));
  report.check(number(a.input_queue), number(b.input_queue), name("input queue"));
  report.check(a.positions.size(), b.positions.size(), name("switch positions"));
  for (std::size_t n = 0; n < a.positions.size() && !report.found; ++n) {
    report.check(a.positions[n].rx.to_ulong(), b.positions[n].rx.to_ulong(), name("rx to come"));
    report.check(a.positions[n].tx.to_ulong(), b.positions[n].tx.to_ulong(), name("tx to come"));
  }
  report.check(a.swaps.to_ulong(), b.swaps.to_ulong(), name("swaps"));
  for (std::size_t port = 0; port < kPorts; ++port)
    compare_queue(report, a.queue[port], b.queue[port],
                  fmt::format("color {}, router queue of port {}", a.color, port));
  report.check(a.torn_down, b.torn_down, name("torn down"));
  report.check(a.filter.has_value(), b.filter.has_value(), name("has a filter"));
  if (report.found || !a.filter) return;
  if (scope != Scope::by_line) {
    report.check(a.filter->let_in, b.filter->let_in, name("wavelets let in"));
    report.check(a.filter->control, b.filter->control, name("control wavelets let in"));
    report.check(a.filter->refused, b.filter->refused, name("wavelets refused"));
  }
  report.check(a.filter->settings.index(), b.filter->settings.index(), name("kind of filter"));
  if (report.found) return;
  std::visit(
      [&](const auto& filter) {
        using Kind = std::remove_cvref_t<decltype(filter)>;
        compare_settings(report, filter, std::get<Kind>(b.filter->settings), scope, name);
      },
      a.filter->settings);
}

void compare_ramp(Report& report, const RampFacts& a, const RampFacts& b, const std::string& name) {
  compare_queue(report, a.wavelets, b.wavelets, name);
  report.check(number(a.color), number(b.color), [&] { return name + ", color"; });
  report.check(a.blocked, b.blocked, [&] { return name + ", color blocked"; });
  report.check(a.claimed, b.claimed, [&] { return name + ", claimed"; });
}

void compare_ramps(Report& report, const PeState& a, const PeState& b) {
  for (std::size_t q = 0; q < kInputQueues; ++q)
    compare_ramp(report, a.input[q], b.input[q], fmt::format("input queue {}", q));
  for (std::size_t q = 0; q < kOutputQueues; ++q)
    compare_ramp(report, a.output[q], b.output[q], fmt::format("output queue {}", q));
}

template <class F>
void compare_names(Report& report, const OperandFacts& a, const OperandFacts& b, F name) {
  report.check(number(static_cast<int>(a.kind)), number(static_cast<int>(b.kind)), name("kind"));
  report.check(number(a.number), number(b.number), name("queue or FIFO"));
  report.check(number(a.color), number(b.color), name("color"));
  report.check(a.control, b.control, name("control"));
}

void compare_descriptor(Report& report, const DescriptorFacts& a, const DescriptorFacts& b,
                        std::size_t n) {
  const auto name = [n](const char* what) {
    return [n, what] { return fmt::format("descriptor {}, {}", n, what); };
  };
  compare_names(report, a.names, b.names, name);
  report.check(a.base, b.base, name("base"));
  report.check(a.length, b.length, name("length"));
  report.check(a.stride, b.stride, name("stride"));
  report.check(a.shape.has_value(), b.shape.has_value(), name("shaped"));
  if (!a.shape || !b.shape) return;
  for (std::size_t k = 0; k < a.shape->size(); ++k) {
    report.check((*a.shape)[k].extent, (*b.shape)[k].extent, name("extent"));
    report.check(number((*a.shape)[k].stride), number((*b.shape)[k].stride),
                 name("shape's stride"));
  }
}

void compare_tasks(Report& report, const PeState& a, const PeState& b) {
  report.check(a.active_tasks, b.active_tasks, "active local tasks");
  report.check(a.blocked_tasks, b.blocked_tasks, "blocked local tasks");
  report.check(a.blocked_colors, b.blocked_colors, "blocked colors");
  report.check(a.torn_down, b.torn_down, "colors torn down");
  report.check(a.running, b.running, "running a task");
  report.check(a.waiting, b.waiting, "waiting for a microthread");
  report.check(a.pc, b.pc, "pc");
  report.check(a.wake, b.wake, "cycle of the next instruction");
}

void compare_microthreads(Report& report, const PeState& a, const PeState& b) {
  report.check(a.microthreads.size(), b.microthreads.size(), "microthreads");
  for (std::size_t n = 0; n < a.microthreads.size() && !report.found; ++n) {
    const fabric::MicrothreadFacts &one = a.microthreads[n], &other = b.microthreads[n];
    const auto name = [&](const char* what) {
      return [&, what] { return fmt::format("microthread {}, {}", one.number, what); };
    };
    report.check(number(one.number), number(other.number), name("live"));
    report.check(one.left, other.left, name("elements left"));
    for (std::size_t k = 0; k < one.operands.size(); ++k)
      compare_names(report, one.operands[k], other.operands[k], name);
  }
}

void compare_fifos(Report& report, const PeState& a, const PeState& b) {
  report.check(a.fifos.size(), b.fifos.size(), "FIFOs");
  for (std::size_t n = 0; n < a.fifos.size() && !report.found; ++n) {
    const auto name = [n](const char* what) {
      return [n, what] { return fmt::format("FIFO {}, {}", n, what); };
    };
    report.check(a.fifos[n].capacity, b.fifos[n].capacity, name("capacity"));
    report.check(a.fifos[n].held, b.fifos[n].held, name("elements"));
    report.check(a.fifos[n].head, b.fifos[n].head, name("oldest element"));
    report.check(a.fifos[n].found_empty, b.fifos[n].found_empty, name("found empty"));
    report.check(a.fifos[n].found_full, b.fifos[n].found_full, name("found full"));
  }
}

void compare_core(Report& report, const PeState& a, const PeState& b) {
  compare_ramps(report, a, b);
  report.check(a.programmed, b.programmed, "has a program");
  compare_tasks(report, a, b);
  compare_microthreads(report, a, b);
  compare_fifos(report, a, b);
  for (std::size_t r = 0; r < kRegisters; ++r)
    report.check(a.registers[r], b.registers[r], [&] { return fmt::format("r{}", r); });
  for (std::size_t n = 0; n < kDescriptors && !report.found; ++n)
    compare_descriptor(report, a.descriptors[n], b.descriptors[n], n);
}

void compare_memory(Report& report, const std::vector<std::uint32_t>& reference,
                    const fabric::State& state) {
  const std::uint32_t* const first = state.memory_of(report.x, report.y);
  for (std::size_t w = 0; w < reference.size() && !report.found; ++w)
    report.check(reference[w], first[w * model::kLanes],
                 [&] { return fmt::format("memory at byte {}", 4 * w); });
}

/// Both in the same order.
void compare_routers(Report& report, const PeState& a, const PeState& b, Scope scope) {
  report.check(a.channels.size(), b.channels.size(), "routed colors");
  for (std::size_t n = 0; n < a.channels.size() && !report.found; ++n) {
    report.check(number(a.channels[n].color), number(b.channels[n].color), "routed color");
    if (!report.found) compare_channel(report, a.channels[n], b.channels[n], scope);
  }
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

std::string describe(const Fault& f) {
  return fmt::format("fault {} at cycle {}, PE ({}, {}), color {}, detail {}",
                     static_cast<int>(f.kind), f.cycle, f.x, f.y, f.color, f.detail);
}

std::string describe(spec::Fabric::Stop stop, std::uint64_t cycle) {
  constexpr const char* kNames[] = {"quiet", "limit", "fault"};
  return fmt::format("{} at cycle {}", kNames[static_cast<int>(stop)], cycle);
}

std::optional<Difference> compare_pes(const PeState& reference, const PeState& emulator,
                                      std::uint64_t cycle, Scope scope) {
  Report report{cycle, reference.x, reference.y};
  compare_routers(report, reference, emulator, scope);
  if (scope != Scope::only_routers && !report.found) compare_core(report, reference, emulator);
  return report.found;
}

std::optional<Difference> compare(const spec::Fabric& reference, const fabric::State& state,
                                  const std::vector<fabric::ProgramFacts>& programs,
                                  std::uint64_t cycle, Scope scope) {
  for (int y = 0; y < reference.height(); ++y)
    for (int x = 0; x < reference.width(); ++x) {
      const spec::Core& core = reference.pe(x, y).core;
      if (scope != Scope::all && core.stopped) continue;
      // The behaviour of a core on a queue of two colors is nothing to compare.
      const Scope here = core.mixed ? Scope::only_routers : scope;
      if (auto found = compare_pes(fabric::pe_state(reference, x, y, true),
                                   fabric::pe_state(state, programs, x, y, cycle), cycle, here))
        return found;
      Report report{cycle, x, y};
      if (here != Scope::only_routers) compare_memory(report, core.memory, state);
      if (report.found) return report.found;
    }
  return compare_counters(reference, state, cycle);
}

}  // namespace weft::test
