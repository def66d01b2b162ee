#pragma once

#include <cstdint>

/// The yardstick of streams: a simulator as one writes it first, PE after PE and color after color.
namespace weft::plain {

struct Streamed {
  std::uint64_t cycles, hops;
  double seconds;
  bool right;  ///< every PE has received its neighbours' words
};

/// Each of side x side PEs sends `words` words to the east and to the south, as the load "streams,
/// 2 directions" does: through ramps of two cycles, and queues of two wavelets.
Streamed stream(int side, int words);

}  // namespace weft::plain
