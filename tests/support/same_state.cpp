#include "support/same_state.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <typeinfo>
#include <vector>

#include "model/core/work.hpp"
#include "model/lanes/lanes.hpp"
#include "model/queues.hpp"
#include "weft/types.hpp"

namespace weft::test {
namespace {

/// Only payloads of wavelets that are there.
template <class Queue>
void forget_payloads(Queue& queue) {
  for (int k = 0; k < model::kDepth<Queue>; ++k)
    for (int lane = 0; lane < model::kLanes; ++lane)
      if (!model::has(queue.valid[k], lane)) queue.payload[k].at[lane] = 0;
}

/// A core as it compares: the bytes between the members of Form are anything, `colored` and how
/// formed lanes share their work are the affair of who does elements in rows
/// (fast/element_rows.hpp), and so is the work of lanes without the microthread. The color of an
/// output queue says nothing while the queue is empty.
model::CoreState comparable(const model::CoreState& core) {
  model::CoreState copy;
  std::memcpy(&copy, &core, sizeof copy);
  copy.took_input = 0;
  for (model::Microthread& thread : copy.microthread) {
    thread.colored = 0;
    const model::Mask formed = thread.formed;
    model::forget_form(thread);  // writes all that these lanes share
    thread.formed = formed;
    model::Form clean;
    std::memset(static_cast<void*>(&clean), 0, sizeof clean);
    clean.op = thread.form.op;
    std::memcpy(clean.where, thread.form.where, sizeof clean.where);
    std::memcpy(static_cast<void*>(&thread.form), &clean, sizeof clean);
    thread.same_words = thread.same_ends = false;
    thread.shared = {};
    std::memset(thread.done, 0, sizeof thread.done);
    std::memset(thread.end, 0, sizeof thread.end);
    for (int lane = 0; lane < model::kLanes; ++lane) {
      if (model::has(thread.live, lane)) continue;
      for (int k = 0; k < 3; ++k)
        thread.where[k].at[lane] = thread.at[k].at[lane] = thread.step[k].at[lane] = 0;
      thread.pc.at[lane] = thread.left.at[lane] = 0;
    }
  }
  for (model::RampQueue& queue : copy.in) forget_payloads(queue);
  for (model::RampQueue& queue : copy.out) {
    forget_payloads(queue);
    for (int lane = 0; lane < model::kLanes; ++lane)
      if (!model::has(queue.valid[0], lane)) queue.color[lane] = 0;
  }
  return copy;
}

/// A strip as it compares between two runs: what is on links counts no more then, and how it
/// came there is the engine's affair (fast/shortcuts.hpp). But no way is known any more.
model::StripState comparable(const model::StripState& strip) {
  model::StripState copy;
  std::memcpy(&copy, &strip, sizeof copy);
  for (model::Vector& link : copy.link) link = {};
  copy.straight = false;
  copy.room_grew = 0;
  std::memset(static_cast<void*>(&copy.way), 0, sizeof copy.way);
  copy.way.color_bit = strip.way.color_bit;
  return copy;
}

/// Without `sent`, of which some is stale: difference_of_sent compares the rest.
model::ColorState comparable(const model::ColorState& color) {
  model::ColorState copy;
  std::memcpy(&copy, &color, sizeof copy);
  for (model::Mask& sent : copy.sent) sent = 0;
  return copy;
}

model::PortQueue comparable(const model::PortQueue& queue) {
  model::PortQueue copy;
  std::memcpy(&copy, &queue, sizeof copy);
  forget_payloads(copy);
  return copy;
}

/// Everything else as it is.
template <class T>
const T& comparable(const T& whole) {
  return whole;
}

template <class T>
bool same(const T& a, const T& b) {
  const auto& x = comparable(a);
  const auto& y = comparable(b);
  return std::memcmp(&x, &y, sizeof x) == 0;
}

template <>
bool same(const Fault& a, const Fault& b) {
  return a.kind == b.kind && a.cycle == b.cycle && a.x == b.x && a.y == b.y && a.color == b.color &&
         a.detail == b.detail && a.instruction == b.instruction;
}

/// Who sent last, of the colors and links of which the strip says so. `a`, `b`: equal strips.
std::string difference_of_sent(const model::View& a, const model::View& b, std::size_t strips) {
  for (std::size_t i = 0; i < strips; ++i)
    for (int link = 0; link < kLinks; ++link) {
      const model::StripState& strip = a.strip[i];
      for (std::uint32_t rest = strip.sent[link]; rest != 0; rest &= rest - 1) {
        const std::int32_t color = strip.color_state[model::lowest(rest)];
        if (a.colors[color].sent[link] != b.colors[color].sent[link])
          return fmt::format("lanes that sent color {} by link {} in strip {} of {}",
                             model::lowest(rest), link, i, strips);
      }
    }
  return "";
}

}  // namespace

std::string difference(fabric::State& a, fabric::State& b) {
  const model::View of_a = a.view(), of_b = b.view();
  std::string found;
  const auto compare = [&](const char* name, const auto* x, const auto* y, std::size_t n) {
    for (std::size_t i = 0; i < n && found.empty(); ++i)
      if (!same(x[i], y[i])) found = fmt::format("{} {} of {}", name, i, n);
  };
  const std::size_t strips = a.strip_count(), rows = static_cast<std::size_t>(a.rows);
  compare("memory word", of_a.memory, of_b.memory, strips * a.memory_words * model::kLanes);
  compare("strip", of_a.strip, of_b.strip, strips);
  compare("core", of_a.core, of_b.core, strips);
  compare("color", of_a.colors, of_b.colors, a.colors.size());
  compare("switch", of_a.switches, of_b.switches, a.colors.size());
  compare("filter", of_a.filters, of_b.filters, a.filters.size());
  compare("tally of a filter", of_a.tallies, of_b.tallies, a.filters.size());
  compare("FIFO", of_a.fifos, of_b.fifos, a.fifos.size());
  compare("router queue", of_a.port_queues, of_b.port_queues, a.port_queues.size());
  compare("wake of routing", of_a.route_wake, of_b.route_wake, strips);
  compare("wake of delivering", of_a.deliver_wake, of_b.deliver_wake, strips);
  compare("wake of the core", of_a.core_wake, of_b.core_wake, strips);
  compare("row's wake of routing", of_a.route_row, of_b.route_row, rows);
  compare("row's wake of delivering", of_a.deliver_row, of_b.deliver_row, rows);
  compare("row's wake of cores", of_a.core_row, of_b.core_row, rows);
  compare("row's fault", of_a.fault_row, of_b.fault_row, rows);
  compare("fault", of_a.faults, of_b.faults, strips);
  return found.empty() ? difference_of_sent(of_a, of_b, strips) : found;
}

}  // namespace weft::test
