#include "pe_step/pe_fabric.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <tuple>
#include <utility>

#include "fabric/stepper/lane_facts.hpp"
#include "fabric/stepper/pe_facts.hpp"
#include "pe/due.hpp"
#include "pe/host.hpp"
#include "pe/step.hpp"
#include "pe_step/built_mesh.hpp"

namespace weft::test {
namespace {

using spec::Fabric;
using Stop = Fabric::Stop;

/// Of the PEs that one thread steps.
struct Part {
  pe::Totals totals{};
  Fault fault;
  std::uint64_t ahead = 0;
  std::uint32_t host_did = 0;  ///< in the last cycle, bits of pe::Did

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
      : built_(state_of(c)),
        programs_(fabric::facts_of_programs(built_.code, built_.programs)),
        code_(code_of_case(c, built_)),
        places_(pe::in_rows(c.width, c.height, pe::host_links(layout_of(c)))),
        counts_state_(counts_of_case<S>(c, built_, places_)),
        memory_(no_memory(built_, places_.all_pes())),
        mesh_(layout_of(c),
              pe::rules_of(layout_of(c), built_.timing, view_of(built_, code_), options.tally,
                           options.data),
              programs_of(built_), places_, memory_.data(), counts_state_.arrays()),
        dice_(mixed(options.seed)),
        stepped_(dice_.bits() % 2),
        two_threads_(options.two_threads) {
    order_.resize(static_cast<std::size_t>(c.width) * static_cast<std::size_t>(c.height));
    std::iota(order_.begin(), order_.end(), 0);
    steps_.resize(order_.size());
    runs_.resize(order_.size());
    opens_.resize(order_.size());
    due_.resize(order_.size());
    copy_memory(mesh_, built_, memory_.data());
  }

  Stop run(std::uint64_t until) override {
    if (cycle_ != 0 && fault().kind == FaultKind::none && quiet(true)) return Stop::quiet;
    for (const pe::HostLink& link : places_.host) {
      const int n = link.y * mesh_.width() + link.x;
      due(n) = cycle_;
      mesh_.host->lend();
      pe::look_at_host(at(n), cycle_);
    }
    while (cycle_ < until) {
      const std::uint64_t due = dice_.chance(70) ? next_due() : cycle_;
      for (; cycle_ < std::min(due, until); ++cycle_, ++counts_.jumped) begin_link_period();
      if (cycle_ == until) break;
      step(until);
      if (fault().kind != FaultKind::none && fault().cycle < cycle_) return Stop::fault;
      if (fault().kind == FaultKind::none && quiet(happened())) return Stop::quiet;
    }
    return Stop::limit;
  }

  std::uint64_t cycle() const override { return cycle_; }
  const Fault& fault() const override { return parts_[0].fault; }
  pe::Totals totals() const override {
    const pe::Totals &a = parts_[0].totals, &b = parts_[1].totals;
    return {a.wavelets + b.wavelets, a.hops + b.hops, a.delivered + b.delivered,
            a.filtered + b.filtered};
  }

  const PeCounts& counts() const override { return counts_; }

  fabric::PeState state(int x, int y) override {
    const pe::Pe<S> at = mesh_.at(x, y);
    return fabric::pe_state(at, last_inbox(at), programs_, cycle_);
  }
  std::vector<std::uint32_t> memory(int x, int y) override {
    return words_of(mesh_, memory_.data(), x, y);
  }
  base::HostWords& host_words(const fabric::HostEnd& end) override {
    return mesh_.host->at(end.x, end.y, end.edge, end.color, end.input);
  }
  Profile profile() override {
    if constexpr (!S::kCounting) return {};
    const auto pes = [this](int x, int y) { return pe::core_of(mesh_.at(x, y), cycle_); };
    if (dice_.chance(50)) fabric::fold(counts_state_, pes);
    return fabric::profile_of(counts_state_, pes, cycle_);
  }

 private:
  int x_of(int n) const { return n % mesh_.width(); }
  int y_of(int n) const { return n / mesh_.width(); }
  pe::Pe<S> at(int n) { return mesh_.at(x_of(n), y_of(n)); }
  pe::Core& core(int n) { return at(n).core(); }
  std::uint64_t& due(int n) { return due_[static_cast<std::size_t>(n)]; }
  const pe::Inbox<S>& last_inbox(pe::Pe<S> at) const {
    return at.inbox(static_cast<unsigned>((stepped_ + 1) % 2));
  }

