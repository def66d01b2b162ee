#pragma once

#include <cstdint>

#include "engine/clock.hpp"
#include "model/state.hpp"

namespace weft::test {

/// For tests that step cycles without an engine's clock: tells a view whether links rest.
class LinkRests {
 public:
  explicit LinkRests(model::View& view) : view_(view) { clock_.watch_crowd(view.timing, {}); }

  void begin_cycle(std::uint64_t now) {
    if (clock_.link_period == 0) return;
    clock_.crowd.hops = 0;
    for (std::size_t i = 0; i < view_.strip_count(); ++i) clock_.crowd.hops += view_.strip[i].hops;
    clock_.from = now;
    clock_.enter_period();
    clock_.tell(view_);
  }

 private:
  model::View& view_;
  engine::Clock clock_{};
};

}  // namespace weft::test
