#include "fabric/errors/deadlock/graph.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "fabric/errors/deadlock/actors.hpp"
#include "fabric/errors/deadlock/filters.hpp"

namespace weft::fabric::deadlock {
namespace {

using What = DeadlockWait::What;
using Kind = OperandFacts::Kind;

std::uint64_t key(std::optional<What> what, int pe, int color, int number) {
  const auto kind = what ? static_cast<std::uint64_t>(*what) : 7U;
  return static_cast<std::uint64_t>(pe) << 16U | kind << 12U |
         static_cast<std::uint64_t>(color + 1) << 5U | static_cast<std::uint64_t>(number);
}

class Builder {
 public:
  Builder(const Mesh& mesh, const std::set<Inlet>& circling)
      : mesh_(mesh), circling_(circling), nodes_(stuck_nodes(mesh)) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      ids_[key(node.what, node.pe, color_in_key(node), node.number)] = static_cast<int>(n);
    }
  }

  std::vector<Node> build() {
    // Empty inputs are added on the way, and looked at in their turn.
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      Node node = nodes_[n];
      edges_ = &node.waits_for;
      if (!node.what)
        look_at_empty(node);
      else if (*node.what == What::core)
        look_at_core(node);
      else if (*node.what == What::microthread)
        look_at_microthread(node);
      else if (*node.what == What::input_queue)
        look_at_input(node);
      else if (*node.what == What::output_queue)
        look_at_output(node);
      else if (*node.what == What::router_queue)
        look_at_router(node);
      else if (*node.what == What::host_stream)
        look_at_host(node);
      else
        look_at_task(node);
      if (node.for_good) node.waits_for.clear();
      std::ranges::sort(node.waits_for);
      const auto twice = std::ranges::unique(node.waits_for);
      node.waits_for.erase(twice.begin(), twice.end());
      nodes_[n] = std::move(node);
    }
    return std::move(nodes_);
  }

 private:
  /// Colors tell router queues of a PE apart, and nothing else.
  static int color_in_key(const Node& node) {
    const bool colored =
        !node.what || *node.what == What::router_queue || *node.what == What::host_stream;
    return colored ? node.color : -1;
  }

  void add(std::optional<int> node) {
    if (node) edges_->push_back(*node);
  }
  std::optional<int> find(What what, int pe, int number, int color = -1) const {
    const auto found = ids_.find(key(what, pe, color, number));
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }

  /// An edge to an input of a router: to the wavelets there, or to their absence.
  void add_input(int pe, int color, std::size_t port) {
    const int number = static_cast<int>(port);
    if (const auto held = find(What::router_queue, pe, number, color)) return add(held);
    const std::uint64_t id = key(std::nullopt, pe, color, number);
    const auto [at, is_new] = ids_.try_emplace(id, static_cast<int>(nodes_.size()));
    if (is_new) nodes_.push_back({std::nullopt, pe, number, color});
    add(at->second);
  }
  void add_inputs(int pe, const Channel& channel, Ports ports) {
    for (std::size_t port = 0; port < kPorts; ++port)
      if (ports[port]) add_input(pe, channel.color, port);
  }

  /// Edges to all that may come next through a router, or open it: wavelets at inputs that are open
  /// now, control wavelets among them, and its core, if it sets the switch.
  void add_open(int pe, const Channel& c, std::optional<int> but = {}) {
    if (!c.torn_down) add_inputs(pe, c, c.rx);
    add_actors(pe, &Actions::switches, c.color, but);
  }

  /// The same for who waits for wavelets: those that are here already, but kept, are waited for
  /// too.
  void add_router(int pe, const Channel& c, std::optional<int> but = {}) {
    for (int port = 0; port < kPorts; ++port) add(find(What::router_queue, pe, port, c.color));
    add_open(pe, c, but);
  }

  /// Edges to all in a PE whose going on could make its core do this.
  void add_actors(int pe, std::uint32_t Actions::*action, int number, std::optional<int> but = {}) {
    const PeState& p = mesh_.at(pe);
    for (const Actor& actor : actors_.of(pe)) {
      if ((actor.can.*action >> number & 1U) == 0) continue;
      if (!actor.what) {
        const Channel& c = *p.channel(actor.number);
        add_inputs(pe, c, c.rx);
      } else if (const auto node = find(*actor.what, pe, actor.number); node != but) {
        add(node);
      }
    }
  }

  /// Nothing is there: whoever could send it.
  void look_at_empty(const Node& node) {
    const auto port = static_cast<Port>(node.number);
    const int from = mesh_.beyond(node.pe, port);
    for_link_colors(mesh_.at(node.pe), node.color, static_cast<std::size_t>(port), [&](int color) {
      if (port == Port::ramp) return add_senders(node.pe, color);
      if (from < 0) return add(find(What::host_stream, node.pe, node.number, color));
      const Channel* c = mesh_.at(from).channel(color);
      if (c != nullptr && c->ever_tx[static_cast<std::size_t>(opposite(port))])
        add_router(from, *c);
    });
  }

  void add_senders(int pe, int color) {
    const PeState& p = mesh_.at(pe);
    for (int q = 0; q < kOutputQueues; ++q)
      if (p.output[static_cast<std::size_t>(q)].color == color)
        add(find(What::output_queue, pe, q));
    for (const MicrothreadFacts& t : p.microthreads)
      if (t.operands[0].kind == Kind::output && t.operands[0].color == color)
        add(find(What::microthread, pe, t.number));
    add_actors(pe, &Actions::sends, color);
  }

  void look_at_core(Node& node) {
    for (const MicrothreadFacts& t : mesh_.at(node.pe).microthreads)
      if (!t.options.async) add(find(What::microthread, node.pe, t.number));
  }

  void look_at_microthread(Node& node) {
    const PeState& p = mesh_.at(node.pe);
    const MicrothreadFacts& t =
        *std::ranges::find(p.microthreads, node.number, &MicrothreadFacts::number);
    for (std::size_t k = 0; k < t.operands.size(); ++k) {
      const OperandFacts& o = t.operands[k];
      const auto n = static_cast<std::size_t>(o.number);
      if (o.kind == Kind::input && p.input[n].wavelets.empty()) lacks_wavelet(node, o.number);
      if (o.kind == Kind::output && p.output[n].wavelets.size() >= mesh_.output_depth[n])
        add(find(What::output_queue, node.pe, o.number));
      if (o.kind == Kind::fifo) look_at_fifo(node, o.number, k == 0);
    }
  }

  /// Several colors may lead to the queue: any of them would do.
  void lacks_wavelet(Node& node, int queue) {
    const PeState& p = mesh_.at(node.pe);
    const Channel *could = nullptr, *never = nullptr;
    bool all_turned_away = true;
    for (const Channel& c : p.channels) {
      if (c.input_queue != queue || !c.ever_tx[kRamp]) continue;
      if (c.filter && never_opens(c.filter->settings)) {
        never = &c;
        continue;
      }
      if (could == nullptr) could = &c;
      if (c.tx[kRamp]) all_turned_away = false;
      add_router(node.pe, c, find(What::microthread, node.pe, node.number));
    }
    if (node.for_good) return;  // for want of another source
    if (could == nullptr && never != nullptr) {
      node.own = DeadlockKind::filter_never_opens;
      node.color = never->color;
      node.for_good = true;
    } else if (could != nullptr) {
      node.color = could->color;
      if (all_turned_away) node.own = DeadlockKind::switch_turned_away;
    }
  }

  void look_at_fifo(Node& node, int fifo, bool pushes) {
    const PeState& p = mesh_.at(node.pe);
    const FifoFacts& f = p.fifos[static_cast<std::size_t>(fifo)];
    if (pushes ? f.held < f.capacity : f.held > 0) return;
    if (node.waits_for.empty() && !node.for_good) {
      node.own = pushes ? DeadlockKind::fifo_stays_full : DeadlockKind::fifo_stays_empty;
      node.detail = fifo;
    }
    for (const MicrothreadFacts& t : p.microthreads)
      for (std::size_t k = 0; k < t.operands.size(); ++k)
        if (t.number != node.number && (k == 0) != pushes && t.operands[k].kind == Kind::fifo &&
            t.operands[k].number == fifo)
          add(find(What::microthread, node.pe, t.number));
    add_actors(node.pe, pushes ? &Actions::pops : &Actions::pushes, fifo,
               find(What::microthread, node.pe, node.number));
  }

  void look_at_input(Node& node) {
    const PeState& p = mesh_.at(node.pe);
    const RampFacts& q = p.input[static_cast<std::size_t>(node.number)];
    node.own = DeadlockKind::no_program;
    if (!p.programmed) return;
    node.own = DeadlockKind::color_blocked;
    for (const MicrothreadFacts& t : p.microthreads)
      for (std::size_t k = 1; k < t.operands.size(); ++k)
        if (t.operands[k].kind == Kind::input && t.operands[k].number == node.number)
          add(find(What::microthread, node.pe, t.number));
    if (q.claimed) return;
    if (!q.blocked) return add(p.running ? find(What::core, node.pe, 0) : std::nullopt);
    const std::optional<int> self = find(What::input_queue, node.pe, node.number);
    add_actors(node.pe, &Actions::receives, node.number, self);
    add_actors(node.pe, &Actions::unblocks, q.color, self);
  }

  void look_at_output(Node& node) {
    const Channel* into = mesh_.taken_by(node.pe, node.color, Port::ramp);
    node.own = DeadlockKind::no_route;
    node.detail = static_cast<int>(Port::ramp);
    if (into != nullptr) add_input(node.pe, into->color, kRamp);
  }

  void look_at_router(Node& node) {
    const PeState& p = mesh_.at(node.pe);
    const Channel& c = *p.channel(node.color);
    const auto port = static_cast<std::size_t>(node.number);
    if (circling_.contains({node.pe, node.color, node.number})) {
      node.own = DeadlockKind::routes_in_circle;
      node.for_good = true;
      return;
    }
    if (c.torn_down) {
      node.own = DeadlockKind::torn_down;
      return add_open(node.pe, c);
    }
    if (!c.rx[port]) {
      node.own = DeadlockKind::switch_stays;
      return add_open(node.pe, c);
    }
    node.own = DeadlockKind::no_route;
    for (int link = 0; link < kLinks; ++link)
      if (c.tx[static_cast<std::size_t>(link)]) look_at_link(node, static_cast<Port>(link));
    if (!core_gets(c, c.queue[port].front())) return;
    if (c.input_queue < 0) {  // a core has opened the ramp of a route that leads to no queue
      node.detail = static_cast<int>(Port::ramp);
      node.for_good = true;
      return;
    }
    const auto q = static_cast<std::size_t>(c.input_queue);
    if (p.input[q].wavelets.size() >= mesh_.input_depth[q])
      add(find(What::input_queue, node.pe, c.input_queue));
  }

  void look_at_link(Node& node, Port link) {
    const int to = mesh_.beyond(node.pe, link);
    const Channel* into = to < 0 ? nullptr : mesh_.taken_by(to, node.color, opposite(link));
    const auto in = static_cast<std::size_t>(opposite(link));
    if (const HostFacts* host = mesh_.host_at(node.pe, link, node.color, false); host != nullptr) {
      if (!is_full(*host)) return;
      node.own = DeadlockKind::host_takes_no_more;
      node.detail = static_cast<int>(link);
      node.for_good = true;
    } else if (into == nullptr) {
      node.own = DeadlockKind::no_route;
      node.detail = static_cast<int>(link);
      node.for_good = true;
    } else if (into->queue[in].size() >= mesh_.depth_of(to, in)) {
      add_input(to, into->color, in);
    }
  }

  /// The host's words wait for room in the router.
  void look_at_host(Node& node) {
    const auto port = static_cast<Port>(node.number);
    const Channel* into = mesh_.taken_by(node.pe, node.color, port);
    node.own = DeadlockKind::no_route;
    node.detail = -1;
    if (into != nullptr) add_input(node.pe, into->color, static_cast<std::size_t>(port));
  }

  void look_at_task(Node& node) {
    node.own = DeadlockKind::task_blocked;
    add_actors(node.pe, &Actions::unblocks_tasks, node.number,
               find(What::task, node.pe, node.number));
  }

  const Mesh& mesh_;
  Actors actors_{mesh_};
  const std::set<Inlet>& circling_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, int> ids_;
  std::vector<int>* edges_ = nullptr;  ///< of the node that is looked at
};

}  // namespace

