#pragma once

#include "model/lanes/lanes.hpp"
#include "weft/event.hpp"

namespace weft::model {

/// What one color in one strip was held by when it was last looked at, and at which ports.
struct HeldBefore {
  static constexpr int kReasons = 4;  ///< as EventKind::held numbers them
  Mask why[kReasons];
  Mask from[kPorts];
};

/// Where the events of a fabric go.
struct EventTap {
  void* to;
  /// Compiled for any CPU, other than the step: a row of strips is stepped by one thread.
  void (*add)(void* to, int row, const Event& event);
  HeldBefore* held;  ///< as View::colors
};

}  // namespace weft::model
