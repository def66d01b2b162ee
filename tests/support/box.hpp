#pragma once

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "weft/fft.hpp"

namespace weft::test {

/// An array of any sides, and the mesh on which it is transformed.
struct Box {
  Shape3 shape;
  FftMesh mesh;
};

inline std::string text(const Box& box) {
  return fmt::format("{}x{}x{}On{}x{}", box.shape.n0, box.shape.n1, box.shape.n2, box.mesh.x,
                     box.mesh.y);
}

inline void PrintTo(const Box& box, std::ostream* out) { *out << text(box); }

}  // namespace weft::test
