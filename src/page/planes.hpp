#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace weft::page {

/// Numbers by PE as bytes that deflate well: of each row a byte less the one to its left. `width`
/// is that of the mesh.
/// As many bytes a PE as the largest needs, the lowest bytes of all PEs first.
std::string exact_plane(std::span<const std::uint64_t> values, std::size_t width);
/// One byte a PE: 0 only for 0, 255 only for `full` and above.
std::string coarse_plane(std::span<const std::uint64_t> values, std::size_t width,
                         std::uint64_t full);

std::string base64(std::string_view bytes);

}  // namespace weft::page
