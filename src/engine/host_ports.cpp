#include "engine/host_ports.hpp"

#include <algorithm>
#include <span>

#include "model/lanes/lane_vectors.hpp"
#include "model/router/links.hpp"
#include "model/router/room.hpp"
#include "model/state.hpp"
#include "model/state/counts_state.hpp"

namespace weft::engine {
namespace {

using namespace model;

std::span<HostPort> ports_of(HostPorts& host, int row) {
  const auto r = static_cast<std::size_t>(row);
  return std::span(host.port).subspan(host.first[r], host.first[r + 1] - host.first[r]);
}

bool has_words(const HostPort& port) {
  return std::ranges::any_of(port.input, [](const HostWords& w) { return w.held() > 0; });
}

/// The oldest word of a color is on the link, as a neighbour's wavelet is (leave, wake_beyond).
void put_on_link(const View& v, const HostPort& port, HostWords& words, std::uint64_t now) {
  StripState& strip = v.strip[port.strip];
  if (strip.left_cycle != now) clear_departures(strip, now);
  const auto link = static_cast<int>(opposite(port.edge));
  const std::uint32_t color_bit = 1U << words.color;
  const Mask lane = lane_bit(port.lane);
  ColorState& c = v.colors[strip.color_state[words.color]];
  const bool others = (strip.sent[link] & color_bit) != 0;
  c.sent[link] = others ? c.sent[link] | lane : lane;
  strip.sent[link] |= color_bit;
  strip.left |= color_bit;
  strip.straight = false;
  strip.link_control[link] &= ~lane;
  if (v.data) strip.link[link].at[port.lane] = words.oldest(1).front();
  words.drop(1);
  ++strip.hops;
  if (v.counts != nullptr)  // where the host stands: another thread may step the PE
    ++v.counts->strip[port.strip].sum[static_cast<int>(Count::from_host)].at[port.lane];
  wake_now(v.deliver_wake[port.pe_strip], now);
  wake_now(v.deliver_row[port.pe_row], now);
}

/// The lowest color with a word for which the PE's router has room goes first.
bool send(const View& v, HostPort& port, std::uint64_t now) {
  const StripState& pe = v.strip[port.pe_strip];
  for (HostWords& words : port.input) {
    const std::int32_t color = pe.color_state[words.color];
    if (words.held() == 0 || color < 0) continue;
    if (!has(v.colors[color].room[static_cast<int>(port.edge)], port.pe_lane)) continue;
    put_on_link(v, port, words, now);
    return true;
  }
  return false;
}

/// When a row's words may enter next: `now` is the first cycle in question.
void note_inputs(HostPorts& host, int row, std::uint64_t now) {
  std::uint64_t wake = kNever, timed = kNever;
  for (const HostPort& port : ports_of(host, row)) {
    if (!has_words(port)) continue;
    earlier(wake, std::max(port.input_free, now));
    if (port.input_free >= now) earlier(timed, port.input_free);
  }
  host.input_wake[static_cast<std::size_t>(row)] = wake;
  host.input_timed[static_cast<std::size_t>(row)] = timed;
}

/// Step 1 of the host. Returns whether a word has left.
bool send_row(const View& v, int row, std::uint64_t now) {
  HostPorts& host = *v.host;
  if (host.input_wake[static_cast<std::size_t>(row)] > now) return false;
  bool moved = false;
  for (HostPort& port : ports_of(host, row)) {
    if (port.input_free > now || !send(v, port, now)) continue;
    port.input_free = now + v.timing.host_link;
    moved = true;
  }
  note_inputs(host, row, now + 1);
  return moved;
}

/// Takes what has come by the link. Control wavelets end here.
bool take(const View& v, HostPort& port) {
  const StripState& strip = v.strip[port.strip];
  const auto in = static_cast<int>(opposite(port.edge));
  for (HostWords& words : port.output) {
    const ColorState& c = v.colors[strip.color_state[words.color]];
    PortQueue& q = v.port_queues[c.queue[in]];
    if (!has(q.valid[0], port.lane)) continue;
    if (!has(q.control[0], port.lane))
      words.words.push_back(v.data ? q.payload[0].at[port.lane] : 0);
    q.valid[0] &= ~lane_bit(port.lane);
    return true;
  }
  return false;
}

/// A color's queue is open where the host can take a wavelet in the next cycle.
void open_or_close(const View& v, const HostPort& port, bool free) {
  StripState& strip = v.strip[port.strip];
  const auto in = static_cast<int>(opposite(port.edge));
  const Mask lane = lane_bit(port.lane);
  for (const HostWords& words : port.output) {
    Mask& opens = v.colors[strip.color_state[words.color]].opens[in];
    opens = free && words.held() < words.limit ? opens | lane : opens & ~lane;
    publish_rooms(v, strip, 1U << words.color);
  }
}

/// Step 2 of the host. Returns whether a link is free again in the next cycle: a wavelet may have
/// waited for it.
bool take_row(const View& v, int row, std::uint64_t now) {
  HostPorts& host = *v.host;
  std::uint64_t timed = kNever;
  bool freed = false;
  for (HostPort& port : ports_of(host, row)) {
    if (port.output.empty()) continue;
    const bool took = take(v, port);
    if (took) port.output_free = now + v.timing.host_link;
    const bool free = port.output_free <= now + 1;
    if (took || port.output_free == now + 1) open_or_close(v, port, free);
    freed |= port.output_free == now + 1;
    if (!free) earlier(timed, port.output_free - 1);
  }
  host.output_timed[static_cast<std::size_t>(row)] = timed;
  return freed;
}

bool route(const View& v, int row, std::uint64_t now) {
  bool moved = row_functions(v).route(v, row, now);
  if (send_row(v, row, now)) {
    v.left_row[row] = now;
    wake_now(v.deliver_row[row], now);
    moved = true;
  }
  earlier(v.route_row[row], v.host->input_wake[static_cast<std::size_t>(row)]);
  return moved;
}

/// The row's wake in step 2 is set here alone: in step 1 rows beside it may do so too.
bool deliver_and_core(const View& v, int row, std::uint64_t now) {
  const auto r = static_cast<std::size_t>(row);
  bool moved = row_functions(v).deliver_and_core(v, row, now);
  moved |= take_row(v, row, now);
  earlier(v.route_row[row], v.host->input_wake[r]);
  earlier(v.deliver_row[row], std::min(v.host->input_timed[r], v.host->output_timed[r]));
  return moved;
}

}  // namespace

const RowFunctions hosted_rows{route, deliver_and_core};

void look_at_host(const View& v, std::uint64_t cycle) {
  HostPorts& host = *v.host;
  for (int row = 0; row < v.rows; ++row) {
    for (const HostPort& port : ports_of(host, row))
      open_or_close(v, port, port.output_free <= cycle);
    note_inputs(host, row, cycle);
    const auto r = static_cast<std::size_t>(row);
    if (host.input_timed[r] == cycle) host.input_timed[r] = kNever;  // it is polled
    earlier(v.route_row[row], host.input_wake[r]);
    earlier(v.deliver_row[row], std::min(host.input_timed[r], host.output_timed[r]));
  }
}

bool host_words_left(const HostPorts& host) { return std::ranges::any_of(host.port, has_words); }

}  // namespace weft::engine
