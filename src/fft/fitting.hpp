#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

/// The memory that a transform takes, of a PE and of this host.
namespace weft::fft {

/// The bytes of a PE that a transform takes, in the form of its transposes that takes more.
std::uint32_t bytes_of_pe(const wsfft::Division& division, FftPrecision precision,
                          FftPencil pencil);

/// The same; nothing if no machine has pencils so long, or programs so large.
std::optional<std::uint32_t> memory_needed(const wsfft::Division& division, FftPrecision precision,
                                           FftPencil pencil);

/// About the memory that a transform takes on this host.
double bytes_of_host(const wsfft::Division& division, FftPrecision precision,
                     const FftOptions& options);

/// Whether a PE can have its numbers and the program, and transform its pencils.
bool fits_pe(const wsfft::Division& division, FftPrecision precision, const FftOptions& options);

/// Whether mesh and arrays fit in this host's memory.
bool fits_host(const wsfft::Division& division, FftPrecision precision, const FftOptions& options);

/// Why a PE cannot have its numbers.
std::string why_too_large(const wsfft::Division& division, FftPrecision precision,
                          const FftOptions& options);

/// Throws Error(usage) if the algorithm has no pencils so long as the arrays' sides.
void check_pencils(const wsfft::Division& division, FftPencil pencil);

/// Throws Error(machine_profile) if a PE has not so many bytes, for its numbers on this division.
void check_bytes(std::uint32_t bytes, const wsfft::Division& division, const Machine& machine);

/// Throws Error(environment) if mesh and arrays do not fit in this host's memory.
void check_host(const wsfft::Division& division, FftPrecision precision, const FftOptions& options);

}  // namespace weft::fft
