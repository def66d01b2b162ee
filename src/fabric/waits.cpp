#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "fabric/faults.hpp"
#include "fabric/strips.hpp"
#include "model/group.hpp"

namespace weft::fabric {
namespace {

using model::has;
using model::Mask;

constexpr std::size_t kListed = 8;  // enough to see the pattern, short enough to read
constexpr const char* kPortNames[kPorts] = {"west", "east", "south", "north", "ramp"};

struct Wait {
  int x, y, color;
  std::string text;
};

std::string outputs_of(Mask const* tx, int lane) {
  std::string names;
  for (int port = 0; port < kPorts; ++port)
    if (has(tx[port], lane)) names += (names.empty() ? "" : "+") + std::string(kPortNames[port]);
  return names;
}

void look_at_routers(State& s, std::size_t strip, const model::Place& at,
                     std::vector<Wait>& waits) {
  for (int color = 0; color < kColors; ++color) {
    const std::int32_t index = s.strip[strip].color_state[color];
    if (index < 0) continue;
    const model::ColorState& c = s.colors[static_cast<std::size_t>(index)];
    for (int port = 0; port < kPorts; ++port) {
      if (c.queue[port] < 0) continue;
      const Mask held = s.port_queues[static_cast<std::size_t>(c.queue[port])].valid[0];
      for (Mask rest = held; rest != 0; rest &= rest - 1) {
        const int lane = model::lowest(rest);
        const int position = s.switches[static_cast<std::size_t>(index)].position[lane];
        const std::string why =
            has(c.rx[port], lane)
                ? fmt::format("has no room at {}", outputs_of(c.tx, lane))
                : fmt::format("finds this input closed at switch position {}", position);
        waits.push_back(
            {at.x(lane), at.y(lane), color,
             fmt::format("a wavelet of color {} at input {} {}", color, kPortNames[port], why)});
      }
    }
  }
}

/// What a microthread may wait for, or null.
const char* wait_name(model::Operand::Kind kind) {
  switch (kind) {
    case model::Operand::fabric_in:
      return "input queue";
    case model::Operand::fabric_out:
      return "output queue";
    case model::Operand::fifo:
      return "FIFO";
    default:
      return nullptr;
  }
}

void look_at_core(State& s, std::size_t strip, const model::Place& at, std::vector<Wait>& waits) {
  const model::CoreState& core = s.core[strip];
  for (int u = 0; u < model::kMicrothreads; ++u) {
    const model::Microthread& t = core.microthread[u];
    for (Mask rest = t.live; rest != 0; rest &= rest - 1) {
      const int lane = model::lowest(rest);
      for (const std::uint32_t where : t.work[lane].where) {
        const char* name = wait_name(model::Operand::kind(where));
        if (name == nullptr) continue;
        waits.push_back({at.x(lane), at.y(lane), -1,
                         fmt::format("microthread {} waits for {} {} ({} elements to go)", u, name,
                                     model::Operand::queue(where), t.work[lane].left)});
      }
    }
  }
  for (int q = 0; q < kInputQueues; ++q)
    for (Mask rest = core.in[q].valid[0]; rest != 0; rest &= rest - 1) {
      const int lane = model::lowest(rest);
      const bool blocked = has(core.queue_blocked[q], lane);
      waits.push_back({at.x(lane), at.y(lane), core.queue_color[q][lane],
                       fmt::format("a wavelet of color {} in input queue {} is not taken{}",
                                   core.queue_color[q][lane], q, blocked ? " (blocked)" : "")});
    }
  for (int q = 0; q < kOutputQueues; ++q)
    for (Mask rest = core.out[q].valid[0]; rest != 0; rest &= rest - 1) {
      const int lane = model::lowest(rest);
      waits.push_back(
          {at.x(lane), at.y(lane), core.out[q].color[lane],
           fmt::format("a wavelet of color {} in output queue {} has no room in the router",
                       core.out[q].color[lane], q)});
    }
}

/// Everything that waits, row by row.
std::vector<Wait> waits_of(State& s) {
  std::vector<Wait> waits;
  for (std::size_t strip = 0; strip < s.strip_count(); ++strip) {
    const model::Place at = place(s, strip);
    look_at_routers(s, strip, at, waits);
    look_at_core(s, strip, at, waits);
  }
  std::ranges::stable_sort(
      waits, [](const Wait& a, const Wait& b) { return std::tie(a.y, a.x) < std::tie(b.y, b.x); });
  return waits;
}

std::string list(const std::vector<Wait>& waits) {
  std::string text;
  for (std::size_t i = 0; i < waits.size() && i < kListed; ++i)
    text +=
        fmt::format("{}PE ({}, {}): {}", i == 0 ? "" : "; ", waits[i].x, waits[i].y, waits[i].text);
  if (waits.size() > kListed) text += fmt::format("; and {} more", waits.size() - kListed);
  return text;
}

FaultError stuck(State& s, FaultKind kind, std::uint64_t cycle, const std::string& what,
                 const std::string& remedy) {
  const std::vector<Wait> waits = waits_of(s);
  Fault fault;
  fault.kind = kind;
  fault.cycle = cycle;
  if (!waits.empty()) {
    fault.x = waits.front().x;
    fault.y = waits.front().y;
    fault.color = waits.front().color;
  }
  return {fault,
          fmt::format("{} ({}); {}", what, waits.empty() ? "cores are busy" : list(waits), remedy)};
}

}  // namespace

bool anything_left(const State& s) {
  Mask left = 0;
  for (std::size_t strip = 0; strip < s.strip_count(); ++strip) {
    if (!s.in_use(strip)) continue;
    const model::CoreState& core = s.core[strip];
    left |= core.running | model::with_microthreads(core);
    for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1)
      left |= core.in[model::lowest(rest)].valid[0];
    for (std::uint32_t rest = s.strip[strip].outputs_held; rest != 0; rest &= rest - 1)
      left |= core.out[model::lowest(rest)].valid[0];
  }
  for (std::size_t n = 0; n < s.port_queues.size(); ++n) left |= s.port_queues[n].valid[0];
  return left != 0;
}

FaultError deadlock_error(State& s, std::uint64_t cycle) {
  return stuck(s, FaultKind::deadlock, cycle,
               fmt::format("nothing can move any more after cycle {}", cycle),
               "see who waits for whom, and free the first of them");
}

FaultError limit_error(State& s, std::uint64_t limit) {
  return stuck(s, FaultKind::cycle_limit, limit,
               fmt::format("the run is not done at cycle {}", limit),
               "give it a higher limit if it still makes progress");
}

}  // namespace weft::fabric
