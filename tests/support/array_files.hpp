#pragma once

#include <nifti1.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft::test {

/// An .npy file, format 1.0, 2.0 or 3.0, with any dictionary and any data.
std::string npy_file(std::string_view dictionary, std::string_view data, int major = 1);

/// A dictionary as numpy writes it; `shape` is a Python tuple.
std::string npy_dictionary(std::string_view descr, std::string_view shape,
                           bool fortran_order = false);

/// A header for an image of these sides, in this machine's byte order, with no scaling.
nifti_1_header nifti_header(const std::vector<short>& sides, short datatype);

/// A single-file NIfTI-1 image: header, no extensions, data.
std::string nifti_file(const nifti_1_header& header, std::string_view data);

std::string gzip(std::string_view bytes);

/// The numbers' bytes, optionally each in reversed order.
template <typename T>
std::string bytes_of(const std::vector<T>& numbers, bool reversed = false) {
  std::string bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
  if (!reversed) return bytes;
  std::string result;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
    const std::string number = bytes.substr(at, sizeof(T));
    result.append(number.rbegin(), number.rend());
  }
  return result;
}

}  // namespace weft::test
