#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fft/parts.hpp"
#include "fft/tiles.hpp"
#include "weft/fabric.hpp"
#include "weft/program.hpp"

/// The words of all PEs, tile by tile.
namespace weft::s3dft {

inline std::vector<std::uint32_t> words_for(const Rect& where, const MemorySpan& of_each) {
  return std::vector<std::uint32_t>(static_cast<std::size_t>(where.width) *
                                    static_cast<std::size_t>(where.height) * (of_each.bytes / 4));
}

/// f(x, y, words of this PE) for all PEs of a rectangle.
template <class F>
void for_pes(const Rect& where, const MemorySpan& of_each, std::vector<std::uint32_t>& words, F f) {
  std::uint32_t* of_pe = words.data();
  for (int y = where.y; y < where.y + where.height; ++y)
    for (int x = where.x; x < where.x + where.width; ++x, of_pe += of_each.bytes / 4)
      f(x, y, of_pe);
}

/// Writes what f(x, y, words of this PE, which are 0) leaves, into all PEs of a mesh.
template <class F>
void write_pes(Fabric& fabric, int width, int height, const MemorySpan& span, int threads, F f) {
  fft::for_tiles(width, height, threads, [&](const Rect& where) {
    std::vector<std::uint32_t> words = words_for(where, span);
    for_pes(where, span, words, f);
    fabric.write(where, span.address, words);
  });
}

/// The same into the PEs of the arrays.
template <class F>
void write_pes(Fabric& fabric, const fft::GivenArrays& arrays, const MemorySpan& span, F f) {
  fft::for_tiles(arrays.pes(), arrays.threads(), [&](const Rect& where) {
    std::vector<std::uint32_t> words = words_for(where, span);
    for_pes(where, span, words, f);
    arrays.write(fabric, where, span.address, words);
  });
}

/// f(x, y, words of this PE) for the PEs of the arrays.
template <class F>
void read_pes(const Fabric& fabric, const fft::TakenArrays& arrays, const MemorySpan& span, F f) {
  fft::for_tiles(arrays.pes(), arrays.threads(), [&](const Rect& where) {
    std::vector<std::uint32_t> words = words_for(where, span);
    arrays.read(fabric, where, span.address, words);
    for_pes(where, span, words, f);
  });
}

}  // namespace weft::s3dft
