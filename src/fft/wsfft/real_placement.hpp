#pragma once

#include <cstdint>

#include "fft/parts.hpp"
#include "fft/wsfft/division.hpp"
#include "fft/wsfft/pencil.hpp"
#include "weft/fabric.hpp"

/// As placement.hpp, for real arrays and half spectra.
namespace weft::wsfft {

/// Copies an array into the PEs: a real one, of which the real parts are taken, if it is arranged
/// as in space, at the start of a forward transform; else a half spectrum in C order. Numbers that
/// only pad are 0.
void scatter_real(Fabric& fabric, const fft::GivenArrays& arrays, const Division& division,
                  Numbers numbers, FftDirection direction, std::uint32_t address);

/// Copies the PEs' numbers into an array, at the end of a transform.
void gather_real(const Fabric& fabric, const fft::TakenArrays& arrays, const Division& division,
                 Numbers numbers, FftDirection direction, std::uint32_t address);

}  // namespace weft::wsfft
