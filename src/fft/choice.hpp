#pragma once

#include <optional>

#include "fft/fitting.hpp"
#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

namespace weft::fft {

/// How a plan divides its arrays among PEs: as division_of, but where no mesh is asked for, on the
/// largest one that fits, or, of arrays with a side that is no power of two, on the quickest by
/// estimate; and whether its PEs have the least roots. Such arrays of a batch also share a mesh
/// that is asked for as is quickest.
/// Throws what that throws, and Error(machine_profile) if the program and its data fit in no PE,
/// Error(environment) if mesh and arrays do not fit in this host's memory; both tell what would.
wsfft::Division choose_division(const Shape3& shape, const FftOptions& options,
                                const PeBytes& bytes);

/// The same, or nothing where that throws.
std::optional<wsfft::Division> find_division(const Shape3& shape, const FftOptions& options,
                                             const PeBytes& bytes);

}  // namespace weft::fft
