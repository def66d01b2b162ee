#pragma once

#include <optional>
#include <string>

#include "fft/division/way.hpp"
#include "fft/fitting.hpp"
#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

/// The checks of a plan, before anything runs.
namespace weft::fft {

/// How a plan divides its arrays among PEs; where no mesh is asked for, among as many as can be.
/// Throws Error(usage) for invalid shapes, meshes and batches. `bytes`: of the options'
/// algorithm for pencils.
wsfft::Division division_of(const Shape3& shape, const FftOptions& options, const PeBytes& bytes);

/// Throws Error(usage) where a last transpose would not take the numbers back.
void check_back(const wsfft::Division& division, FftTranspose transpose);

/// The algorithm for pencils that a plan takes where none is asked for.
FftPencil pencil_for(const Shape3& shape, FftPencil asked);

enum class NearestSide { smaller, larger, either };

/// The side nearest to one, and no larger or smaller if so asked, that wsFFT takes: 2^a 3^b 5^c
/// from kLeastSide. 1 is for an axis that the array does not have, and what has no such side stays.
std::size_t nearest_side(std::size_t side, bool even, NearestSide which);

/// "20,12,30"
std::string shape_text(const Shape3& shape);

/// Why wsFFT has no arrays of a shape.
std::optional<WrongShape> wrong_shape(const Shape3& shape, FftKind kind);

/// Throws Error(usage).
void check_shape(const Shape3& shape, const std::optional<WrongShape>& wrong);
void check_batch(int batch);

/// Throws Error(usage) unless a plan is of wsFFT, which alone has this.
void check_wsfft(const FftPlan& plan, const char* what);

/// Throws Error(usage) unless a volume has this shape, and numbers for it, or so many of a part.
void check_input(const Volume& input, Shape3 shape);
void check_input(const Volume& input, Shape3 shape, std::size_t numbers);

/// Throws Error(usage) unless all imaginary parts are 0, of a part of arrays.
void check_real(const Volume& input, const FftPart& part);

/// The runs that a batch takes.
int rounds_of(const wsfft::Division& division, int batch);

}  // namespace weft::fft
