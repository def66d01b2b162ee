#pragma once

#include "fft/wsfft/pencil.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"
#include "weft/volume.hpp"

namespace weft::wsfft {

/// How the array lies on the mesh. `space`: PE (x, y) holds A(x, y, :). `frequency`: PE (x, y)
/// holds F(y, :, x), as the forward transform leaves it and the inverse takes it.
enum class Arrangement { space, frequency };

/// Copies an n x n x n volume into the PEs' pencils at `address`, rounded to the precision.
void scatter(Fabric& fabric, const Volume& volume, Numbers numbers, Arrangement arrangement,
             std::uint32_t address, int threads = 1);

/// Copies the PEs' pencils into an n x n x n volume.
Volume gather(const Fabric& fabric, Shape3 shape, Numbers numbers, Arrangement arrangement,
              std::uint32_t address, int threads = 1);

}  // namespace weft::wsfft
