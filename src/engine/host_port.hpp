#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/host_words.hpp"
#include "weft/types.hpp"

/// Where the host's links meet the mesh. Beyond an edge with a link there is a row or column of
/// strips more. The host stands there, in the lane beyond the PE: as a neighbour, it puts words on
/// its link, and finds what leaves the PE in a queue of its own. So the step knows nothing of it.
namespace weft::engine {

using base::HostWords;

/// The link of one PE, in both directions.
struct HostPort {
  int x = 0, y = 0;  ///< of the PE
  Port edge = Port::west;
  int strip = 0, lane = 0;                        ///< of the host
  int pe_strip = 0, pe_lane = 0, pe_row = 0;      ///< pe_row: of strips
  std::uint64_t input_free = 0, output_free = 0;  ///< the first cycle in which the link is free
  std::vector<HostWords> input{}, output{};       ///< by color
};

/// All of a fabric. Those of a row of strips, with the row's wakes, belong to whoever steps it.
struct HostPorts {
  std::vector<HostPort> port{};               ///< by the host's row
  std::vector<std::size_t> first{};           ///< of each row, and of the one after them
  std::vector<std::uint64_t> input_wake{};    ///< words may enter, or wait for room
  std::vector<std::uint64_t> input_timed{};   ///< a link is free again for words that wait
  std::vector<std::uint64_t> output_timed{};  ///< a link is free again in the cycle after it
};

}  // namespace weft::engine
