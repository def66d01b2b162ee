#pragma once

#include <complex>
#include <string>
#include <vector>

#include "weft/fft.hpp"
#include "weft/volume.hpp"

// The second library, weft-io: files of arrays, and FFTW to compare with. weft.hpp does not include
// this header, because the core does without.
namespace weft::inline v0 {

/// Reads an array of one to four axes: .npy, .nii or .nii.gz, of integers, floats or complex
/// numbers. Two axes become n0 x 1 x n2, one 1 x 1 x n2. Values become complex64. Throws
/// Error(input) for a file that cannot be read as one, or that holds NaN or infinity.
Volume read_volume(const std::string& path);

/// Writes complex64 in C order, .npy format 1.0, without the axes that the array does not have:
/// 8 x 1 x 8 becomes (8, 8). The file appears whole or not at all. Throws
/// Error(environment).
void write_volume(const std::string& path, const Volume& volume);

/// The transform of `input` by FFTW in double precision, C order, divided as the norm says. Throws
/// Error(usage) unless the volume holds as many numbers as its shape says.
std::vector<std::complex<double>> fft_by_fftw(const Volume& input, FftDirection direction,
                                              FftNorm norm = FftNorm::backward);

/// ||result - reference|| / ||reference||, 2-norms; 0 if both are zero, infinity if the result
/// holds NaN or infinity. Throws Error(usage) if their sizes differ.
double relative_l2_error(const Volume& result, const std::vector<std::complex<double>>& reference);

}  // namespace weft::inline v0
