#pragma once

#include "model/state/view.hpp"

namespace weft::model {

/// Lanes whose payload is carried along (View::data): all, or those of control wavelets.
WEFT_INLINE Mask carried(const View& v, Mask lanes, Mask control) {
  return v.data ? lanes : lanes & control;
}

}  // namespace weft::model
