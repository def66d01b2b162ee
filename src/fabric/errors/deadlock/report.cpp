#include "fabric/errors/deadlock/report.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "fabric/errors/deadlock/circles.hpp"
#include "fabric/errors/deadlock/color_ways.hpp"
#include "fabric/errors/deadlock/first_causes.hpp"

namespace weft::fabric {
namespace {

using namespace deadlock;
using What = DeadlockWait::What;

struct Graph {
  const Names& names;
  Mesh mesh;
  std::vector<Node> nodes;
  std::vector<std::vector<int>> backwards = waited_for_by(nodes);
  std::vector<std::uint32_t> fed = fed_colors(mesh);

  const Node& at(int node) const { return nodes[static_cast<std::size_t>(node)]; }
};

DeadlockWait wait_of(const Mesh& mesh, const Node& node, std::size_t waits_for,
                     const Names& names) {
  const PeState& pe = mesh.at(node.pe);
  DeadlockWait wait{*node.what, pe.x, pe.y, node.number, node.color, node.left, waits_for};
  if (wait.what == What::host_stream)
    wait.name =
        mesh.host_at(node.pe, static_cast<Port>(node.number), node.color, true)->stream.name;
  else
    wait.name = wait_name(pe, wait, names);
  return wait;
}

/// The PEs of a circle of routes that is to blame for the cause. A switch may break one.
std::vector<int> circle_of(const Graph& graph, const FirstCause& cause) {
  const Node& node = graph.at(cause.nodes.front());
  const bool routers = std::ranges::all_of(
      cause.nodes, [&](int n) { return graph.at(n).what == What::router_queue; });
  const bool circling = node.own == DeadlockKind::routes_in_circle;
  if (circling || (cause.circular && routers))
    return circle_at(graph.mesh, node.pe, node.color, circling);
  const bool filled = !cause.circular && node.what == What::input_queue;
  return filled ? circle_before(graph.mesh, node.pe, node.color) : std::vector<int>{};
}

DeadlockKind kind_of(const Graph& graph, const FirstCause& cause) {
  if (!circle_of(graph, cause).empty()) return DeadlockKind::routes_in_circle;
  if (cause.circular) return DeadlockKind::circular_wait;
  const Node& node = graph.at(cause.nodes.front());
  const bool fed =
      node.color >= 0 && (graph.fed[static_cast<std::size_t>(node.pe)] >> node.color & 1U) != 0;
  return node.own == DeadlockKind::no_more_wavelets && !fed ? DeadlockKind::nobody_sends : node.own;
}

/// Causes that are reported as one.
using Alike = std::tuple<DeadlockKind, int, std::size_t>;  // color, nodes of a circle

Alike alike(const Graph& graph, const FirstCause& cause) {
  const auto colored =
      std::ranges::find_if(cause.nodes, [&](int node) { return graph.at(node).color >= 0; });
  return {kind_of(graph, cause), colored == cause.nodes.end() ? -1 : graph.at(*colored).color,
          cause.nodes.size()};
}

/// The cores that could send the wavelets for which a microthread waits, or move a switch.
void describe_ways(DeadlockCause& cause, const Mesh& mesh, const Node& node) {
  const Channel* channel = mesh.at(node.pe).channel(node.color);
  if (channel == nullptr) return;
  if (*node.what == What::router_queue) {
    cause.position = channel->position;
    if (cause.kind == DeadlockKind::switch_stays)
      cause.senders = senders_to(mesh, node.pe, node.color, channel->rx);
  }
  if (*node.what != What::microthread) return;
  if (cause.kind == DeadlockKind::switch_turned_away) cause.position = channel->position;
  if (channel->filter) cause.filter = filter_facts(node.color, *channel->filter);
  cause.senders = senders_to(mesh, node.pe, node.color, channel->inputs_to(Port::ramp));
  cause.host_streams = host_streams_to(mesh, node.pe, node.color, channel->inputs_to(Port::ramp));
  cause.receivers = receivers_from(mesh, cause.senders, node.color, node.pe);
}

DeadlockCause cause_of(const Graph& graph, const Alike& alike,
                       const std::vector<FirstCause>& causes) {
  DeadlockCause cause;
  std::tie(cause.kind, cause.color, std::ignore) = alike;
  cause.color_names = graph.names.colors;
  for (const FirstCause& one : causes) {
    const PeState& pe = graph.mesh.at(graph.at(one.nodes.front()).pe);
    const DeadlockPlace place{pe.x, pe.y};
    if (cause.pes.empty() || cause.pes.back() != place) cause.pes.push_back(place);
  }
  std::set<int> pes;
  for (const ChainStep& step : steps_to(graph.nodes, graph.backwards, causes)) {
    cause.stuck.push_back(wait_of(graph.mesh, graph.at(step.node), step.next, graph.names));
    pes.insert(graph.at(step.node).pe);
  }
  cause.waits = cause.stuck.size();
  cause.stuck_pes = pes.size();
  const Node& example = graph.at(causes.front().nodes.front());
  if (cause.kind == DeadlockKind::circular_wait) return cause;
  for (const int pe : circle_of(graph, causes.front()))
    cause.circle.push_back({graph.mesh.at(pe).x, graph.mesh.at(pe).y});
  const bool of_fifo =
      cause.kind == DeadlockKind::fifo_stays_empty || cause.kind == DeadlockKind::fifo_stays_full;
  if (of_fifo) cause.fifo = example.detail;
  if (cause.kind == DeadlockKind::host_takes_no_more) {
    const auto edge = static_cast<Port>(example.detail);
    cause.port = example.detail;
    cause.host_streams = {graph.mesh.host_at(example.pe, edge, example.color, false)->stream.name};
  } else if (cause.kind == DeadlockKind::no_route)
    cause.port = example.detail;
  else if (*example.what == What::router_queue)
    cause.port = example.number;
  describe_ways(cause, graph.mesh, example);
  return cause;
}

}  // namespace

DeadlockReport deadlock_report(Mesh mesh, std::uint64_t cycle, const Names& names) {
  const std::set<Inlet> in_circles = circling(mesh);
  std::vector<Node> nodes = wait_graph(mesh, in_circles);
  const Graph graph{.names = names, .mesh = std::move(mesh), .nodes = std::move(nodes)};
  DeadlockReport report;
  report.cycle = cycle;
  report.circling = std::ranges::any_of(in_circles, [&](const Inlet& in) {
    const auto port = static_cast<std::size_t>(in.port);
    return graph.mesh.at(in.pe).channel(in.color)->queue[port].size() <
           graph.mesh.depth_of(in.pe, port);
  });
  report.waits = static_cast<std::size_t>(
      std::ranges::count_if(graph.nodes, [](const Node& node) { return node.what.has_value(); }));
  std::map<Alike, std::vector<FirstCause>> groups;
  for (FirstCause& cause : first_causes(graph.nodes))
    groups[alike(graph, cause)].push_back(std::move(cause));
  for (const auto& [alike, causes] : groups)
    report.causes.push_back(cause_of(graph, alike, causes));
  const auto moves = [&](const DeadlockCause& cause) {
    return report.circling && cause.kind == DeadlockKind::routes_in_circle;
  };
  std::ranges::sort(report.causes, [&](const DeadlockCause& a, const DeadlockCause& b) {
    return std::tuple(moves(b), b.waits, a.kind, a.pes.front().y, a.pes.front().x) <
           std::tuple(moves(a), a.waits, b.kind, b.pes.front().y, b.pes.front().x);
  });
  return report;
}

std::vector<DeadlockWait> waits_of(const Mesh& mesh, const Names& names) {
  std::vector<DeadlockWait> waits;
  for (const Node& node : stuck_nodes(mesh))
    waits.push_back(wait_of(mesh, node, waits.size(), names));
  return waits;
}

}  // namespace weft::fabric
