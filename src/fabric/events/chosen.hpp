#pragma once

#include <cstdint>
#include <vector>

#include "program/color_names.hpp"
#include "weft/event.hpp"
#include "weft/layout.hpp"

namespace weft::fabric {

/// Events that were asked for: a union.
class ChosenEvents {
 public:
  /// Throws Error(usage) for PEs outside the mesh, for colors that the layout has not, with the
  /// nearest name, and for cycles of which there are none.
  ChosenEvents(const std::vector<EventChoice>& choices, const Layout& layout);

  bool has(const Event& event) const;
  bool empty() const { return choices_.empty(); }
  /// Every choice begins at cycle 0.
  bool from_start() const;

 private:
  struct Choice {
    Rect pes;
    std::uint32_t kinds, colors;  ///< a bit each
    std::uint64_t from, to;
  };
  std::vector<Choice> choices_;
};

}  // namespace weft::fabric
