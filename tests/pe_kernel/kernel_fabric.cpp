#include "pe_kernel/kernel_fabric.hpp"

#include "fabric/stepper/lane_facts.hpp"
#include "fabric/stepper/pe_facts.hpp"
#include "pe_step/built_mesh.hpp"

namespace weft::test {
namespace {

using Stop = spec::Fabric::Stop;

template <class S>
class KernelFabric : public PeFabric {
 public:
  KernelFabric(const Case& c, const PeOptions& options, const KernelOptions& kernel)
      : built_(state_of(c)),
        programs_(fabric::facts_of_programs(built_.code, built_.programs)),
        code_(code_of_case(c, built_)),
        places_(pe_kernel::places_of(kernel.engine.tiles, pe::host_links(layout_of(c)))),
        counts_state_(counts_of_case<S>(c, built_, places_)),
        memory_(no_memory(built_, places_.all_pes())),
        mesh_(layout_of(c),
              pe::rules_of(layout_of(c), built_.timing, view_of(built_, code_), options.tally,
                           options.data),
              programs_of(built_), places_, memory_.data(), counts_state_.arrays()),
        dice_(mixed(options.seed ^ 0x1e7U)),
        kernel_(kernel) {
    copy_memory(mesh_, built_, memory_.data());
    engine_ = std::make_unique<pe_kernel::PeEngine<S>>(
        mesh_,
        pe_kernel::ProgramSizes{built_.code.size(), built_.programs.size(), built_.shapes.size(),
                                counts_state_.marks.size()},
        kernel.engine);
    engine_->upload();
    engine_->upload_memory(memory_.data(), all_memory());
  }

  Stop run(std::uint64_t until) override {
    const engine::RunResult result = run_on(until);
    engine_->download();
    engine_->download_memory(memory_.data(), all_memory());
    engine_->finish();
    inbox_ = engine_->last_parity();
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
    const pe::Pe<S> at = mesh_.at(x, y);
    return fabric::pe_state(at, at.inbox(inbox_), programs_, cycle());
  }
  std::vector<std::uint32_t> memory(int x, int y) override {
    return words_of(mesh_, memory_.data(), x, y);
  }
  base::HostWords& host_words(const fabric::HostEnd& end) override {
    return mesh_.host->at(end.x, end.y, end.edge, end.color, end.input);
  }
  Profile profile() override {
    if constexpr (S::kCounting) {
      const auto pes = [this](int x, int y) { return pe::core_of(mesh_.at(x, y), cycle()); };
      engine_->download_counts();
      if (dice_.chance(50)) {
        fabric::fold(counts_state_, pes);
        engine_->upload_counts();
      }
      return fabric::profile_of(counts_state_, pes, cycle());
    }
    return {};
  }

 private:
  struct Interruption {};

  pe_kernel::MemoryPart all_memory() const {
    return {0, places_.all_pes() / pe::kPatch, 0, mesh_.words()};
  }

  engine::RunResult run_on(std::uint64_t until) {
    engine::RunOptions options;
    options.limit = until;
    options.block = kernel_.block;
    options.progress = [this](std::uint64_t) {
      if (dice_.chance(kernel_.interrupt)) throw Interruption{};
    };
    for (;;) {
      const engine::RunResult result = engine_->run(options);
      counts_.jumped += result.skipped;
      if (result.stop != engine::Stop::limit || cycle() >= until) return result;
    }
  }

  fabric::State built_;  ///< owns the programs
  std::vector<fabric::ProgramFacts> programs_;
  std::vector<pe::Code> code_;
  pe::Places places_;
  fabric::PeCountsState counts_state_;
  std::vector<std::uint32_t> memory_;
  pe::Mesh<S> mesh_;
  std::unique_ptr<pe_kernel::PeEngine<S>> engine_;
  Dice dice_;
  KernelOptions kernel_;
  unsigned inbox_ = 0;  ///< parity of the last cycle
  Fault fault_;
  pe::Totals totals_{};
  PeCounts counts_;
};

std::unique_ptr<PeFabric> make_counting(const Case& c, const PeOptions& options,
                                        const KernelOptions& kernel) {
  return std::make_unique<KernelFabric<pe::CountingShape<pe::Shape<kColors, 4, true>>>>(c, options,
                                                                                        kernel);
}

template <int colors, int slots, bool hosted = false>
std::unique_ptr<PeFabric> make(const Case& c, const PeOptions& options,
                               const KernelOptions& kernel) {
  return std::make_unique<KernelFabric<pe::Shape<colors, slots, hosted>>>(c, options, kernel);
}

}  // namespace

std::unique_ptr<PeFabric> make_kernel_fabric(const Case& c, const PeOptions& options,
                                             const KernelOptions& kernel) {
  if (c.observe.counts) return make_counting(c, options, kernel);
  const auto colors =
      std::max(options.colors, static_cast<int>(pe::numbered_colors(layout_of(c)).size()));
  if (!c.host.empty())
    return (colors <= 8 ? make<8, 4, true> : make<kColors, 4, true>)(c, options, kernel);
  const bool few_slots = c.machine.router_queue_depth <= 2;
  if (colors <= 4 && few_slots) return make<4, 2>(c, options, kernel);
  if (colors <= 8) return (few_slots ? make<8, 2> : make<8, 4>)(c, options, kernel);
  return make<kColors, 4>(c, options, kernel);
}

}  // namespace weft::test
