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
  /// Throws Error(input) for a number that is not finite, and for a file that is truncated or has
  /// other bytes behind; Error(environment) without memory.
  std::vector<std::complex<float>> read(Conversion* conversion = nullptr);

  /// Reads these numbers alone, once: of ascending runs of the array in C order, one run after the
  /// other. Memory is that of these numbers, some 30 MB, and 24 bytes for each run. A file that is
  /// compressed, or not in C order, is read from front to back. Throws as read(), of these numbers;
  /// `conversion` is theirs.
  std::vector<std::complex<float>> read_part(std::span<const NumberRun> runs,
                                             Conversion* conversion = nullptr);

 private:
  std::size_t size() const;
  template <class F>
  void for_elements(std::size_t first, std::size_t count, const F& take);
  void read_at(std::uint64_t position, std::span<char> to);
  void check_nothing_follows();
  Conversion conversion(const Changed& changed) const;

  std::string path_;
  InputFile file_;
  std::string bytes_;  ///< read so far
  ArrayHeader header_;
};

}  // namespace weft::io
