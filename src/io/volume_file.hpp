#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/sides.hpp"
#include "weft/volume.hpp"

namespace weft::io {

/// How an input whose shape differs from the plan's is made to fit.
enum class Fit {
  none,      ///< a shape that differs is an error
  crop,      ///< the centre is taken; a side that is too short is an error
  pad,       ///< zeros around it, centred; a side that is too long is an error
  resample,  ///< trilinear, the whole field scaled to the new sides
};

/// The treatment of a file's numbers when they were read.
struct Conversion {
  std::string type;                 ///< of its elements, as NumPy names it: "int16", "complex128"
  bool is_complex = false;          ///< to complex64, and not to float32
  double slope = 1, intercept = 0;  ///< a value is the stored number * slope + intercept (NIfTI)
  std::uint64_t rounded = 0;        ///< numbers that float32 does not hold exactly, but those
  std::uint64_t underflows = 0;     ///< that became 0, since float32 has none so small
};

/// Whether the name has the suffix of a format that read_volume reads.
bool names_volume(std::string_view path);

/// Reads an array of one to four axes as ArrayFile does, of integers of 8 to 64 bits, float16
/// (.npy), float32, float64, complex64, complex128 or bool (.npy). Values become complex64;
/// `conversion` gets what that changed. Throws Error(input) for a file that is missing, truncated,
/// longer than its array, of more axes, of another type, or that holds NaN or infinity (also after
/// rounding to float).
Volume read_volume(const std::string& path, Conversion* conversion = nullptr);

/// Numbers that follow each other in an array in C order, from number `first` on.
struct NumberRun {
  std::size_t first = 0, count = 0;
  bool counted = true;  ///< in a Conversion; else another reader counts them
};

/// Real and imaginary parts uniform in [-1, 1), the same on every machine for a seed.
Volume random_volume(Shape3 shape, std::uint64_t seed);

/// The same numbers, of these runs alone, which ascend, one after the other.
std::vector<std::complex<float>> random_part(std::span<const NumberRun> runs, std::uint64_t seed);

/// The same of arrays that are halves of spectra of real fields, `half` one of them: n0 x n1 x
/// (n2/2 + 1) such numbers. Number (a, b) of the first plane and of the last one is the conjugate
/// of number (-a, -b). All are multiplied by the power of two that gives the field numbers about as
/// large as a random one's, where its transform is divided by their count.
std::vector<std::complex<float>> random_half_part(Shape3 half, std::span<const NumberRun> runs,
                                                  std::uint64_t seed);

/// Writes complex64 in C order, .npy format 1.0. The file appears whole or not at all (written
/// beside it, then renamed); an old one stays if writing fails. Throws Error(environment).
void write_npy(const std::string& path, const Sides& sides,
               std::span<const std::complex<float>> numbers);

/// The same of a volume, without the axes that it does not have: 8 x 1 x 8 becomes (8, 8).
void write_npy(const std::string& path, const Volume& volume);

/// What stands before the numbers in such a file.
std::string npy_header(const Sides& sides);

/// The plane that a picture shows, as a number along axes 2 and 3: of a spectrum that of frequency
/// 0, of a field the middle one.
std::size_t pictured_plane(const Shape3& shape, bool spectrum);

/// A grey picture, axis 0 to the right and axis 1 upwards: left |f| of the field's plane in the
/// middle of axis 2, right log(1 + |F|) of the spectrum's plane of zero third frequency, with
/// frequency 0 in its middle. Whole or not at all, as write_npy. Throws Error(environment), and
/// Error(usage) for volumes of different shapes.
void write_picture_png(const std::string& path, const Volume& field, const Volume& spectrum);

}  // namespace weft::io
