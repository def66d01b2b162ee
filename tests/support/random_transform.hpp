#pragma once

#include <cstdint>
#include <string>

#include "weft/fft.hpp"

namespace weft::test {

/// How an array lies on its PEs.
enum class ArrayKind { box, real, line, folded, digits, four_axes, back, batch };
inline constexpr ArrayKind kArrayKinds[] = {
    ArrayKind::box,    ArrayKind::real,      ArrayKind::line, ArrayKind::folded,
    ArrayKind::digits, ArrayKind::four_axes, ArrayKind::back, ArrayKind::batch};
inline constexpr const char* kArrayKindNames[] = {"box",    "real",      "line", "folded",
                                                  "digits", "four_axes", "back", "batch"};

/// A transform of few numbers, on a mesh that need not divide its sides.
struct RandomTransform {
  Shape3 shape;
  FftPrecision precision;
  FftDirection direction;
  FftOptions options;
};

/// One of three on a random machine; all with more memory than PEs have.
RandomTransform random_transform(ArrayKind kind, std::uint64_t seed);

std::string text(const RandomTransform& drawn);

}  // namespace weft::test
