#include "differential/random_case.hpp"
#include "differential/valid_weave.hpp"

/// Patterns that bend, branch, or go to a neighbour.
namespace weft::test {
namespace {

constexpr Port kWays[] = {Port::west, Port::east, Port::south, Port::north};

std::pair<int, int> beside(int x, int y, Port way) {
  switch (way) {
    case Port::west:
      return {x - 1, y};
    case Port::east:
      return {x + 1, y};
    case Port::north:
      return {x, y - 1};
    default:
      return {x, y + 1};
  }
}

bool within(const Rect& r, std::pair<int, int> at) {
  return at.first >= r.x && at.first < r.x + r.width && at.second >= r.y &&
         at.second < r.y + r.height;
}

/// A PE of a tree: by which side its wavelets come (ramp: the root), and where they go on.
struct Node {
  int x, y;
  Port from;
  unsigned to = 0;  ///< bit per link
};

class Tree {
 public:
  Tree(const Weave& w, int x, int y) : width_(w.c.width), known_(w.work.size(), -1) {
    add(x, y, Port::ramp);
  }

  bool has(std::pair<int, int> at) const { return known_[index(at)] >= 0; }
  /// A new PE beside the n-th one.
  void grow(std::size_t n, Port way) {
    nodes[n].to |= 1U << static_cast<unsigned>(way);
    const auto [x, y] = beside(nodes[n].x, nodes[n].y, way);
    add(x, y, opposite(way));
  }

  std::vector<Node> nodes;

 private:
  std::size_t index(std::pair<int, int> at) const {
    return static_cast<std::size_t>(at.second * width_ + at.first);
  }
  void add(int x, int y, Port from) {
    known_[index({x, y})] = static_cast<int>(nodes.size());
    nodes.push_back({x, y, from});
  }

  int width_;
  std::vector<int> known_;
};

/// The stream of a tree: all of its leaves take all of it, and others may.
Part flow(Weave& w, Region& region, const Tree& tree, int tapped) {
  const int color = region.color(), in = region.input(), out = region.output();
  const int words = draw_stream_words(w);
  const Pause before_send = draw_pause(w), before_take = draw_pause(w);
  const Transfer send = draw_send(w, color, out, words), take = draw_take(w, color, in, words);
  Part part = w.part();
  if (tree.nodes.size() < 2) return part;
  for (const Node& node : tree.nodes) {
    const bool taps = node.from != Port::ramp && (node.to == 0 || w.dice.chance(tapped));
    const unsigned ramp = taps ? 1U << static_cast<unsigned>(Port::ramp) : 0U;
    Route route{.rx = node.from, .tx = port_set(node.to | ramp)};
    if (taps) route.input_queue = in;
    w.route(node.x, node.y, color, route);
    if (node.from == Port::ramp)
      part[w.pe(node.x, node.y)] = {Stage{before_send, {send}}};
    else if (taps)
      part[w.pe(node.x, node.y)] = {Stage{before_take, {take}}};
  }
  return part;
}

Tree rooted(Weave& w, const Rect& r) {
  return {w, w.dice.roll(r.x, r.x + r.width - 1), w.dice.roll(r.y, r.y + r.height - 1)};
}

}  // namespace

Part down_trees(Weave& w, Region& region) {
  const Rect& r = region.where;
  Tree tree = rooted(w, r);
  const bool comb = w.dice.chance(50);  // along the root's row, and from there along the columns
  const int missed = w.dice.pick({0, 20});  // percent
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    std::vector<Port> ways(std::begin(kWays), std::end(kWays));
    if (!comb) w.dice.shuffle(ways);
    for (const Port way : ways) {
      const Node node = tree.nodes[n];
      const auto next = beside(node.x, node.y, way);
      const bool across = way == Port::west || way == Port::east;
      if (!within(r, next) || tree.has(next)) continue;
      if (comb && across && node.y != tree.nodes[0].y) continue;
      if (n > 0 && w.dice.chance(missed)) continue;
      tree.grow(n, way);
    }
  }
  return flow(w, region, tree, w.dice.pick({30, 100}));
}

Part along_corners(Weave& w, Region& region) {
  const Rect& r = region.where;
  Tree tree = rooted(w, r);
  int straight = 0;
  Port way = w.dice.pick({Port::west, Port::east, Port::south, Port::north});
  const int most = w.dice.roll(1, 60);
  for (int n = 0; n < most; ++n) {
    const Node node = tree.nodes.back();
    const auto open = [&](Port to) {
      const auto next = beside(node.x, node.y, to);
      return within(r, next) && !tree.has(next);
    };
    if (straight-- <= 0 || !open(way)) {
      std::vector<Port> ways;
      for (const Port to : kWays)
        if (open(to)) ways.push_back(to);
      if (ways.empty()) break;
      way = w.dice.pick(ways);
      straight = w.dice.roll(0, 9);
    }
    tree.grow(tree.nodes.size() - 1, way);
  }
  return flow(w, region, tree, w.passes ? 0 : w.dice.pick({0, 30, 100}));
}

// Two colors for each way, as a PE cannot send and take by the same one.
Part between_neighbours(Weave& w, Region& region, const std::vector<Port>& ways) {
  const Rect& r = region.where;
  const Pause pause = draw_pause(w);
  const int words = draw_words(w);
  Part part = w.part();
  for (const Port way : ways) {
    const int colors[] = {region.color(), region.color()};
    const int in = region.input(), out = region.output();
    const Transfer send = draw_send(w, 0, out, words), take = draw_take(w, 0, in, words);
    for (int y = r.y; y < r.y + r.height; ++y)
      for (int x = r.x; x < r.x + r.width; ++x) {
        const auto next = beside(x, y, way);
        if (!within(r, next)) continue;
        const bool across = way == Port::west || way == Port::east;
        const int color = colors[(across ? x : y) % 2];
        w.route(x, y, color, {.rx = Port::ramp, .tx = way});
        w.route(next.first, next.second, color,
                {.rx = opposite(way), .tx = Port::ramp, .input_queue = in});
        std::vector<Stage>&sends = part[w.pe(x, y)], &takes = part[w.pe(next.first, next.second)];
        if (sends.empty()) sends.push_back({pause, {}});
        if (takes.empty()) takes.push_back({pause, {}});
        sends[0].transfers.push_back(send);
        sends[0].transfers.back().color = color;
        takes[0].transfers.push_back(take);
        takes[0].transfers.back().color = color;
      }
  }
  return part;
}

Part to_themselves(Weave& w, Region& region) {
  const Rect& r = region.where;
  const int color = region.color(), in = region.input(), out = region.output();
  const int words = draw_words(w);
  const Pause pause = draw_pause(w);
  const Transfer send = draw_send(w, color, out, words), take = draw_take(w, color, in, words);
  Part part = w.part();
  for (int y = r.y; y < r.y + r.height; ++y)
    for (int x = r.x; x < r.x + r.width; ++x) {
      w.route(x, y, color, {.rx = Port::ramp, .tx = Port::ramp, .input_queue = in});
      part[w.pe(x, y)] = {Stage{pause, {send, take}}};
    }
  return part;
}

Part alone(Weave& w, Region& region) {
  const Rect& r = region.where;
  std::vector<Stage> stages;
  for (int n = w.dice.roll(1, 3); n > 0; --n) stages.push_back({draw_pause(w), {}});
  Part part = w.part();
  for (int y = r.y; y < r.y + r.height; ++y)
    for (int x = r.x; x < r.x + r.width; ++x) part[w.pe(x, y)] = stages;
  return part;
}

}  // namespace weft::test
