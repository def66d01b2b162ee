#pragma once

#include "fft/parts.hpp"
#include "fft/s3dft/program.hpp"
#include "weft/fabric.hpp"

namespace weft::s3dft {

/// Copies arrays, one after the other in C order, into the PEs' blocks, rounded to the precision.
/// Where there are fewer than the division has room for, the others' numbers are 0.
void scatter(Fabric& fabric, const fft::GivenArrays& arrays, const Transform& t,
             const MemorySpan& block);

/// Copies the PEs' blocks into arrays.
void gather(const Fabric& fabric, const fft::TakenArrays& arrays, const Transform& t,
            const MemorySpan& block);

/// Each PE's own values from launch on.
void write_launch(Fabric& fabric, const Transform& t, const MemorySpan& launch, int threads);

/// The roots of unity, and each PE's rows of the matrix along axis 0.
void write_coefficients(Fabric& fabric, const Transform& t, const TransformProgram& program,
                        int threads);

}  // namespace weft::s3dft
