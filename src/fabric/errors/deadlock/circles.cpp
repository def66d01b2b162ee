#include "fabric/errors/deadlock/circles.hpp"

#include <algorithm>
#include <map>

#include "fabric/errors/deadlock/filters.hpp"
#include "isa/control.hpp"

namespace weft::fabric::deadlock {
namespace {

using Kind = OperandFacts::Kind;

/// The microthread would do something: an element, or note an empty FIFO and end.
bool can_act(const Mesh& mesh, const PeState& p, const MicrothreadFacts& t) {
  bool fifo_lacks = false;
  for (std::size_t k = 0; k < t.operands.size(); ++k) {
    const auto n = static_cast<std::size_t>(t.operands[k].number);
    const Kind kind = t.operands[k].kind;
    if (kind == Kind::input && p.input[n].wavelets.empty()) return false;
    if (kind == Kind::output && p.output[n].wavelets.size() >= mesh.output_depth[n]) return false;
    if (kind == Kind::fifo)
      fifo_lacks |= k == 0 ? p.fifos[n].held >= p.fifos[n].capacity : p.fifos[n].held == 0;
  }
  return !fifo_lacks || !t.options.async;
}

/// The core does nothing more, unless its router brings or takes something.
bool at_rest(const Mesh& mesh, const PeState& p) {
  if (!p.programmed) return true;
  if (p.running && !p.waiting) return false;
  const auto acts = [&](const MicrothreadFacts& t) { return can_act(mesh, p, t); };
  if (std::ranges::any_of(p.microthreads, acts)) return false;
  if (p.running) return true;
  return (p.active_tasks & ~p.blocked_tasks) == 0 &&
         std::ranges::all_of(p.input, [](const RampFacts& q) {
           return q.wavelets.empty() || q.blocked || q.claimed;
         });
}

/// Queues of routers that stay as they are, as long as cores do nothing.
class Frozen {
 public:
  explicit Frozen(const Mesh& mesh) : mesh_(mesh) {
    for (int pe = 0; pe < static_cast<int>(mesh.pes.size()); ++pe)
      for (const Channel& c : mesh.at(pe).channels)
        for (int port = 0; port < kPorts; ++port)
          if (stays(pe, c, port)) add({pe, c.color, port});
    for (std::size_t n = 0; n < left_.size(); ++n) add_those_behind(Inlet{left_[n]});
  }

  bool has(const Inlet& in) const { return frozen_.contains(in); }

 private:
  void add(const Inlet& in) {
    if (frozen_.insert(in).second) left_.push_back(in);
  }

  /// It holds wavelets that cannot leave, whatever other routers do.
  bool stays(int pe, const Channel& c, int port) const {
    const auto& queue = c.queue[static_cast<std::size_t>(port)];
    if (queue.empty()) return false;
    if (c.torn_down || !c.rx[static_cast<std::size_t>(port)]) return true;
    for (int link = 0; link < kLinks; ++link)
      if (c.tx[static_cast<std::size_t>(link)] && leads_nowhere(pe, c, static_cast<Port>(link)))
        return true;
    if (!core_gets(c, queue.front())) return false;
    const auto q = static_cast<std::size_t>(c.input_queue);
    return c.input_queue < 0 || mesh_.at(pe).input[q].wavelets.size() >= mesh_.input_depth[q];
  }

  bool leads_nowhere(int pe, const Channel& c, Port link) const {
    const HostFacts* host = mesh_.host_at(pe, link, c.color, false);
    return host != nullptr ? is_full(*host) : mesh_.beyond_link(pe, c.color, link) == nullptr;
  }

  /// Queues whose wavelets go to a full one that is frozen.
  void add_those_behind(const Inlet& in) {
    const auto port = static_cast<std::size_t>(in.port);
    const Channel& into = *mesh_.at(in.pe).channel(in.color);
    const auto side = static_cast<Port>(in.port);
    if (side == Port::ramp || into.queue[port].size() < mesh_.depth_of(in.pe, port)) return;
    const int from = mesh_.beyond(in.pe, side);
    if (from < 0) return;
    for_link_colors(mesh_.at(in.pe), in.color, port, [&](int color) {
      const Channel* c = mesh_.at(from).channel(color);
      if (c == nullptr || !c->tx[static_cast<std::size_t>(opposite(side))]) return;
      for (int n = 0; n < kPorts; ++n)
        if (const auto at = static_cast<std::size_t>(n); c->rx[at] && !c->queue[at].empty())
          add({from, color, n});
    });
  }

