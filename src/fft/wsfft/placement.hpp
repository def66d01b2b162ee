#pragma once

#include <cstdint>

#include "fft/parts.hpp"
#include "fft/wsfft/division.hpp"
#include "fft/wsfft/pencil.hpp"
#include "weft/fabric.hpp"

namespace weft::wsfft {

/// Copies arrays, one after the other in C order, into the PEs' numbers at `address`, rounded to
/// the precision: to those at the left of the upper row first. Where there are fewer than the
/// division has room for, the others' numbers are 0.
void scatter(Fabric& fabric, const fft::GivenArrays& arrays, const Division& division,
             Numbers numbers, const Arrangement& arrangement, std::uint32_t address);

/// Gives each of the PEs' numbers the root of unity by which it is multiplied after a superstep.
void scatter_roots(Fabric& fabric, const Division& division, Numbers numbers,
                   FftDirection direction, int superstep, std::uint32_t address, int threads = 1);

/// Copies the PEs' numbers into arrays.
void gather(const Fabric& fabric, const fft::TakenArrays& arrays, const Division& division,
            Numbers numbers, const Arrangement& arrangement, std::uint32_t address);

}  // namespace weft::wsfft
