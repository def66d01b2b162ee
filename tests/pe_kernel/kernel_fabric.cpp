#include "pe_kernel/kernel_fabric.hpp"

#include "fabric/stepper/spec_facts.hpp"
#include "pe_step/core_facts.hpp"
#include "pe_step/pe_facts.hpp"

namespace weft::test {
namespace {

using Stop = spec::Fabric::Stop;

/// By PE, row by row.
std::vector<std::uint16_t> programs_by_pe(const fabric::State& s) {
  std::vector<std::uint16_t> programs;
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) {
      const auto [strip, lane] = model::address_of(s.strips, x, y);
      const model::CoreState& core = s.core[static_cast<std::size_t>(strip)];
      programs.push_back(model::has(core.placed, lane) ? core.program[lane] : pe::kNoProgram);
    }
  return programs;
}

template <class S>
class KernelFabric : public PeFabric {
 public:
  KernelFabric(const Case& c, const PeOptions& options, const pe_kernel::EngineOptions& engine)
      : built_(state_of(c)),
        start_(c),
        mesh_(layout_of(c), built_.timing, built_.view(), programs_by_pe(built_), options.tally,
              options.data),
        tally_(options.tally) {
    for (int y = 0; y < c.height; ++y)
      for (int x = 0; x < c.width; ++x) {
        const pe::Pe<S> pe = mesh_.at(x, y);
        for (std::size_t w = 0; w < mesh_.words(); ++w)
          pe.arrays->memory_of(pe.n)[w * pe::kPatch] =
              built_.memory_of(x, y)[w * model::kLanes];
      }
    engine_ = std::make_unique<pe_kernel::PeEngine<S>>(mesh_, built_.sizes(), engine);
  }

  Stop run(std::uint64_t until) override {
    const engine::RunResult result = engine_->run(until);
    counts_.jumped += result.skipped;
    inbox_ = engine_->bring_back();
    fault_ = engine_->fault();
    const engine::Totals t = engine_->totals();
    totals_ = {t.wavelets, t.hops, t.delivered, t.filtered};
    if (result.stop == engine::Stop::fault) return Stop::fault;
    return result.stop == engine::Stop::quiet ? Stop::quiet : Stop::limit;
  }

  std::uint64_t cycle() const override { return engine_->cycle(); }
  const Fault& fault() const override { return fault_; }
  pe::Totals totals() const override { return totals_; }
  const PeCounts& counts() const override { return counts_; }

  fabric::PeState state(int x, int y) override {
    fabric::PeState state = fabric::pe_state(start_, x, y, tally_);
    const pe::Pe<S> at = mesh_.at(x, y);
    set_facts(state, at, at.inbox(inbox_));
    set_core_facts(state, pe::core_of(at, cycle()));
    return state;
  }
  std::vector<std::uint32_t> memory(int x, int y) override {
    std::vector<std::uint32_t> words;
    for (std::size_t w = 0; w < mesh_.words(); ++w)
      words.push_back(pe::core_of(mesh_.at(x, y), 0).memory()[w * pe::kPatch]);
    return words;
  }

 private:
  fabric::State built_;  ///< owns the programs
  Reference start_;      ///< never stepped: for what does not change
  pe::Mesh<S> mesh_;
  std::unique_ptr<pe_kernel::PeEngine<S>> engine_;
  bool tally_;
  unsigned inbox_ = 0;  ///< parity of the last cycle
  Fault fault_;
  pe::Totals totals_{};
  PeCounts counts_;
};

template <int colors>
std::unique_ptr<PeFabric> make_shape(const Case& c, const PeOptions& options,
                                     const pe_kernel::EngineOptions& engine) {
  if (c.machine.router_queue_depth <= 2)
    return std::make_unique<KernelFabric<pe::Shape<colors, 2>>>(c, options, engine);
  return std::make_unique<KernelFabric<pe::Shape<colors, 4>>>(c, options, engine);
}

}  // namespace

std::unique_ptr<PeFabric> make_kernel_fabric(const Case& c, const PeOptions& options,
                                             const pe_kernel::EngineOptions& engine) {
  const auto colors =
      std::max(options.colors, static_cast<int>(pe::numbered_colors(layout_of(c)).size()));
  if (colors <= 4) return make_shape<4>(c, options, engine);
  return colors <= 8 ? make_shape<8>(c, options, engine)
                     : make_shape<kColors>(c, options, engine);
}

}  // namespace weft::test
