#include "spec/fabric.hpp"

/// The events of a fabric, where it is asked for them: docs/model.md, "Events".
namespace weft::spec {

void Fabric::emit(int x, int y, EventKind kind, int number, std::uint32_t value, Port from) {
  if (on_event) on_event({cycle_, x, y, kind, number, value, from});
}

/// Of a wavelet that is held for some time for one reason, the first cycle.
void Fabric::emit_held(int x, int y, int color, Count why, Port from) {
  if (!on_event) return;
  auto& last = held_[{index(y) * index(width_) + index(x), color}];
  const bool goes_on = last == std::tuple(cycle_ - 1, why, from);
  last = {cycle_, why, from};
  const auto reason =
      static_cast<std::uint32_t>(why) - static_cast<std::uint32_t>(Count::held_link);
  if (!goes_on) emit(x, y, EventKind::held, color, reason, from);
}

/// After a core's step.
void Fabric::emit_core(int x, int y) {
  for (const Event& event : pe(x, y).core.did.events) on_event(event);
}

}  // namespace weft::spec
