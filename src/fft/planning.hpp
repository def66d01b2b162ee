#pragma once

#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

/// The checks of a plan, before anything runs.
namespace weft::fft {

/// How a plan divides its arrays among PEs. Throws Error(usage) for shapes, meshes and batches that
/// cannot be.
wsfft::Division division_of(const Shape3& shape, const FftOptions& options);

/// Throws Error(usage) unless a volume has this shape, and numbers for it.
void check_input(const Volume& input, Shape3 shape);

/// Throws Error(usage) unless all imaginary parts are 0.
void check_real(const Volume& input);

/// The runs that a batch takes.
int rounds_of(const wsfft::Division& division, int batch);

/// The bytes of a PE that a transform takes, in the form of its transposes that takes more.
std::uint32_t bytes_of_pe(const wsfft::Division& division, FftPrecision precision,
                          FftPencil pencil);

/// About the memory that a transform takes on this host.
double bytes_of_host(const wsfft::Division& division, FftPrecision precision,
                     const FftOptions& options);

/// Throws Error(machine_profile) if a PE has not so many bytes, for its numbers on this division.
void check_bytes(std::uint32_t bytes, const wsfft::Division& division, const Machine& machine);

/// Throws Error(machine_profile) if the program and its data do not fit in a PE, Error(environment)
/// if mesh and arrays do not fit in this host's memory.
void check_fits(const wsfft::Division& division, FftPrecision precision, const FftOptions& options);

}  // namespace weft::fft
