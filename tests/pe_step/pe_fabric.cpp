#include "pe_step/pe_fabric.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <thread>
#include <tuple>

#include "fabric/build/timing.hpp"
#include "fabric/stepper/spec_facts.hpp"
#include "pe/build/mesh.hpp"
#include "pe/step.hpp"
#include "pe_step/pe_facts.hpp"
#include "pe_step/spec_core.hpp"

namespace weft::test {
namespace {

using spec::Fabric;

/// Of the PEs that one thread steps.
struct Part {
  pe::Totals totals{};
  Fault fault;
  bool happened = false;  ///< in the last cycle

  void record(const Fault& f) {
    const auto earlier = [](const Fault& a, const Fault& b) {
      return std::tuple(a.cycle, a.y, a.x, a.kind) < std::tuple(b.cycle, b.y, b.x, b.kind);
    };
    if (f.kind == FaultKind::none) return;
    if (fault.kind == FaultKind::none || earlier(f, fault)) fault = f;
  }
};

template <class S>
class Impl : public PeFabric {
 public:
  Impl(const Case& c, const PeOptions& options)
      : cores_(c),
        mesh_(layout_of(c), fabric::timing_of(c.machine), true),
        dice_(mixed(options.seed)),
        stepped_(dice_.bits() % 2),
        two_threads_(options.two_threads) {
    order_.resize(static_cast<std::size_t>(c.width) * static_cast<std::size_t>(c.height));
    std::iota(order_.begin(), order_.end(), 0);
  }

  Fabric::Stop step() override {
    const pe::Now now{cycle_, static_cast<unsigned>(stepped_ % 2), begin_link_period()};
    if (dice_.chance(70) && nothing_is_due()) {  // as clocks jump
      ++cycle_;
      return quiet() ? Fabric::Stop::quiet : Fabric::Stop::limit;
    }
    dice_.shuffle(order_);
    parts_[0].happened = parts_[1].happened = false;
    const std::size_t half = two_threads_ ? order_.size() / 2 : order_.size();
    const auto step_some = [&](Part& part, std::size_t from, std::size_t to) {
      for (std::size_t n = from; n < to; ++n)
        step_pe(part, order_[n] % mesh_.width(), order_[n] / mesh_.width(), now);
    };
    if (two_threads_) {
      std::thread other([&] { step_some(parts_[1], half, order_.size()); });
      step_some(parts_[0], 0, half);
      other.join();
    } else {
      step_some(parts_[0], 0, half);
    }
    parts_[0].record(parts_[1].fault);
    ++cycle_;
    ++stepped_;
    if (fault().kind != FaultKind::none) return Fabric::Stop::fault;
    return quiet() ? Fabric::Stop::quiet : Fabric::Stop::limit;
  }

  std::uint64_t cycle() const override { return cycle_; }
  const Fault& fault() const override { return parts_[0].fault; }
  pe::Totals totals() const override {
    const pe::Totals &a = parts_[0].totals, &b = parts_[1].totals;
    return {a.wavelets + b.wavelets, a.hops + b.hops, a.delivered + b.delivered,
            a.filtered + b.filtered};
  }

  fabric::PeState state(int x, int y) override {
    fabric::PeState state = fabric::pe_state(cores_, x, y, true);
    const pe::Pe<S> at = mesh_.at(x, y);
    set_facts(state, at, mesh_.rules, last_inbox(at));
    return state;
  }
  const std::vector<std::uint32_t>& memory(int x, int y) const override {
    return cores_.pe(x, y).core.memory;
  }

 private:
  const pe::Inbox<S>& last_inbox(const pe::Pe<S>& at) const { return at.inbox[(stepped_ + 1) % 2]; }

  bool begin_link_period() {
    const model::Timing& t = mesh_.rules.timing;
    if (t.link_busy == 0 || cycle_ % t.link_period() != 0) return false;
    const std::uint64_t hops = totals().hops;
    const bool rest = t.crowd == 0 || hops - hops_before_ > t.crowd;
    hops_before_ = hops;
    return rest;
  }

