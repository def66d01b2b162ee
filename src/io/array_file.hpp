#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "io/input_file.hpp"
#include "io/raw_array.hpp"
#include "io/volume_file.hpp"

namespace weft::io {

/// A file of an array: .npy (C or Fortran order; little or big endian) or NIfTI-1 (axes in file
/// order, x first), each also compressed by gzip. Its content tells which, and only if that begins
/// as neither, its name.
class ArrayFile {
 public:
  /// Reads the header. Throws Error(input) for a file that is missing, shorter than its header
  /// says, or no array of numbers.
  explicit ArrayFile(const std::string& path);

  const Sides& sides() const noexcept { return header_.sides; }

  /// Reads the numbers, once, in C order. Zero bytes may follow them, as tools for tapes leave.
  /// Throws Error(input) as decode, and for a file that is truncated or has other bytes behind.
  std::vector<std::complex<float>> read(Conversion* conversion = nullptr);

  /// Whether parts can be read without the rest: of a file that is not compressed, in C order.
  bool has_parts() const noexcept {
    return file_.is_plain() && !header_.encoding.first_axis_fastest;
  }
  /// Of a file that has parts, these numbers, one run after the other. Throws as read(), of numbers
  /// that it reads.
  std::vector<std::complex<float>> read_part(std::span<const NumberRun> runs,
                                             Conversion* conversion = nullptr);

 private:
  void check_nothing_follows();
  Conversion conversion(const Changed& changed) const;

  std::string path_;
  InputFile file_;
  std::string bytes_;  ///< read so far
  ArrayHeader header_;
};

}  // namespace weft::io
