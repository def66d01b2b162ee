#pragma once

#include "fft/parts.hpp"
#include "fft/s3dft/cubes/program.hpp"
#include "weft/fabric.hpp"

namespace weft::s3dft::cubes {

/// An array into the blocks at `block`, rounded to the precision, and back.
void scatter(Fabric& fabric, const fft::GivenArrays& array, const Transform& t,
             const MemorySpan& block);
void gather(const Fabric& fabric, const fft::TakenArrays& array, const Transform& t,
            const MemorySpan& block);

void write_launch(Fabric& fabric, const Transform& t, const MemorySpan& launch, int threads);

/// The blocks of the matrix, aligned for each stage, since they depend on no data.
void write_factors(Fabric& fabric, const Transform& t, const TransformProgram& program,
                   int threads);

}  // namespace weft::s3dft::cubes