  const Mesh& mesh_;
  std::set<Inlet> frozen_{};
  std::vector<Inlet> left_{};
};

/// All that moving wavelets can come to.
class Moving {
 public:
  Moving(const Mesh& mesh, const Frozen& frozen) : mesh_(mesh) {
    for (int pe = 0; pe < static_cast<int>(mesh.pes.size()); ++pe)
      for (const Channel& c : mesh.at(pe).channels)
        for (int port = 0; port < kPorts; ++port) {
          const auto& queue = c.queue[static_cast<std::size_t>(port)];
          if (queue.empty() || frozen.has({pe, c.color, port})) continue;
          wavelets_.insert(wavelets_.end(), queue.begin(), queue.end());
          ways_in_.try_emplace({pe, c.color, port}, 0);
        }
  }

  /// Each input on their way leads on to just one, and just one leads to it: so all are in circles,
  /// in which no wavelet is lost and none comes to another. Only then are they worth anything.
  bool all_in_circles() {
    if (ways_in_.empty()) return false;
    std::vector<Inlet> left;
    left.reserve(ways_in_.size());
    for (const auto& [in, ways] : ways_in_) left.push_back(in);
    for (std::size_t n = 0; n < left.size(); ++n) {
      const Inlet in = left[n];
      const Channel& c = *mesh_.at(in.pe).channel(in.color);
      if (c.torn_down || !c.rx[static_cast<std::size_t>(in.port)] || !keeps(c)) return false;
      bool leads_on = false;
      for (int link = 0; link < kLinks; ++link) {
        if (!c.tx[static_cast<std::size_t>(link)]) continue;
        const auto to = static_cast<Port>(link);
        const Channel* into = mesh_.beyond_link(in.pe, in.color, to);
        if (into == nullptr) return false;
        const Inlet next{mesh_.beyond(in.pe, to), into->color, static_cast<int>(opposite(to))};
        const auto [known, is_new] = ways_in_.try_emplace(next, 0);
        if (is_new) left.push_back(next);
        if (++known->second > 1) return false;
        leads_on = true;
      }
      if (!leads_on) return false;
    }
    return harmless();
  }

  std::set<Inlet> inputs() const {
    std::set<Inlet> all;
    for (const auto& [in, ways] : ways_in_) all.insert(in);
    return all;
  }

 private:
  /// Control wavelets change nothing on their way, however often they pass.
  bool harmless() const {
    std::vector<std::uint32_t> payloads;
    const auto add = [&](std::uint32_t payload) {
      if (std::ranges::find(payloads, payload) == payloads.end()) payloads.push_back(payload);
    };
    for (const HeldWavelet& w : wavelets_)
      if (w.control) add(w.payload);
    for (std::size_t n = 0; n < payloads.size(); ++n)
      for (const auto& [in, ways] : ways_in_) {
        const Channel& c = *mesh_.at(in.pe).channel(in.color);
        const std::uint32_t payload = payloads[n];
        if (c.tx[kRamp] || obeys(c, isa::command(payload, 0))) return false;
        add(onward(c, payload));
      }
    return true;
  }

  /// The command would do something.
  static bool obeys(const Channel& c, std::uint32_t command) {
    const int last = static_cast<int>(c.positions.size()) - 1;
    if (command == isa::kAdvance) return c.position < last || (c.ring && last > 0);
    if (command == isa::kReset) return c.position != c.initial;
    return command == isa::kTeardown;
  }

  /// A payload after a router that has not advanced.
  static std::uint32_t onward(const Channel& c, std::uint32_t payload) {
    const bool nop = isa::command(payload, 0) == isa::kNop;
    const bool pops = c.pop == PopMode::always_pop || (c.pop == PopMode::pop_on_advance_nop && nop);
    return pops ? isa::popped(payload) : payload;
  }

  /// The core gets none of them.
  bool keeps(const Channel& c) const {
    if (!c.tx[kRamp]) return true;
    return c.filter && std::ranges::all_of(wavelets_, [&](const HeldWavelet& w) {
             return never_gets(c.filter->settings, w);
           });
  }

  static bool never_gets(const Filter& filter, const HeldWavelet& wavelet) {
    if (std::holds_alternative<RangeFilter>(filter)) return refuses(filter, wavelet);
    const auto* counter = std::get_if<CounterFilter>(&filter);
    return (counter != nullptr && counter->filter_control) || never_opens(filter);
  }

