#include "spec/fabric.hpp"

#include <algorithm>

#include "spec/control.hpp"
#include "spec/filter.hpp"

namespace weft::spec {
namespace {

constexpr Port kAllLinks[] = {Port::west, Port::east, Port::south, Port::north};

std::size_t index(Port port) { return static_cast<std::size_t>(port); }

template <class F>
void for_each_pe(const Rect& r, F f) {
  for (int y = r.y; y < r.y + r.height; ++y)
    for (int x = r.x; x < r.x + r.width; ++x) f(x, y);
}

}  // namespace

Fabric::Fabric(const Layout& layout, const Machine& machine, const Observation& asked)
    : machine_(machine), width_(layout.width()), height_(layout.height()) {
  pes_.reserve(index(width_) * index(height_));
  if (asked.counts) counts.emplace(pes_.capacity(), asked);
  for_each_pe({0, 0, width_, height_}, [&](int x, int y) {
    pes_.push_back({Router{}, Core(machine_, x, y)});
  });
  for_each_pe({0, 0, width_, height_}, [&](int x, int y) {
    for (const Port side : kAllLinks) pe(x, y).router.beyond_far[index(side)] = is_far(x, y, side);
  });
  for (const Layout::Routing& r : layout.routings())
    for_each_pe(r.where,
                [&](int x, int y) { pe(x, y).router.channel[index(r.color)].emplace(r.route); });
  for (const Layout::Filtering& f : layout.filterings())
    for_each_pe(f.where,
                [&](int x, int y) { pe(x, y).router.channel[index(f.color)]->filter = f.filter; });
  for (const Layout::HostStream& s : layout.host_streams())
    for_each_pe(s.where, [&](int x, int y) {
      HostLink& host = host_[{y, x, s.edge}];
      if (s.input)
        host.input[s.color];
      else
        host.output[s.color].limit = s.limit;
    });
  // Instructions are numbered over all programs, of which equal ones are the same.
  std::vector<std::pair<const Program*, std::uint32_t>> first_of;
  std::uint32_t instructions = 0;
  for (const Layout::Placement& p : layout.placements()) {
    auto known = std::ranges::find_if(first_of, [&](const auto& one) {
      return one.first == p.program.get() || *one.first == *p.program;
    });
    if (known == first_of.end()) {
      known = first_of.insert(known, {p.program.get(), instructions});
      instructions += static_cast<std::uint32_t>(p.program->code.size());
    }
    for_each_pe(p.where, [&](int x, int y) {
      pe(x, y).core.load(p.program, known->second);
      if (counts) counts->place(index(y) * index(width_) + index(x), *p.program);
    });
  }
}

void Fabric::step() {
  something_happened_ = false;
  if (counts) counts->begin_cycle(cycle_);
  begin_link_period();
  for (Pe& p : pes_) p.router.begin_cycle(machine_);
  from_host_.clear();
  const Rect all{0, 0, width_, height_};
  const auto each_host = [&](auto f) {
    for (auto& [at, host] : host_)
      (this->*f)(std::get<1>(at), std::get<0>(at), std::get<2>(at), host);
  };
  each_host(&Fabric::send_from_host);                       // 1.
  for_each_pe(all, [&](int x, int y) { route(x, y); });     // 1.
  for_each_pe(all, [&](int x, int y) { deliver(x, y); });   // 2.
  each_host(&Fabric::take_to_host);                         // 2.
  for_each_pe(all, [&](int x, int y) { run_core(x, y); });  // 3.
  ++cycle_;
}

Fabric::Stop Fabric::run(std::uint64_t limit) {
  something_happened_ = true;  // the host may have done something
  if (cycle_ != 0 && cycle_ < limit && quiet()) return Stop::quiet;
  while (cycle_ < limit) {
    step();
    if (fault_.kind != FaultKind::none) return Stop::fault;
    if (quiet()) return Stop::quiet;
  }
  return Stop::limit;
}

// 1. Route.

void Fabric::route(int x, int y) {
  std::array<bool, kPorts> taken{};  // outputs that a color has used in this cycle
  for (std::uint64_t n = 0; n < 32; ++n) {
    const std::uint64_t color = n ^ cycle_ % 32;
    if (color >= kColors) continue;
    if (auto& channel = pe(x, y).router.channel[color]; channel && !misses(x, y))
      route_color(x, y, *channel, static_cast<int>(color), taken);
  }
}

void Fabric::route_color(int x, int y, Channel& channel, int color,
                         std::array<bool, kPorts>& taken) {
  const std::vector<int> inputs = channel.offers(cycle_);
  if (inputs.empty()) return;
  if (inputs.size() > 1) return record(x, y, {FaultKind::input_collision, color});
  const auto from = static_cast<Port>(inputs.front());
  Queue& queue = channel.queue[index(inputs.front())];
  const Wavelet wavelet = queue.front();
  Core& core = pe(x, y).core;

  // Its receivers: the links of the present position, and the core if nothing keeps it away.
  const PortSet tx = channel.now().tx;
  const bool to_ramp = tx.has(Port::ramp);
  const bool hidden = wavelet.control && slot(wavelet.payload, 0).no_core;
  const bool accepted =
      to_ramp && !hidden && (!channel.filter || accepts(*channel.filter, wavelet));
  const auto held = [&](Count why) {
    count_held(x, y, color, why);
    emit_held(x, y, color, why, from);
  };
  const auto some_link = [&](auto keeps) {
    return std::ranges::any_of(kAllLinks, [&](Port link) { return tx.has(link) && keeps(link); });
  };
  if (some_link([&](Port link) { return taken[index(link)]; })) return held(Count::held_link);
  if (some_link([&](Port link) { return !room_beyond(x, y, link, color); }))
    return held(Count::held_room);
  const std::optional<int> input_queue = channel.route.input_queue;
  if (accepted && (taken[index(Port::ramp)] || !input_queue || !core.input_has_room(*input_queue)))
    return held(Count::held_ramp);
  if (some_link([&](Port link) { return rests(x, y, link); })) {
    something_happened_ = true;  // it goes on by itself in the next cycle
    return held(Count::held_rest);
  }
  // It leaves.
  something_happened_ = true;
  queue.pop_front();
  if (accepted) {
    Wavelet copy = wavelet;
    copy.ready = cycle_ + static_cast<std::uint64_t>(machine_.ramp_cycles);
    Queue& into = core.input[index(*input_queue)];
    if (!into.empty() && into.back().color != color) {
      core.mixed = true;
      record(x, y, {FaultKind::queue_color_changed, color, *input_queue});
    }
    into.push_back(copy);
    core.colors_seen[index(*input_queue)] |= 1U << color;
    taken[index(Port::ramp)] = true;
    ++delivered;
    count_left(x, y, color, Port::ramp);
    emit(x, y, EventKind::delivered, color, static_cast<std::uint32_t>(*input_queue), from);
  }
  if (!accepted && (to_ramp || tx.empty()))
    emit(x, y, EventKind::refused, color, !to_ramp ? 2 : hidden ? 1 : 0, from);
  if (to_ramp && channel.filter) {
    if (accepted) ++(wavelet.control ? channel.control_let_in : channel.let_in);
    if (!accepted && !hidden) ++channel.refused, ++filtered;
    if (!hidden) count(x, y, accepted ? Count::let_in : Count::refused);
    spec::count(*channel.filter, wavelet);
  }
  Wavelet onward = wavelet;
  if (wavelet.control) {
    const int position = channel.position;
    const bool advanced = channel.obey(wavelet.payload);
    onward.payload = channel.onward(wavelet.payload, advanced);
    if (slot(wavelet.payload, 0).command == Command::teardown) {
      channel.torn_down = true;
      core.tell_torn_down(color);
    }
    if (channel.position != position || channel.torn_down)
      emit(x, y, EventKind::switched, color, channel.emitted_position(), Port::ramp);
  }
  for (const Port link : kAllLinks) {
    if (!tx.has(link)) continue;
    pe(x, y).router.link[index(link)] = onward;
    taken[index(link)] = true;
    ++hops;
    count_left(x, y, color, link);
    emit(x, y, EventKind::hop, color, static_cast<std::uint32_t>(link), from);
  }
}

/// The host sends as a neighbour does: of the lowest color with a word for which there is room.
void Fabric::send_from_host(int x, int y, Port edge, HostLink& host) {
  if (host.input_free > cycle_) return;
  for (auto& [color, words] : host.input) {
    const auto& channel = pe(x, y).router.channel[index(color)];
    if (words.empty() || !channel || !channel->room[index(edge)]) continue;
    from_host_[{y, x, edge}] = {words.front(), false, color};
    words.pop_front();
    host.input_free = cycle_ + static_cast<std::uint64_t>(machine_.host_link_cycles);
    something_happened_ = true;
    ++hops;
    count(x, y, Count::from_host);
    return;
  }
}

/// The host takes what has left a router by its link. Control wavelets end there.
void Fabric::take_to_host(int x, int y, Port edge, HostLink& host) {
  if (const auto& wavelet = pe(x, y).router.link[index(edge)]) {
    if (!wavelet->control) host.output.at(wavelet->color).words.push_back(wavelet->payload);
    host.output_free = cycle_ + static_cast<std::uint64_t>(machine_.host_link_cycles);
  }
  if (host.output_free == cycle_ + 1) something_happened_ = true;  // the link is free again
}

bool Fabric::host_takes(int x, int y, Port edge, int color) const {
  const auto host = host_.find({y, x, edge});
  if (host == host_.end() || host->second.output_free > cycle_) return false;
  const auto output = host->second.output.find(color);
  return output != host->second.output.end() &&
         output->second.words.size() <
             output->second.limit.value_or(output->second.words.max_size());
}

Router* Fabric::neighbour(int x, int y, Port link) {
  switch (link) {
    case Port::west:
      --x;
      break;
    case Port::east:
      ++x;
      break;
    case Port::south:
      ++y;
      break;
    case Port::north:
      --y;
      break;
    case Port::ramp:
      return nullptr;
  }
  if (x < 0 || x >= width_ || y < 0 || y >= height_) return nullptr;
  return &pe(x, y).router;
}

bool Fabric::room_beyond(int x, int y, Port link, int color) {
  const Router* beyond = neighbour(x, y, link);
  if (beyond == nullptr) return host_takes(x, y, link, color);
  if (!beyond->channel[index(color)]) return false;
  return beyond->channel[index(color)]->room[index(opposite(link))];
}

/// Links rest in the first cycles of a period.
void Fabric::begin_link_period() {
  if (machine_.link_busy_cycles == 0) return;
  const auto rest = static_cast<std::uint64_t>(machine_.link_rest_cycles);
  const std::uint64_t period = rest + static_cast<std::uint64_t>(machine_.link_busy_cycles);
  if (cycle_ % period == 0) {
    const auto crowd = static_cast<std::uint64_t>(machine_.crowd_wavelets);
    period_rests_ = crowd == 0 || hops - hops_before_ > crowd * period;
    hops_before_ = hops;
  }
  links_rest_ = period_rests_ && cycle_ % period < rest;
}

bool Fabric::rests(int x, int y, Port link) { return links_rest_ && is_far(x, y, link); }

/// Links between dies are far, and all are where dies have no size. (Those to the host are not.)
bool Fabric::is_far(int x, int y, Port link) {
  if (neighbour(x, y, link) == nullptr) return false;
  const int width = machine_.die_width, height = machine_.die_height;
  if (width == 0 && height == 0) return true;
  // A link to the west or the north ends where the PE's own column or row begins.
  switch (link) {
    case Port::west:
      return width != 0 && x % width == 0;
    case Port::east:
      return width != 0 && (x + 1) % width == 0;
    case Port::north:
      return height != 0 && y % height == 0;
    case Port::south:
      return height != 0 && (y + 1) % height == 0;
    case Port::ramp:
      return false;
  }
  return false;
}

// 2. Deliver.

void Fabric::deliver(int x, int y) {
  Pe& here = pe(x, y);
  for (const Port side : kAllLinks) {
    const Router* beyond = neighbour(x, y, side);
    const auto from_host = from_host_.find({y, x, side});
    const bool comes = beyond != nullptr ? beyond->link[index(opposite(side))].has_value()
                                         : from_host != from_host_.end();
    if (!comes) continue;
    Wavelet wavelet = beyond != nullptr ? *beyond->link[index(opposite(side))] : from_host->second;
    const int late = here.router.beyond_far[index(side)] ? machine_.die_link_cycles : 0;
    wavelet.ready = cycle_ + static_cast<std::uint64_t>(machine_.hop_cycles + late);
    here.router.take(wavelet, side);
  }
  if (misses(x, y)) return;
  for (std::uint64_t n = 0; n < 8; ++n) {
    const std::uint64_t q = n ^ cycle_ % 8;
    if (q >= kOutputQueues) continue;
    Queue& output = here.core.output[q];
    if (output.empty() || output.front().ready > cycle_) continue;
    Wavelet wavelet = output.front();
    const auto& channel = here.router.channel[index(wavelet.color)];
    if (!channel || !channel->room[index(Port::ramp)]) continue;
    output.pop_front();
    wavelet.ready = cycle_ + 1;
    here.router.take(wavelet, Port::ramp);
    ++wavelets;
    count(x, y, Count::sent);
    emit(x, y, EventKind::sent, wavelet.color, static_cast<std::uint32_t>(q), Port::ramp);
    something_happened_ = true;
    break;  // one wavelet a cycle
  }
}

// 3. Core.

void Fabric::run_core(int x, int y) {
  if (misses(x, y)) return;
  Pe& here = pe(x, y);
  Core& core = here.core;
  core.begin_cycle(cycle_);
  core.emits = static_cast<bool>(on_event);
  core.emits_elements = emits_elements;
  const bool stopped_before = core.stopped.has_value();
  core.step_microthreads(cycle_, counts.has_value());  // 3.1
  core.pick_task(cycle_);                              // 3.2
  core.issue(cycle_, here.router);                     // 3.3
  something_happened_ |= core.did_something;
  count_core(x, y);
  emit_core(x, y);
  if (core.stopped && !stopped_before) record(x, y, *core.stopped);
}

void Fabric::record(int x, int y, const Stopped& why) {
  const auto earlier = [](const Fault& a, const Fault& b) {
    return std::tuple(a.cycle, a.y, a.x, a.kind) < std::tuple(b.cycle, b.y, b.x, b.kind);
  };
  const Fault fault{
      why.kind, cycle_, x, y, why.color, why.detail, static_cast<std::int32_t>(why.instruction)};
  if (fault_.kind == FaultKind::none || earlier(fault, fault_)) fault_ = fault;
}

// 4. Skip: here only the question whether anything can still happen.

bool Fabric::quiet() const {
  const std::uint64_t last = cycle_ - 1;
  for (const auto& [at, host] : host_) {
    if (host.output_free > cycle_) return false;
    for (const auto& [color, words] : host.input)
      if (!words.empty() && (something_happened_ || host.input_free > last)) return false;
  }
  for (const Pe& p : pes_) {
    if (p.core.is_due(last)) return false;
    for (const Queue& q : p.core.output)
      if (!q.empty() && p.router.can_take(q.front().color, Port::ramp, machine_)) return false;
    for (const auto& channel : p.router.channel) {
      if (!channel || channel->torn_down) continue;
      for (int port = 0; port < kPorts; ++port) {
        const Queue& q = channel->queue[index(port)];
        if (q.empty() || !channel->now().rx.has(static_cast<Port>(port))) continue;
        // A stuck wavelet stays stuck, unless something happened that it may have waited for.
        if (something_happened_ || q.front().ready > last) return false;
      }
    }
  }
  return true;
}

bool Fabric::anything_left() const {
  for (const auto& [at, host] : host_)
    for (const auto& [color, words] : host.input)
      if (!words.empty()) return true;
  return std::ranges::any_of(pes_, [](const Pe& p) {
    if (p.core.holds_work()) return true;
    return std::ranges::any_of(p.router.channel, [](const auto& channel) {
      return channel &&
             std::ranges::any_of(channel->queue, [](const Queue& q) { return !q.empty(); });
    });
  });
}

}  // namespace weft::spec
