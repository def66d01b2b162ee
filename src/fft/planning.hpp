#pragma once

#include "fft/fitting.hpp"
#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

/// The checks of a plan, before anything runs.
namespace weft::fft {

/// How a plan divides its arrays among PEs; where no mesh is asked for, among as many as can be.
/// Throws Error(usage) for shapes, meshes and batches that cannot be. `bytes`: of the options'
/// algorithm for pencils.
wsfft::Division division_of(const Shape3& shape, const FftOptions& options, PeBytes& bytes);

/// Throws Error(usage) unless a volume has this shape, and numbers for it.
void check_input(const Volume& input, Shape3 shape);

/// Throws Error(usage) unless all imaginary parts are 0.
void check_real(const Volume& input);

/// The runs that a batch takes.
int rounds_of(const wsfft::Division& division, int batch);

}  // namespace weft::fft