  const Mesh& mesh_;
  std::vector<HeldWavelet> wavelets_{};
  std::map<Inlet, int> ways_in_{};  ///< inputs on their way, and how many lead to each
};

/// A color in a router.
struct RouterColor {
  int pe, color;
  auto operator<=>(const RouterColor&) const = default;
};

/// Words of the host will come into a router.
bool enters(const Mesh& mesh, const HostFacts& host) {
  if (!host.stream.input || host.words == 0) return false;
  const Channel* into =
      mesh.taken_by(host.y * mesh.width + host.x, host.stream.color, host.stream.edge);
  const auto edge = static_cast<std::size_t>(host.stream.edge);
  return into != nullptr && into->queue[edge].size() < mesh.timing.router_depth;
}

/// Nothing of an output queue comes into the router any more.
bool output_stays(const Mesh& mesh, int pe, const RampFacts& q, const Frozen& frozen) {
  if (q.wavelets.empty()) return true;
  const Channel* into = mesh.taken_by(pe, q.color, Port::ramp);
  return into == nullptr || (into->queue[kRamp].size() >= mesh.timing.router_depth &&
                             frozen.has({pe, into->color, static_cast<int>(kRamp)}));
}

}  // namespace

std::set<Inlet> circling(const Mesh& mesh) {
  for (const PeState& p : mesh.pes)
    if (!at_rest(mesh, p)) return {};
  for (const HostFacts& host : mesh.host)
    if (enters(mesh, host)) return {};
  const Frozen frozen(mesh);
  for (int pe = 0; pe < static_cast<int>(mesh.pes.size()); ++pe)
    for (const RampFacts& q : mesh.at(pe).output)
      if (!output_stays(mesh, pe, q, frozen)) return {};
  Moving moving(mesh, frozen);
  return moving.all_in_circles() ? moving.inputs() : std::set<Inlet>{};
}

std::vector<int> circle_at(const Mesh& mesh, int pe, int color, bool with_switches) {
  const RouterColor first{pe, color};
  std::map<RouterColor, RouterColor> before;
  std::vector<RouterColor> queue{first};
  for (std::size_t n = 0; n < queue.size() && !before.contains(first); ++n) {
    const RouterColor at = queue[n];
    const Channel& c = *mesh.at(at.pe).channel(at.color);
    if (!with_switches && c.positions.size() > 1) continue;
    for (int link = 0; link < kLinks; ++link) {
      const auto to = static_cast<Port>(link);
      if (!c.tx[static_cast<std::size_t>(link)]) continue;
      const Channel* into = mesh.beyond_link(at.pe, at.color, to);
      if (into == nullptr || !into->rx[static_cast<std::size_t>(opposite(to))]) continue;
      const RouterColor next{mesh.beyond(at.pe, to), into->color};
      if (before.try_emplace(next, at).second) queue.push_back(next);
    }
  }
  std::vector<int> pes;
  if (!before.contains(first)) return pes;
  for (RouterColor at = before.at(first); at != first; at = before.at(at)) pes.push_back(at.pe);
  pes.push_back(pe);
  std::ranges::reverse(pes);
  return pes;
}

std::vector<int> circle_before(const Mesh& mesh, int pe, int color) {
  std::vector<RouterColor> queue{{pe, color}};
  std::set<RouterColor> seen{queue.front()};
  for (std::size_t n = 0; n < queue.size(); ++n) {
    const RouterColor at = queue[n];
    const PeState& p = mesh.at(at.pe);
    std::vector<RouterColor> before;
    for (std::size_t in = 0; in < kLinks; ++in) {
      const auto side = static_cast<Port>(in);
      const int from = mesh.beyond(at.pe, side);
      if (from < 0 || !p.channel(at.color)->rx[in]) continue;
      for_link_colors(p, at.color, in, [&](int on_link) {
        const Channel* c = mesh.at(from).channel(on_link);
        const bool leads_here = c != nullptr && c->tx[static_cast<std::size_t>(opposite(side))];
        if (leads_here) before.push_back({from, on_link});
      });
    }
    for (const RouterColor& place : before) {
      if (seen.insert(place).second) {
        queue.push_back(place);
      } else if (auto pes = circle_at(mesh, place.pe, place.color, false); !pes.empty()) {
        return pes;
      }
    }
  }
  return {};
}

}  // namespace weft::fabric::deadlock
