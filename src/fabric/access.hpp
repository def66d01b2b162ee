#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "fabric/stepper/by_line_options.hpp"
#include "fabric/stepper/stepper.hpp"
#include "weft/fabric.hpp"

namespace weft::inline v0 {

/// Fabrics as the library itself makes them.
struct __attribute__((visibility("hidden"))) FabricAccess {
  static Fabric make(const Layout& layout, const Machine& machine, const FabricOptions& options,
                     const fabric::ByLineOptions& by_line);
  /// With a stepper of that layout and these options.
  static Fabric make(std::unique_ptr<fabric::Stepper> stepper, const Layout& layout,
                     const Machine& machine, const FabricOptions& options);
  /// As Fabric::read, but of PEs that another process steps nothing is read, and no process is
  /// asked. Threads may read at the same time.
  static void read_own(const Fabric& fabric, const Rect& where, std::uint32_t address,
                       std::span<std::uint32_t> words);
  /// Leaves nothing of the fabric.
  static std::unique_ptr<fabric::Stepper> take_stepper(Fabric&& fabric);
  /// The same. Takes less memory than Fabric::profile, of which it is the last one.
  static Profile take_profile(Fabric&& fabric);
};

}  // namespace weft::inline v0
