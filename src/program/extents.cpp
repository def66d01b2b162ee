#include "program/extents.hpp"

#include <fmt/format.h>

#include "weft/error.hpp"
#include "weft/machine.hpp"
#include "weft/types.hpp"

namespace weft::inline v0 {

std::string memory_text() {
  return fmt::format("a PE has {} KB, of any machine at most {} KB",
                     Machine{}.pe_memory_bytes / 1024, kMostMemoryBytes / 1024);
}

std::uint64_t bytes_of_array(const std::string& name, ElementType type,
                             const std::vector<int>& extents) {
  const auto refuse = [](const std::string& what, const std::string& why,
                         const std::string& remedy) {
    throw Error(ErrorCategory::program, what, why, remedy);
  };
  if (extents.empty() || extents.size() > kDimensions)
    refuse(fmt::format("invalid shape of {}: {} dimensions", name, extents.size()),
           fmt::format("allowed: 1 to {}", kDimensions), "join some of them");
  auto bytes = static_cast<std::uint64_t>(element_bytes(type));
  bool too_many = false;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] < 1 || extents[d] > 0xffff)
      refuse(fmt::format("invalid shape of {}: {} elements in dimension {}", name, extents[d], d),
             "allowed: 1 to 65,535", "change its size");
    too_many |= __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extents[d]), &bytes);
  }
  if (too_many)
    refuse(fmt::format("no room for {} (2^64 bytes or more)", name), memory_text(),
           "reserve less, or spread it over more PEs");
  return bytes;
}

}  // namespace weft::inline v0
