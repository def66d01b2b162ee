#pragma once

#include <array>

#include "fft/wsfft/program.hpp"

namespace weft::wsfft {

/// Forward and inverse transforms in turn, without the host in between, and a product in between.
struct RoundTrips {
  Division division;  ///< of a cube
  Numbers numbers;
  std::array<float, 2> scale;  ///< after each superstep, forward and inverse
  int times;
  bool product;  ///< with a symbol
  Form form = Form::published_in_turn;
  FftPencil pencil = FftPencil::radix2;
};

struct RoundTripsProgram {
  Program program;
  MemorySpan numbers;                  ///< of the PE, at the start and at the end
  MemorySpan symbol;                   ///< as many, arranged as the forward transform leaves them
  std::array<MemorySpan, 2> twiddles;  ///< forward and inverse
  MemorySpan stamps;                   ///< the clock at the end of each trip
  std::array<MemorySpan, 4> finish;    ///< as TransformProgram::finish
};

RoundTripsProgram build_round_trips(const RoundTrips& trips);

/// Places the program and the exchanges' routes.
Layout lay_out(const RoundTripsProgram& program, const RoundTrips& trips);

}  // namespace weft::wsfft
