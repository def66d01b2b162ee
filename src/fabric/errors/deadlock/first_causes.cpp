#include "fabric/errors/deadlock/first_causes.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace weft::fabric::deadlock {
namespace {

constexpr int kNone = -1;

std::size_t index(int node) { return static_cast<std::size_t>(node); }

/// Strongly connected parts of a graph.
struct Parts {
  std::vector<int> part_of;             ///< by node
  std::vector<std::vector<int>> nodes;  ///< by part: those that a part leads to come before it
};

/// Tarjan's algorithm, without recursion: chains are as long as a mesh.
Parts parts_of(const std::vector<Node>& graph) {
  struct Visit {
    int node;
    std::size_t edge;
  };
  Parts parts;
  parts.part_of.assign(graph.size(), kNone);
  std::vector<int> number(graph.size(), kNone), low(graph.size(), 0), open;
  int numbers = 0;
  std::vector<Visit> visits;
  const auto close = [&](int node) {
    std::vector<int>& part = parts.nodes.emplace_back();
    for (int member = kNone; member != node;) {
      member = open.back();
      open.pop_back();
      part.push_back(member);
      parts.part_of[index(member)] = static_cast<int>(parts.nodes.size()) - 1;
    }
    std::ranges::sort(part);
  };
  const auto visit = [&](int node) {
    number[index(node)] = low[index(node)] = numbers++;
    open.push_back(node);
    visits.push_back({node, 0});
  };
  for (int root = 0; root < static_cast<int>(graph.size()); ++root) {
    if (number[index(root)] == kNone) visit(root);
    while (!visits.empty()) {
      const int node = visits.back().node;
      const std::vector<int>& edges = graph[index(node)].waits_for;
      if (visits.back().edge == edges.size()) {
        visits.pop_back();
        if (low[index(node)] == number[index(node)]) close(node);
        continue;
      }
      const int to = edges[visits.back().edge];
      if (number[index(to)] == kNone) {
        visit(to);  // and the edge is looked at again after it
        continue;
      }
      if (parts.part_of[index(to)] == kNone)
        low[index(node)] = std::min(low[index(node)], low[index(to)]);
      ++visits.back().edge;
    }
  }
  return parts;
}

/// The stuck nodes of a shortest circle through the first of a part's, in their order.
std::vector<int> circle(const std::vector<Node>& graph, const Parts& parts, int first) {
  const int part = parts.part_of[index(first)];
  std::unordered_map<int, int> before{};
  std::deque<int> queue{first};
  while (!queue.empty() && !before.contains(first)) {
    const int node = queue.front();
    queue.pop_front();
    for (const int to : graph[index(node)].waits_for)
      if (parts.part_of[index(to)] == part && before.try_emplace(to, node).second)
        queue.push_back(to);
  }
  std::vector<int> nodes;
  for (int node = before.at(first); node != first; node = before.at(node))
    if (graph[index(node)].what) nodes.push_back(node);
  nodes.push_back(first);
  std::ranges::reverse(nodes);
  return nodes;
}

}  // namespace

std::vector<FirstCause> first_causes(const std::vector<Node>& graph) {
  const Parts parts = parts_of(graph);
  std::vector<bool> leads_on(parts.nodes.size());  // it, or what it leads to, has something stuck
  std::vector<FirstCause> causes;
  for (std::size_t part = 0; part < parts.nodes.size(); ++part) {
    const std::vector<int>& nodes = parts.nodes[part];
    int first = kNone;
    bool beyond = false, edge_inside = false;
    for (const int node : nodes) {
      if (first == kNone && graph[index(node)].what) first = node;
      for (const int to : graph[index(node)].waits_for) {
        const auto other = index(parts.part_of[index(to)]);
        if (other == part)
          edge_inside = true;
        else
          beyond = beyond || leads_on[other];
      }
    }
    leads_on[part] = beyond || first != kNone;
    if (first == kNone || beyond) continue;
    FirstCause cause{edge_inside ? circle(graph, parts, first) : std::vector{first}, false};
    cause.circular = cause.nodes.size() > 1;  // who waits for itself alone has a cause of its own
    causes.push_back(std::move(cause));
  }
  std::ranges::sort(causes, {}, [](const FirstCause& cause) { return cause.nodes.front(); });
  return causes;
}

std::vector<std::vector<int>> waited_for_by(const std::vector<Node>& graph) {
  std::vector<std::vector<int>> edges(graph.size());
  for (std::size_t n = 0; n < graph.size(); ++n)
    for (const int to : graph[n].waits_for) edges[index(to)].push_back(static_cast<int>(n));
  return edges;
}

std::vector<ChainStep> steps_to(const std::vector<Node>& graph,
                                const std::vector<std::vector<int>>& waited_for_by,
                                const std::vector<FirstCause>& causes) {
  struct Reached {
    int node;
    std::size_t step;  ///< that those wait for which wait for the node
  };
  std::vector<ChainStep> steps;
  std::deque<Reached> queue;
  std::vector<bool> seen(graph.size());
  for (const FirstCause& cause : causes) {
    const std::size_t first = steps.size();
    for (std::size_t k = 0; k < cause.nodes.size(); ++k) {
      const std::size_t next = first + (k + 1) % cause.nodes.size();
      steps.push_back({cause.nodes[k], next});
      queue.push_back({cause.nodes[k], first + k});
      seen[index(cause.nodes[k])] = true;
    }
  }
  while (!queue.empty()) {
    const Reached at = queue.front();
    queue.pop_front();
    for (const int node : waited_for_by[index(at.node)]) {
      if (seen[index(node)]) continue;
      seen[index(node)] = true;
      if (!graph[index(node)].what) {
        queue.push_back({node, at.step});
        continue;
      }
      steps.push_back({node, at.step});
      queue.push_back({node, steps.size() - 1});
    }
  }
  return steps;
}

}  // namespace weft::fabric::deadlock
