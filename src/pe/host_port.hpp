#pragma once

#include "pe/masks.hpp"

/// Links to the host. The host stands beyond a PE at the edge of the mesh, in a cell as that of a
/// neighbour in another tile: the PE's step writes there, and knows nothing of the host.
namespace weft::pe {

/// The host's end of a link. The host lends it some words of its inputs, and tells how many more it
/// takes of each output, before some cycles are stepped.
template <class S>
struct HostPort {
  std::uint64_t input_free, output_free;         ///< the first cycle in which the link is free
  std::uint32_t first[S::kMost], end[S::kMost];  ///< by color: words of an input that are left
  std::uint32_t room[S::kMost];                  ///< by color: words that an output still takes
  std::uint32_t came;                            ///< the place of the next word that comes out
  Colors inputs, outputs;
};

/// A word that came out of the fabric.
struct HostWord {
  std::uint32_t payload, color;
};

/// Those of a tile.
template <class S>
struct HostPorts {
  HostPort<S>* port;            ///< by cell
  std::uint32_t* words;         ///< lent, of all tiles
  HostWord* came;               ///< of all tiles
  std::uint32_t cell, of_tile;  ///< the first cell, and how many
};

}  // namespace weft::pe
