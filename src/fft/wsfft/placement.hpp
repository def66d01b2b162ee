#pragma once

#include "fft/wsfft/division.hpp"
#include "fft/wsfft/pencil.hpp"
#include "weft/fabric.hpp"
#include "weft/volume.hpp"

namespace weft::wsfft {

/// Copies a volume into the PEs' numbers at `address`, rounded to the precision.
void scatter(Fabric& fabric, const Volume& volume, const Division& division, Numbers numbers,
             const Arrangement& arrangement, std::uint32_t address, int threads = 1);

/// Copies the PEs' numbers into a volume.
Volume gather(const Fabric& fabric, const Division& division, Numbers numbers,
              const Arrangement& arrangement, std::uint32_t address, int threads = 1);

}  // namespace weft::wsfft
