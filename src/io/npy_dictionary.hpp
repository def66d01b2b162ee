#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::io {

/// The Python dictionary in the header of an .npy file.
struct NpyDictionary {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Throws Error(input) for text that is not that dictionary; `source` is how messages name the
/// file.
NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& source);

}  // namespace weft::io
