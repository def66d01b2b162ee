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

inline constexpr int kStamps = 5;  ///< at most so many clock readings of a PE: the ends of phases

/// The roots of unity for pencils of n numbers. Of powers of two the least
/// (Division::one_table) are also for all shorter ones.
struct Twiddles {
  int n;
  MemorySpan span;
};

/// Roots of unity of butterflies along an axis of the mesh, times the factor of a level.
struct LevelRoots {
  Axis axis{};
  float scale = 1;
  MemorySpan span{};
};

/// The transform's program and where its data is.
struct TransformProgram {
  Program program;
  MemorySpan input, output;  ///< the PE's numbers at the start and at the end
  std::vector<Twiddles> twiddles;
  MemorySpan stamps;                 ///< low 32 bits of the cycle counter
  std::array<MemorySpan, 4> finish;  ///< of rows plus, rows minus, columns plus, columns minus
  std::vector<MemorySpan> roots{};  ///< of digits, by superstep: a factor for each number of the PE
  std::vector<LevelRoots> level_roots{};  ///< of butterflies
};

/// Names and kinds of the phases, in order.
std::vector<RunPhase> phases(const Division& division, FftDirection direction);

/// The transform: its size, numbers and direction, and the form of its transposes.
struct Transform {
  Division division;
  Numbers numbers;
  FftDirection direction;
  std::array<float, 4> scale;  ///< of the pencils along each axis
  Form form = Form::published;
  FftPencil pencil = FftPencil::radix2;
};

/// The table of `twiddles`, for pencils of n numbers.
PencilRoots roots_for(int n, const std::vector<Twiddles>& twiddles, const Transform& t);
/// Its words.
std::vector<std::uint32_t> root_words(const Twiddles& table, const Transform& t);

TransformProgram build_transform(const Transform& transform);

/// The first two supersteps and the exchange between them, for one line of PEs: until that exchange
/// ends, the line does in each cycle what each line of the transform does.
TransformProgram build_first_exchange(const Transform& transform);

/// One superstep, for one PE: it stamps the phase's end, and its start unless that is cycle 0.
TransformProgram build_superstep(const Transform& transform, int superstep);

/// The program for one pencil alone, along axis 2; `stamps` holds the clock before and after.
TransformProgram build_pencil(const Transform& transform);

/// Places the program and the exchanges' routes on a fabric of all PEs of the division.
Layout lay_out(const Program& program, const Transform& transform);

/// The same for build_first_exchange, on the PEs of line_of.
Layout lay_out_line(const Program& program, const Transform& transform);
Rect line_of(const Transform& transform);

/// The control wavelets that the host writes into every PE, and where: `finish` of a program.
std::vector<std::pair<MemorySpan, std::vector<std::uint32_t>>> finish_words(
    const std::array<MemorySpan, 4>& finish, Form form);

}  // namespace weft::wsfft
