#pragma once

#include "model/rows.hpp"

namespace weft::engine {

/// State that is kept by row, from that of the strips.
inline void renew_rows(const model::View& v) {
  for (int row = 0; row < v.rows; ++row) {
    const model::Row strips{v, row};
    v.route_row[row] = strips.least(v.route_wake);
    v.deliver_row[row] = strips.least(v.deliver_wake);
    v.core_row[row] = strips.least(v.core_wake);
    for (int i = row * v.strips; i < (row + 1) * v.strips; ++i)
      if (v.faults[i].kind != FaultKind::none) model::earlier(v.fault_row[row], v.faults[i].cycle);
  }
}

}  // namespace weft::engine
