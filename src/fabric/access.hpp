#pragma once

#include <cstddef>

#include "weft/fabric.hpp"

namespace weft::inline v0 {

/// For tests, which step small fabrics by line, too.
struct __attribute__((visibility("hidden"))) FabricAccess {
  /// The first run_until_idle is by line wherever the engine can do that, even if it does not pay.
  /// Before anything is written. `most_kept`: bytes, as fabric::Start::kMostKept. False: it cannot.
  static bool force_by_line(Fabric& fabric, const Layout& layout, std::size_t most_kept);
  static bool force_by_line(Fabric& fabric, const Layout& layout);
};

}  // namespace weft::inline v0
