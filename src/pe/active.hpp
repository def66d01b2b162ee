#pragma once

#include "pe/core_view.hpp"

/// Local tasks that become active: by an instruction, or by the host.
namespace weft::pe {

WEFT_HD void look_at_local_tasks(CoreView c) {
  c.near().offered = (c.far().active & ~c.far().blocked) != 0;
}

WEFT_HD void activate(CoreView c, int id) {
  set_bit(c.far().active, id, true);
  look_at_local_tasks(c);
}

}  // namespace weft::pe
