#pragma once

#include <concepts>

#include "model/lanes/neighbours.hpp"

namespace weft::model {

/// A way to step strips, `L` in the templates of the step: as blocks of a mesh, or as bundles of
/// lines (by_line/hooks.hpp). variants/step_variant.cpp has a type for each.
template <class L>
concept LanePolicy = requires {
  typename L::Shape;  // which lane is whose neighbour (neighbours.hpp)
  typename L::Hooks;  // hooks.hpp

  /// Wakes are kept by row too.
  { L::kRowWakes } -> std::convertible_to<bool>;
};

}  // namespace weft::model
