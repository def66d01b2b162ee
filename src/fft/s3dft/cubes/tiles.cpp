#include "fft/s3dft/cubes/tiles.hpp"

#include <algorithm>

namespace weft::s3dft::cubes {
namespace {

/// Along the first row of a tile, and back by its columns.
std::vector<std::pair<int, int>> closed_way(int across, int down) {
  std::vector<std::pair<int, int>> way;
  way.reserve(2 * static_cast<std::size_t>(across) * static_cast<std::size_t>(down));
  for (int x = 0; x < across; ++x) way.emplace_back(x, 0);
  for (int x = across - 1; x >= 0; --x)
    for (int k = 1; k < down; ++k) way.emplace_back(x, x % 2 != 0 ? k : down - k);
  if (down == 1) way.resize(static_cast<std::size_t>(across));
  return way;
}

int across_of(int p) {
  int across = 1;
  while (across * across < p) across *= 2;
  return across;
}

/// The node that follows in a direction.
Node next_of(const Tiles& tiles, Node node, Around way) {
  const int step = way == Around::onwards ? 1 : tiles.p() - 1;
  node.i = (node.i + step) % tiles.p();
  return node;
}

}  // namespace

const Stage kStage[kStages] = {{2, Ring::k, Ring::j, &Node::k, &Node::j},
                               {1, Ring::j, Ring::k, &Node::j, &Node::k},
                               {0, Ring::i, Ring::j, &Node::i, &Node::j}};

Tiles::Tiles(int p)
    : p_(p), across_(across_of(p)), down_(p / across_), way_(closed_way(across_, down_)) {}

Node Tiles::node_at(const Pe& pe) const {
  const int u = RingShift::place_of(pe.x, width()), v = RingShift::place_of(pe.y, height());
  const auto at = std::ranges::find(way_, std::pair{u % across_, v % down_});
  return {static_cast<int>(at - way_.begin()), v / down_, u / across_};
}

Pe Tiles::pe_of(const Node& node) const {
  const auto [x, y] = way_[static_cast<std::size_t>(node.i)];
  return {RingShift::pe_at(node.k * across_ + x, width()),
          RingShift::pe_at(node.j * down_ + y, height())};
}

int shifts_of(const Tiles& tiles, Ring ring) {
  return ring == Ring::k ? tiles.across() : ring == Ring::j ? tiles.down() : 1;
}

Pe next_of(const Tiles& tiles, Ring ring, Around way, const Pe& pe) {
  if (ring == Ring::i) return tiles.pe_of(next_of(tiles, tiles.node_at(pe), way));
  const bool row = ring == Ring::k;
  const int length = row ? tiles.width() : tiles.height();
  const int step = way == Around::onwards ? 1 : length - 1;
  const int there =
      RingShift::pe_at((RingShift::place_of(row ? pe.x : pe.y, length) + step) % length, length);
  return row ? Pe{there, pe.y} : Pe{pe.x, there};
}

std::vector<Pe> path(const Pe& from, const Pe& to) {
  std::vector<Pe> all{from};
  const auto sign = [](int d) { return (d > 0) - (d < 0); };
  while (all.back() != to)
    all.push_back(
        {all.back().x + sign(to.x - all.back().x), all.back().y + sign(to.y - all.back().y)});
  return all;
}

Port port_to(const Pe& from, const Pe& to) {
  if (to.x != from.x) return to.x > from.x ? Port::east : Port::west;
  return to.y > from.y ? Port::south : Port::north;
}

Alignment alignment_of(const Tiles& tiles, const Stage& stage, const Node& node) {
  const int steps = node.*stage.other, p = tiles.p(), each = shifts_of(tiles, stage.array);
  if (steps > p / 2) return {Around::onwards, (p - steps) * each};
  return {Around::backwards, steps * each};
}

}  // namespace weft::s3dft::cubes
