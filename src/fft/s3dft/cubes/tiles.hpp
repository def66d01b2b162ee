#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "fft/wsfft/division.hpp"
#include "weft/patterns.hpp"
#include "weft/types.hpp"

/// The p^3 nodes of S3DFT on a flat mesh (docs/algorithms.md): all p nodes (i, j, k) of a pair (j,
/// k) are a tile of neighbours. Rows and columns of the mesh are folded rings.
namespace weft::s3dft::cubes {

struct Node {
  int i, j, k;
  bool operator==(const Node&) const = default;
};

/// A PE of the mesh.
struct Pe {
  int x, y;
  auto operator<=>(const Pe&) const = default;
};

/// A node has the places k across + (x in the tile) in the ring of its row, and j down + (y in the
/// tile) in that of its column. In a tile, nodes follow one another by unit steps, and the first
/// one follows the last.
class Tiles {
 public:
  /// p: a power of two from 2 on.
  explicit Tiles(int p);

  int p() const { return p_; }            ///< nodes along an axis
  int across() const { return across_; }  ///< PEs of a tile along x
  int down() const { return down_; }      ///< and along y
  std::size_t pes() const {
    return static_cast<std::size_t>(width()) * static_cast<std::size_t>(height());
  }
  std::size_t number_of(const Pe& pe) const {  ///< row by row
    return static_cast<std::size_t>(pe.y) * static_cast<std::size_t>(width()) +
           static_cast<std::size_t>(pe.x);
  }
  int width() const { return p_ * across_; }
  int height() const { return p_ * down_; }
  Node node_at(const Pe& pe) const;
  Pe pe_of(const Node& node) const;

 private:
  int p_, across_, down_;
  std::vector<std::pair<int, int>> way_;  ///< places in a tile by i
};

/// The rings that blocks go round: along k and j those of rows and columns, by unit shifts from PE
/// to PE; along i those in the tiles, by one step.
enum class Ring { k, j, i };

/// The unit shifts of one step along a ring.
int shifts_of(const Tiles& tiles, Ring ring);

/// The PE to which another sends in a unit shift.
Pe next_of(const Tiles& tiles, Ring ring, Around way, const Pe& pe);

/// The PEs from the sender to the receiver of a unit shift, both included: along x or along y.
std::vector<Pe> path(const Pe& from, const Pe& to);

/// The port of a PE that leads to another in its row or column.
Port port_to(const Pe& from, const Pe& to);

/// What goes round which rings in a stage, and the index of a node that is its place there and the
/// one that says how far its block is aligned.
struct Stage {
  int summed;  ///< axis of the array
  Ring array, factors;
  int Node::*own;
  int Node::*other;
};
inline constexpr int kStages = 3;
extern const Stage kStage[kStages];

/// The block of the matrix, by its row, that a node needs at the start of a stage; its column is
/// the node's own place.
inline int first_row(const Tiles& tiles, const Stage& stage, const Node& node) {
  return (node.*stage.own + node.*stage.other) % tiles.p();
}

/// The unit shifts that align a node's block of the array, the shorter way round.
struct Alignment {
  Around way;
  int shifts;
};
Alignment alignment_of(const Tiles& tiles, const Stage& stage, const Node& node);

}  // namespace weft::s3dft::cubes
