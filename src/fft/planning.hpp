#pragma once

#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

/// The checks of a plan, before anything runs.
namespace weft::fft {

/// How a plan divides its array among PEs. Throws Error(usage) for shapes and meshes that cannot
/// be.
wsfft::Division division_of(const Shape3& shape, const FftMesh& mesh);

/// Throws Error(machine_profile) if the program and its data do not fit in a PE, Error(environment)
/// if the mesh does not fit in this host's memory.
void check_fits(const wsfft::Division& division, FftPrecision precision, const FftOptions& options);

}  // namespace weft::fft
