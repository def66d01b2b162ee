#include "fabric/errors/deadlock/color_ways.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "fabric/errors/deadlock/filters.hpp"

namespace weft::fabric::deadlock {
namespace {

/// An input of a router, and how many links away it is.
struct Input {
  int pe, color;
  std::size_t port;
  int hops;
};

/// Inputs of all routers that a walk has come to.
class Seen {
 public:
  explicit Seen(const Mesh& mesh) : bits_(mesh.pes.size() * kColors * kPorts) {}
  /// Whether it is the first time.
  bool add(int pe, int color, std::size_t port) {
    const std::size_t bit =
        (static_cast<std::size_t>(pe) * kColors + static_cast<std::size_t>(color)) * kPorts + port;
    const bool is_new = !bits_[bit];
    bits_[bit] = true;
    return is_new;
  }

 private:
  std::vector<bool> bits_;
};

/// Colors whose wavelets could start a task in a core.
std::vector<int> started_by(const PeState& pe) {
  std::vector<int> colors;
  for (const Channel& c : pe.channels)
    if (pe.may_start_task(c)) colors.push_back(c.color);
  return colors;
}

/// Follows wavelets on their way, whatever positions switches have.
struct Downstream {
  const Mesh& mesh;
  std::vector<Input> queue{};
  Seen seen{mesh};

  /// A wavelet comes to a PE's router.
  void visit(int pe, int on_link, Port in) {
    const auto port = static_cast<std::size_t>(in);
    const Channel* c = mesh.taken_by(pe, on_link, in);
    if (c != nullptr && seen.add(pe, c->color, port)) queue.push_back({pe, c->color, port, 0});
  }

  /// f(PE, channel) wherever one is led to the core.
  template <class F>
  void follow(F f) {
    for (std::size_t n = 0; n < queue.size(); ++n) {
      const Input at = queue[n];
      const Channel& c = *mesh.at(at.pe).channel(at.color);
      for (const Opening& position : c.positions) {
        if (!position.rx[at.port]) continue;
        if (position.tx[kRamp]) f(at.pe, c);
        for (int link = 0; link < kLinks; ++link) {
          const auto port = static_cast<Port>(link);
          const int to =
              position.tx[static_cast<std::size_t>(link)] ? mesh.beyond(at.pe, port) : -1;
          if (to >= 0) visit(to, c.color, opposite(port));
        }
      }
    }
  }
};

/// Follows routes back from inputs of a router: f(input, color on the link) where no PE is before
/// one, at a core or the fabric's edge. Nearest first.
template <class F>
void follow_back(const Mesh& mesh, int pe, int color, Ports inputs, F f) {
  std::vector<Input> queue;
  Seen seen(mesh);
  const auto visit = [&](int at, int of, Ports ports, int hops) {
    for (std::size_t port = 0; port < kPorts; ++port)
      if (ports[port] && seen.add(at, of, port)) queue.push_back({at, of, port, hops});
  };
  visit(pe, color, inputs, 0);
  for (std::size_t n = 0; n < queue.size(); ++n) {
    const Input in = queue[n];
    for_link_colors(mesh.at(in.pe), in.color, in.port, [&](int on_link) {
      const auto port = static_cast<Port>(in.port);
      const int from = mesh.beyond(in.pe, port);
      if (from < 0) return f(in, on_link);
      const Channel* c = mesh.at(from).channel(on_link);
      if (c != nullptr) visit(from, on_link, c->inputs_to(opposite(port)), in.hops + 1);
    });
  }
}

}  // namespace

std::vector<DeadlockSender> senders_to(const Mesh& mesh, int pe, int color, Ports inputs) {
  std::vector<DeadlockSender> senders;
  follow_back(mesh, pe, color, inputs, [&](const Input& in, int on_link) {
    if (in.port != kRamp) return;
    const PeState& p = mesh.at(in.pe);
    senders.push_back({p.x, p.y, in.hops, p.programmed, (p.program.sends >> on_link & 1U) != 0,
                       p.running || !p.microthreads.empty(), started_by(p)});
  });
  return senders;
}

std::vector<std::string> host_streams_to(const Mesh& mesh, int pe, int color, Ports inputs) {
  std::vector<std::string> names;
  follow_back(mesh, pe, color, inputs, [&](const Input& in, int on_link) {
    const HostFacts* host = mesh.host_at(in.pe, static_cast<Port>(in.port), on_link, true);
    if (host != nullptr && std::ranges::find(names, host->stream.name) == names.end())
      names.push_back(host->stream.name);
  });
  return names;
}

std::vector<std::uint32_t> fed_colors(const Mesh& mesh) {
  std::vector<std::uint32_t> fed(mesh.pes.size());
  Downstream down{mesh};
  for (int pe = 0; pe < static_cast<int>(mesh.pes.size()); ++pe)
    for (std::uint32_t rest = mesh.at(pe).program.sends; rest != 0; rest &= rest - 1)
      down.visit(pe, std::countr_zero(rest), Port::ramp);
  for (const HostFacts& host : mesh.host)
    if (host.stream.input)
      down.visit(host.y * mesh.width + host.x, host.stream.color, host.stream.edge);
  down.follow(
      [&](int pe, const Channel& c) { fed[static_cast<std::size_t>(pe)] |= 1U << c.color; });
  return fed;
}

std::vector<DeadlockReceiver> receivers_from(const Mesh& mesh,
                                             const std::vector<DeadlockSender>& senders, int color,
                                             int but) {
  Downstream down{mesh};
  for (const DeadlockSender& sender : senders)
    if (sender.sends) down.visit(sender.y * mesh.width + sender.x, color, Port::ramp);
  std::map<int, const Channel*> reached;
  down.follow([&](int pe, const Channel& c) {
    if (pe != but) reached.emplace(pe, &c);
  });
  std::vector<DeadlockReceiver> receivers;
  for (const auto& [pe, channel] : reached) {
    DeadlockReceiver& receiver =
        receivers.emplace_back(DeadlockReceiver{mesh.at(pe).x, mesh.at(pe).y});
    if (channel->filter) receiver.filter = filter_facts(channel->color, *channel->filter);
  }
  return receivers;
}

DeadlockFilter filter_facts(int color, const FilterFacts& filter) {
  DeadlockFilter facts{.color = color};
  std::visit(
      [&](const auto& f) {
        if constexpr (requires { f.counter; }) {
          facts.counter = f.counter;
          facts.limit1 = f.limit1;
          facts.max_counter = f.max_counter;
        }
      },
      filter.settings);
  facts.tallied = filter.tallied;
  facts.let_in = filter.let_in;
  facts.control = filter.control;
  facts.refused = filter.refused;
  facts.open = is_open(filter.settings);
  facts.never_opens = never_opens(filter.settings);
  return facts;
}

}  // namespace weft::fabric::deadlock
