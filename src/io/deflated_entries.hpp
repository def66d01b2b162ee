#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/profile.hpp"

namespace weft::io {

/// A file of a profile's archive as the archive holds it.
struct DeflatedEntry {
  std::string name, bytes;
  std::uint64_t size = 0;  ///< of the file, before it was deflated
  std::uint32_t crc = 0;   ///< of the same bytes
};

/// All files of a profile, in order. So many threads deflate them.
std::vector<DeflatedEntry> deflated_entries(const Profile& profile, int threads);

}  // namespace weft::io