  bool begin_link_period() {
    const model::Timing& t = mesh_.rules.timing;
    if (t.link_busy == 0) return false;
    if (cycle_ % t.link_period() == 0) {
      const std::uint64_t hops = totals().hops;
      links_rest_ = t.crowd == 0 || hops - hops_before_ > t.crowd;
      hops_before_ = hops;
    }
    return links_rest_ && t.rest_in(cycle_);
  }

  /// f(part, PE) for all PEs, on one thread or on two.
  template <class F>
  void for_all(F f) {
    const auto some = [&](Part& part, std::size_t from, std::size_t to) {
      for (std::size_t n = from; n < to; ++n) f(part, order_[n]);
    };
    const std::size_t half = two_threads_ ? order_.size() / 2 : 0;
    if (half == 0) return some(parts_[0], 0, order_.size());
    ++counts_.threads;
    std::thread other([&] { some(parts_[1], half, order_.size()); });
    some(parts_[0], 0, half);
    other.join();
  }

  void step(std::uint64_t horizon) {
    const pe::Now now{cycle_, static_cast<unsigned>(stepped_ % 2), begin_link_period()};
    dice_.shuffle(order_);
    // As warps leave that have nothing to do.
    const bool all = dice_.chance(30);
    std::ranges::fill(steps_, all);
    for (const int n : order_) steps(n) |= due(n) <= cycle_;
    mesh_.host->lend();
    for (Part& part : parts_) part.host_did = 0;
    for_all([&](Part& part, int n) {
      host(part, n, pe::send_from_host(at(n), now));
      if (steps(n)) {
        const bool news = pe::has_news<S>(at(n), now.parity ^ 1U);
        pe::step(at(n), now, news).add_to(part.totals);
        record(part, n, cycle_);
      }
      host(part, n, pe::take_to_host(at(n), now));
    });
    mesh_.host->take_back();
    vote(horizon);
    const auto most =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(horizon - cycle_, 1U << 30U));
    for_all([&](Part& part, int n) {
      if (!runs(n)) return;
      const std::uint32_t last = pe::run_stretch<pe::WatchOf<S>>(pe::core_of(at(n), cycle_), most);
      const std::uint64_t cycle = pe::in_full(last, cycle_);
      part.ahead += cycle > cycle_ ? cycle - cycle_ : 0;
      if (!core(n).placed) record(part, n, cycle);
    });
    parts_[0].record(parts_[1].fault);
    counts_.ahead = parts_[0].ahead + parts_[1].ahead;
    for (const int n : order_) {
      if (steps(n) || runs(n)) {
        const auto cycle = static_cast<std::uint32_t>(cycle_);
        due(n) = pe::cycle_in(pe::cycles_alone(at(n), cycle), cycle_);
      }
      if (has_stretch(n)) model::earlier(due(n), horizon - 1);
      const bool opens = std::exchange(opens_[static_cast<std::size_t>(n)], 0) != 0;
      if (opens || pe::has_news<S>(at(n), now.parity)) due(n) = cycle_ + 1;
    }
    ++cycle_;
    ++stepped_;
  }

  /// What the host did at a PE's links, which may have freed wavelets there.
  void host(Part& part, int n, const pe::Counted& counted) {
    counted.add_to(part.totals);
    part.host_did |= counted.did;
    opens_[static_cast<std::size_t>(n)] |= counted.did != 0;
  }

  void record(Part& part, int n, std::uint64_t cycle) {
    const pe::FaultNote& fault = at(n).far_core().fault;
    if (core(n).has(pe::Did::fault))
      part.record({fault.kind, cycle, x_of(n), y_of(n), fault.color, fault.detail});
  }

  /// Was stepped in the last cycle.
  char& steps(int n) { return steps_[static_cast<std::size_t>(n)]; }
  bool did(int n, pe::Did what) { return steps(n) && core(n).has(what); }
  bool has_stretch(int n) { return pe::has_stretch(pe::core_of(at(n), cycle_)); }
  /// Executes a stretch in this cycle.
  char& runs(int n) { return runs_[static_cast<std::size_t>(n)]; }

