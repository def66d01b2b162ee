#pragma once

#include "pe/core_view.hpp"

namespace weft::pe {

/// Wavelets, a microthread or a task are left in the PE, an active one that is blocked too.
/// `inbox`: written in the last cycle.
template <class S>
WEFT_HD bool anything_left(Pe<S> pe, const Inbox<S>& inbox) {
  const Core& core = pe.core();
  const FarCore& far = pe.far_core();
  return core.running || core.live != 0 || far.active != 0 || pe.to_core().any() ||
         pe.to_router().any() || pe.router().held.nonzero().any() ||
         S::Ports::of_links(inbox.came).any();
}

}  // namespace weft::pe
