#pragma once

#include "model/state/view.hpp"

/// When a strip is looked at again. A strip sleeps until then: these functions are all that wakes
/// one from outside; each phase sets its own strip's wake anew when it has been stepped (core.hpp,
/// deliver.hpp, route.hpp).
namespace weft::model {

/// Wakes a strip or row in this cycle. Threads of other rows may do the same.
WEFT_INLINE void wake_now(std::uint64_t& wake, std::uint64_t now) {
  __atomic_store_n(&wake, now, __ATOMIC_RELAXED);
}

template <class L>
WEFT_INLINE void wake_route(const View& v, Place at, std::uint64_t cycle) {
  earlier(v.route_wake[at.index], cycle);
  if constexpr (L::kRowWakes) earlier(v.route_row[at.row], cycle);
}

template <class L>
WEFT_INLINE void wake_deliver(const View& v, Place at, std::uint64_t cycle) {
  earlier(v.deliver_wake[at.index], cycle);
  if constexpr (L::kRowWakes) earlier(v.deliver_row[at.row], cycle);
}

template <class L>
WEFT_INLINE void wake_core(const View& v, Place at, std::uint64_t cycle) {
  earlier(v.core_wake[at.index], cycle);
  if constexpr (L::kRowWakes) earlier(v.core_row[at.row], cycle);
}

}  // namespace weft::model