  /// Cores of a group wait for each other, until one of them must go on, or by chance. Some were
  /// stepped in an earlier cycle.
  void vote(std::uint64_t horizon) {
    constexpr std::size_t kGroup = 5;
    for (std::size_t first = 0; first < order_.size(); first += kGroup) {
      const std::size_t end = std::min(first + kGroup, order_.size());
      bool go = dice_.chance(20);
      for (std::size_t k = first; k < end; ++k)
        go |= has_stretch(order_[k]) &&
              (cycle_ + 1 >= horizon ||
               pe::reached(pe::latest(pe::core_of(at(order_[k]), cycle_)), cycle_));
      for (std::size_t k = first; k < end; ++k) {
        const int n = order_[k];
        runs(n) = go && has_stretch(n);
        if (has_stretch(n) && !go) ++counts_.waited;
      }
    }
  }

  /// Nothing happens before it.
  std::uint64_t next_due() {
    std::uint64_t next = fault().kind == FaultKind::none ? model::kNever : fault().cycle;
    for (const std::uint64_t due : due_) model::earlier(next, due);
    for_host_links([&](const pe::HostNext& of_host) {
      model::earlier(next, of_host.timed);
      model::earlier(next, of_host.polled);
    });
    return next;
  }

  /// As spec::Core::is_due, of the last cycle.
  bool core_is_due(int n) {
    const pe::CoreView c = pe::core_of(at(n), cycle_ - 1);
    const pe::Core& core = c.near();
    if ((core.running && !core.waiting) || did(n, pe::Did::again) || core.starting != 0)
      return true;
    for (int u = 0; u < model::kMicrothreads; ++u)
      if ((core.live >> u & 1U) != 0 && pe::acts(c, u)) return true;
    return c.in().ramp.in_flight.any() || c.out().ramp.in_flight.any();
  }

  /// f(when a PE with links to the host has to do for it), as after the last cycle.
  template <class F>
  void for_host_links(F f) {
    if (mesh_.host->empty()) return;
    mesh_.host->lend();
    for (const pe::HostLink& link : places_.host)
      f(pe::next_of_host(mesh_.at(link.x, link.y), cycle_ - 1));
  }

  /// Something did in the last cycle, for which others may have waited.
  bool happened() {
    const auto moved = static_cast<unsigned>(pe::Did::moved);
    return ((parts_[0].host_did | parts_[1].host_did) & moved) != 0 ||
           std::ranges::any_of(
               order_, [&](int n) { return did(n, pe::Did::moved) || did(n, pe::Did::will); });
  }

  /// As spec::Fabric::quiet.
  bool quiet(bool happened) {
    bool host_goes_on = false;
    for_host_links([&](const pe::HostNext& next) {
      host_goes_on |= next.timed != model::kNever || (happened && next.polled != model::kNever);
    });
    if (host_goes_on) return false;
    for (const int n : order_) {
      if (core_is_due(n)) return false;
      const pe::Pe<S> at = this->at(n);
      pe::Router<S> r = at.router();
      const pe::Colors room = pe::room_for_core(at, r);
      for (int queue = 0; queue < pe::kRampQueues; ++queue) {
        if (at.to_router().held(queue) == 0) continue;
        const std::uint8_t color = mesh_.rules.number[at.marks_out().color[queue]];
        if (color != pe::kNone && (room >> color & 1U) != 0) return false;
      }
      r.held.increment(S::Ports::of_links(last_inbox(at).came));
      if (happened &&
          (r.held.nonzero() & r.rx & ~S::Ports::every(r.marked(pe::Mark::torn_down))).any())
        return false;
    }
    return true;
  }

  fabric::State built_;  ///< owns the programs
  std::vector<fabric::ProgramFacts> programs_;
  std::vector<pe::Code> code_;
  pe::Places places_;
  fabric::PeCountsState counts_state_;
  std::vector<std::uint32_t> memory_;
  pe::Mesh<S> mesh_;
  Dice dice_;
  std::vector<int> order_;
  std::vector<char> steps_, runs_;  ///< by PE
  std::vector<char> opens_;         ///< by PE: the host did something
  std::vector<std::uint64_t> due_;  ///< by PE: not stepped before, if it gets no news
  std::array<Part, 2> parts_;
  std::uint64_t cycle_ = 0, stepped_, hops_before_ = 0;
  bool links_rest_ = false;  ///< in the present period of links
  PeCounts counts_;
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
  if (c.observe.counts)
    return std::make_unique<Impl<pe::CountingShape<pe::Shape<kColors, 4>>>>(c, options);
  const auto colors =
      std::max(options.colors, static_cast<int>(pe::numbered_colors(layout_of(c)).size()));
  if (colors <= 4) return make<4>(c, options);
  return colors <= 8 ? make<8>(c, options) : make<kColors>(c, options);
}

}  // namespace weft::test
