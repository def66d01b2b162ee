#pragma once

#include <cstdint>
#include <vector>

#include "fft/s3dft/cubes/tiles.hpp"
#include "weft/layout.hpp"

/// The colors and queues of the rings, and their routes.
namespace weft::s3dft::cubes {

/// By which a PE may send in a ring: its number among these is the PE's code.
struct Stream {
  int color;
  std::uint8_t input_queue, output_queue;
};

/// Backwards, and then onwards.
std::vector<Stream> streams_of(Ring ring);

/// The codes of all PEs, by ring and way: PE (x, y) has number y width + x.
class Codes {
 public:
  explicit Codes(const Tiles& tiles);
  std::uint32_t code(Ring ring, Around way, const Pe& pe) const;
  int colors_of_tiles() const;  ///< that rings in tiles take, of one way

 private:
  Tiles tiles_;
  std::vector<int> colors_[2];  ///< of the rings in tiles, by way
};

/// All routes of a ring; onwards nothing goes where two nodes are a ring.
void route(Layout& layout, const Tiles& tiles, const Codes& codes);

}  // namespace weft::s3dft::cubes
