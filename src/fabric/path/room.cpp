#include "fabric/path/room.hpp"

#include <fmt/format.h>

#include "fabric/path/records.hpp"
#include "weft/error.hpp"

namespace weft::fabric::path {

void check_room(std::uint64_t records, std::uint64_t instructions, double host_bytes) {
  constexpr double kGiB = 1 << 30;
  const double bytes = static_cast<double>(records) * sizeof(Record) +
                       static_cast<double>(instructions) * sizeof(std::uint64_t);
  if (bytes <= host_bytes / 4 && records < UINT32_MAX) return;
  throw Error(ErrorCategory::environment,
              fmt::format("the records of the critical path take {:.1f} GiB", bytes / kGiB),
              fmt::format("{} waits and {} instructions so far, on a host with {:.1f} GiB", records,
                          instructions, host_bytes / kGiB),
              "find the path of a smaller array or mesh");
}

}  // namespace weft::fabric::path