std::vector<Node> stuck_nodes(const Mesh& mesh) {
  std::vector<Node> nodes;
  const auto held = [](const auto& wavelets) {
    return static_cast<std::uint32_t>(wavelets.size());
  };
  for (int pe = 0; pe < static_cast<int>(mesh.pes.size()); ++pe) {
    const PeState& p = mesh.at(pe);
    for (const Channel& c : p.channels)
      for (int port = 0; port < kPorts; ++port)
        if (const auto& queue = c.queue[static_cast<std::size_t>(port)]; !queue.empty())
          nodes.push_back({What::router_queue, pe, port, c.color, held(queue)});
    for (const MicrothreadFacts& t : p.microthreads)
      nodes.push_back({What::microthread, pe, t.number, -1, t.left});
    for (int q = 0; q < kInputQueues; ++q)
      if (const RampFacts& in = p.input[static_cast<std::size_t>(q)]; !in.wavelets.empty())
        nodes.push_back({What::input_queue, pe, q, in.color, held(in.wavelets)});
    for (int q = 0; q < kOutputQueues; ++q)
      if (const RampFacts& out = p.output[static_cast<std::size_t>(q)]; !out.wavelets.empty())
        nodes.push_back({What::output_queue, pe, q, out.color, held(out.wavelets)});
    if (p.waiting) nodes.push_back({What::core, pe});
    for (std::uint32_t rest = p.active_tasks & p.blocked_tasks; rest != 0; rest &= rest - 1)
      nodes.push_back({What::task, pe, std::countr_zero(rest)});
  }
  for (const HostFacts& h : mesh.host)
    if (h.stream.input && h.words > 0)
      nodes.push_back({What::host_stream, h.y * mesh.width + h.x, static_cast<int>(h.stream.edge),
                       h.stream.color, static_cast<std::uint32_t>(h.words)});
  return nodes;
}

std::vector<Node> wait_graph(const Mesh& mesh, const std::set<Inlet>& circling) {
  return Builder(mesh, circling).build();
}

}  // namespace weft::fabric::deadlock
