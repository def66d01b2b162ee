#pragma once

#include <array>
#include <utility>
#include <vector>

#include "fft/wsfft/pencil.hpp"
#include "fft/wsfft/transpose.hpp"
#include "weft/fft.hpp"
#include "weft/layout.hpp"
#include "weft/program.hpp"

namespace weft::wsfft {

inline constexpr int kStamps = 5;  ///< clock readings of a PE: the ends of the five phases

/// The transform's program and where its data is.
struct TransformProgram {
  Program program;
  MemorySpan input, output;     ///< the pencil of n complex numbers at the start and at the end
  MemorySpan twiddles, stamps;  ///< stamps: low 32 bits of the cycle counter
  std::array<MemorySpan, 4> finish;  ///< of rows plus, rows minus, columns plus, columns minus
};

/// Names and kinds of the five phases, in order.
std::array<RunPhase, kStamps> phases(FftDirection direction);

/// The axes of the first and the second exchange.
std::array<Axis, 2> exchange_order(FftDirection direction);

/// The transform: its size, numbers and direction, and the form of its transposes.
struct Transform {
  int n;
  Numbers numbers;
  FftDirection direction;
  float scale;  ///< after each superstep
  Form form = Form::published;
};

TransformProgram build_transform(const Transform& transform);

/// The first two supersteps and the exchange between them, for one line of n PEs: until that
/// exchange ends, the line does in each cycle what each line of the transform does.
TransformProgram build_first_exchange(const Transform& transform);

/// The program for one pencil alone; `stamps` holds the clock before and after.
TransformProgram build_pencil(const Transform& transform);

/// Places the program and the exchanges' routes on an n x n fabric.
Layout lay_out(const TransformProgram& program, const Transform& transform);

/// The same for build_first_exchange, on the PEs of line_of.
Layout lay_out_line(const TransformProgram& program, const Transform& transform);
Rect line_of(const Transform& transform);

/// The control wavelets that the host writes into every PE, and where.
std::vector<std::pair<MemorySpan, std::vector<std::uint32_t>>> finish_words(
    const TransformProgram& program, Form form);

}  // namespace weft::wsfft