  void step_pe(Part& part, int x, int y, const pe::Now& now) {
    spec::Core& core = cores_.pe(x, y).core;
    const pe::Pe<S> at = mesh_.at(x, y);
    const bool stopped_before = core.stopped.has_value();
    const pe::Routed routed = pe::step(
        at, mesh_.rules, now, part.totals,
        [&](const pe::Routed& before) { step_core(core, at, mesh_.rules, now, before.torn_down); });
    part.happened |= routed.moved || routed.will || core.did_something;
    part.record({routed.fault, now.cycle, x, y, routed.color, routed.detail});
    if (core.stopped && !stopped_before)
      part.record({core.stopped->kind, now.cycle, x, y, core.stopped->color, core.stopped->detail});
  }

  /// Nothing has happened in the cycle before, and nothing comes in this one.
  bool nothing_is_due() {
    if (parts_[0].happened || parts_[1].happened || cycle_ == 0) return false;
    for (const int n : order_) {
      const int x = n % mesh_.width(), y = n / mesh_.width();
      const pe::Pe<S> at = mesh_.at(x, y);
      const pe::Inbox<S>& box = last_inbox(at);
      for (int side = 0; side < kLinks; ++side)
        if (box.came[side] != 0 || box.left[side] != 0 || box.note[side] != 0) return false;
      const std::uint64_t way = at.to_core->way | at.to_router->way;
      if ((way >> pe::way_at(cycle_) & pe::QueuePlanes::kQueues) != 0) return false;
      const spec::Core& core = cores_.pe(x, y).core;
      if (core.running && !core.waiting && core.wake <= cycle_) return false;
      for (const auto& microthread : core.microthread)
        if (microthread && microthread->first == cycle_) return false;
    }
    return true;
  }

  /// As spec::Fabric::quiet.
  bool quiet() {
    const bool happened = parts_[0].happened || parts_[1].happened;
    for (int y = 0; y < mesh_.height(); ++y)
      for (int x = 0; x < mesh_.width(); ++x) {
        if (cores_.pe(x, y).core.is_due(cycle_ - 1)) return false;
        const pe::Pe<S> at = mesh_.at(x, y);
        if ((at.to_core->way | at.to_router->way) != 0) return false;
        pe::Router<S> r = *at.router;
        const pe::Colors room = pe::room_for_core(at, mesh_.rules, r);
        for (std::uint32_t held = at.to_router->held.some(); held != 0; held &= held - 1) {
          const std::uint8_t color =
              mesh_.rules.number[at.far->to_router.color[std::countr_zero(held)]];
          if (color != pe::kNone && (room >> color & 1U) != 0) return false;
        }
        r.held.increment(S::Ports::of_links(last_inbox(at).came));
        if (happened && (r.held.some() & r.rx & ~S::Ports::every(r.torn)).any()) return false;
      }
    return true;
  }

  Reference cores_;  ///< its routers are not stepped
  pe::Mesh<S> mesh_;
  Dice dice_;
  std::vector<int> order_;
  std::array<Part, 2> parts_;
  std::uint64_t cycle_ = 0, stepped_, hops_before_ = 0;
  bool two_threads_;
};

template <int colors>
std::unique_ptr<PeFabric> make(const Case& c, const PeOptions& options) {
  if (c.machine.router_queue_depth <= 2)
    return std::make_unique<Impl<pe::Shape<colors, 2>>>(c, options);
  return std::make_unique<Impl<pe::Shape<colors, 4>>>(c, options);
}

}  // namespace

std::unique_ptr<PeFabric> make_pe_fabric(const Case& c, const PeOptions& options) {
  const auto colors =
      std::max(options.colors, static_cast<int>(pe::numbered_colors(layout_of(c)).size()));
  if (colors <= 4) return make<4>(c, options);
  return colors <= 8 ? make<8>(c, options) : make<kColors>(c, options);
}

}  // namespace weft::test
