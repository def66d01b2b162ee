#include "support/strip_steps.hpp"

#include "fast/run_ahead.hpp"
#include "model/step.hpp"

namespace weft::test {
namespace {

using model::Place;
using model::View;

struct StripLanes {
  using Shape = model::Block;
  using Hooks = fast::RunAhead<model::PlainHooks>;
  static constexpr bool kRowWakes = false;
};

struct OneStrip {
  const View& v;
  int strip;
  When when;
  engine::Activity& activity;

  template <class F>
  void due(const std::uint64_t* wakes, std::uint64_t now, F f) const {
    if (when == When::always || __atomic_load_n(&wakes[strip], __ATOMIC_RELAXED) <= now)
      f(Place{strip, strip / v.strips, strip % v.strips});
  }
  void did(model::Step step, const Place&, bool moved) {
    (step == model::Step::route ? activity.polled : activity.timed) = 1;
    if (moved) activity.moved = 1;
  }
};

}  // namespace

void route_strip(const View& v, int strip, When when, std::uint64_t now,
                 engine::Activity& activity) {
  OneStrip one{v, strip, when, activity};
  model::step_1<StripLanes>(v, one, now);
}

void deliver_strip(const View& v, int strip, When when, std::uint64_t now,
                   engine::Activity& activity) {
  OneStrip one{v, strip, when, activity};
  model::step_2<StripLanes>(v, one, now);
}

void core_strip(const View& v, int strip, When when, std::uint64_t now,
                engine::Activity& activity) {
  OneStrip one{v, strip, when, activity};
  model::step_3<StripLanes>(v, one, now);
}

}  // namespace weft::test
