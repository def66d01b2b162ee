#include "fabric/stepper/device_stepper.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "cuda/check_devices.hpp"
#include "cuda/device.hpp"
#include "cuda/pe/other_rows.hpp"
#include "cuda/pe/pe_engine.hpp"
#include "cuda/pe/pe_memory.hpp"
#include "cuda/pe/post.hpp"
#include "engine/given_up.hpp"
#include "fabric/build/phase_marks.hpp"
#include "fabric/build/programs.hpp"
#include "fabric/stepper/folds.hpp"
#include "fabric/stepper/lane_facts.hpp"
#include "fabric/stepper/pe_facts.hpp"
#include "fabric/stepper/pe_profile.hpp"
#include "fabric/stepper/sharing.hpp"
#include "pe/active.hpp"
#include "pe/left.hpp"
#include "weft/error.hpp"

namespace weft::fabric {
namespace {

using pe_kernel::DeviceFabric, pe_kernel::DeviceLimits, pe_kernel::EngineOptions,
    pe_kernel::HostFabric, pe_kernel::PeEngine, pe_kernel::ProgramSizes;

ProgramSizes sizes_of(const Programs& programs, const PeCountsState& counts) {
  return {programs.code.size(), programs.tables.size(), programs.shapes.size(),
          counts.marks.size()};
}

template <class S>
PeCountsState counts_of(const Programs& programs, const Layout& layout, const pe::Places& places,
                        const Observation& asked) {
  if constexpr (S::kCounting)
    return make_pe_counts(layout, {programs.tables, programs.of}, places, asked);
  return {};
}

template <class S>
std::unique_ptr<PeEngine<S>> make_engine(const pe::Mesh<S>& mesh, const ProgramSizes& programs,
                                         const EngineOptions& options) {
  try {
    return std::make_unique<PeEngine<S>>(mesh, programs, options);
  } catch (const cuda::OutOfDeviceMemory&) {  // the error here says more
    const HostFabric<S> host(mesh, options.tiles);
    pe_kernel::refuse_mesh(DeviceFabric<S>{host.fabric()}, programs,
                           DeviceLimits::ask().multiprocessors, pe_kernel::kPage);
  }
}

/// How a device steps a fabric, or the rows of one process.
struct Plan {
  EngineOptions engine;
  DevicePart part;
  std::optional<int> device;  ///< the number; none: the present one
};

/// Until a run has ended, the host has the fabric at its start. Then only the device has the
/// present one.
template <class S>
class StepperOf : public DeviceStepper {
 public:
  StepperOf(Programs programs, const Layout& layout, const FabricOptions& options, const Plan& plan)
      : StepperOf(std::move(programs), layout, options, plan,
                  pe_kernel::places_of(plan.engine.tiles, pe::host_links(layout),
                                       plan.part.rows.first, layout.height())) {}

  StepperOf(Programs programs, const Layout& layout, const FabricOptions& options, const Plan& plan,
            pe::Places places)
      : device_(plan.device),
        programs_(std::move(programs)),
        counts_(counts_of<S>(programs_, layout, places, options.observe)),
        facts_(facts_of_programs(programs_.code, programs_.tables)),
        mesh_(layout,
              pe::rules_of(layout, programs_.timing, programs_.view(), options.tally, options.data),
              programs_.of, std::move(places), nullptr, counts_.arrays()),
        memory_(mesh_.places, mesh_.words()) {
    counts_.places = &mesh_.places;
    const cuda::OnDevice here(device_);
    EngineOptions engine = plan.engine;
    if (plan.part.share != nullptr) {
      layout_ = layout;
      post_ = std::make_unique<pe_kernel::Post>(*plan.part.share, layout.width());
      engine.post = post_.get();
    }
    engine_ = make_engine(mesh_, sizes_of(programs_, counts_), engine);
  }
  ~StepperOf() override {
    try {
      const cuda::OnDevice here(device_);
      engine_.reset(), post_.reset();
    } catch (const Error&) {  // the device is gone, and its memory with it
    }
  }

  void write(const Rect& where, std::size_t first, std::span<const std::uint32_t> words) override {
    const std::size_t end = first + words_each(where, words.size());
    {
      const std::lock_guard lock(asked_);
      provide(where, first, end);
      memory_.mark_written(where, first, end);
    }
    memory_.write(where, first, end, words);
  }
  void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const override {
    const std::size_t end = first + words_each(where, words.size());
    {
      const std::lock_guard lock(asked_);
      provide(where, first, end);
    }
    memory_.read(where, first, end, words);
  }

  void activate(const Rect& where, int task) override {
    bring_back(&PeEngine<S>::download).unlock();
    for (int y = where.y; y < where.y + where.height; ++y)
      for (int x = where.x; x < where.x + where.width; ++x) {
        const pe::CoreView core = pe::core_of(mesh_.at(x, y), history_.cycle);
        pe::activate(core, task);
        core.near().note(pe::Did::again);  // it looks for a task, perhaps in vain
      }
    if (!engine_->has_start()) guarded([&] { engine_->upload_active(where); });
  }

  void send(const HostEnd& end, std::span<const std::uint32_t> words) override {
    check_whole();
    words_at(end).append(words);
  }
  void receive(const HostEnd& end, std::span<std::uint32_t> words) override {
    check_whole();
    words_at(end).take(words);
  }
  std::size_t host_words(const HostEnd& end) const override {
    check_whole();
    return words_at(end).held();
  }

  engine::RunResult run(const engine::RunOptions& options) override {
    return history_.add([&](std::uint64_t) { return step(options); });
  }
  RunHistory history() const override {
    check_whole();
    return history_;
  }
  Steps steps() const override { return {engine_->step_seconds(), engine_->stepped_cycles()}; }

  Fault first_fault() const override {
    const auto lock = bring_back(&PeEngine<S>::download_faults);
    return engine_->fault();
  }
  bool anything_left() const override {
    if (mesh_.host->words_left()) return true;
    const auto lock = bring_back(&PeEngine<S>::download_what_is_left);
    for (int y = mesh_.first_row(); y < mesh_.end_row(); ++y)
      for (int x = 0; x < mesh_.width(); ++x) {
        const pe::Pe<S> at = mesh_.at(x, y);
        if (pe::anything_left(at, last_inbox(at))) return true;
      }
    return false;
  }
  engine::Totals totals() const override {
    const std::lock_guard lock(asked_);
    check_whole();
    if (!totals_known_) totals_ = guarded([this] { return engine_->totals(); });
    totals_known_ = true;
    return totals_;
  }
  PeState pe_state(int x, int y) const override {
    bring_back(&PeEngine<S>::download).unlock();
    const pe::Pe<S> at = mesh_with(y).at(x, y);
    return fabric::pe_state(at, last_inbox(at), facts_, history_.cycle);
  }

  void collect_states() const override {
    if (post_ == nullptr) return;
    bring_back(&PeEngine<S>::download).unlock();
    others_.collect(post_->share(), engine_->host_fabric(), mesh_, *layout_, programs_.of);
  }

  Profile profile() const override {
    if constexpr (!S::kCounting) return Stepper::profile();
    if (history_.faulted)
      throw Error(ErrorCategory::usage, "the fabric has no profile of a run that ended in a fault",
                  "the engine cuda steps some PEs past the cycle of a fault",
                  "emulate on the engine host, which counts up to it");
    const auto lock = bring_counts();
    return profile_of(counts_, pes(), history_.cycle);
  }
  std::vector<PhaseCounts> phases() const override {
    if (counts_.phases.empty() || history_.faulted) return {};
    const auto lock = bring_counts();
    return phases_of(counts_, pes());
  }

 private:
  const pe::Mesh<S>& mesh_with(int row) const {
    if (mesh_.places.has_row(row)) return mesh_;
    if (const pe::Mesh<S>* const other = others_.with(row); other != nullptr) return *other;
    refuse_uncollected();
  }

  base::HostWords& words_at(const HostEnd& end) const {
    return mesh_.host->at(end.x, end.y, end.edge, end.color, end.input);
  }
  const pe::Inbox<S>& last_inbox(pe::Pe<S> at) const { return at.inbox(engine_->last_parity()); }

  engine::RunResult step(const engine::RunOptions& options) {
    const auto step_here = [&] {
      check_whole();
      return guarded([&] { return step_on(options); });
    };
    if (post_ == nullptr) return step_here();
    std::exception_ptr thrown;  // before a launch, too: the other processes wait for this one
    try {
      return step_here();
    } catch (const engine::GivenUp&) {
    } catch (...) {
      thrown = std::current_exception();
    }
    lost_ = !engine_->has_start();
    post_->end(thrown);
  }

  engine::RunResult step_on(const engine::RunOptions& options) {
    if (options.limit <= engine_->cycle()) return engine_->run(options);  // asks no device
    if (engine_->has_start()) engine_->upload();
    for (const pe_kernel::MemoryPart& part : memory_.written())
      engine_->upload_memory(memory_.data(), part);
    engine_->finish();
    engine::RunResult result = run_engine(options);
    memory_.forget();
    state_known_ = totals_known_ = counts_known_ = false;
    return result;
  }

  engine::RunResult run_engine(const engine::RunOptions& options) {
    if constexpr (S::kCounting)
      return run_and_fold(
          engine_->cycle(), options,
          [this](std::uint64_t) {
            engine_->download_counts();
            fold(counts_, pes());
            engine_->upload_counts();
          },
          [this](std::uint64_t, const engine::RunOptions& piece) { return engine_->run(piece); });
    return engine_->run(options);
  }

  /// Before the engine's next cycle.
  PeAt pes() const {
    return [this](int x, int y) { return pe::core_of(mesh_.at(x, y), engine_->cycle()); };
  }

  /// What PEs have counted, as bring_back.
  std::unique_lock<std::mutex> bring_counts() const {
    std::unique_lock lock(asked_);
    check_whole();
    if constexpr (S::kCounting)
      if (!counts_known_) guarded([this] { engine_->download_counts(); });
    counts_known_ = true;
    return lock;
  }

  /// If the device fails that alone had the fabric, nobody has it.
  template <class F>
  auto guarded(F use_device) const {
    try {
      const cuda::OnDevice here(device_);
      return use_device();
    } catch (const Error&) {
      lost_ = !engine_->has_start();
      throw;
    }
  }
  void check_whole() const {
    if (lost_)
      throw Error(ErrorCategory::usage, "the fabric is lost",
                  "the CUDA device failed before its last run was copied back", "build it anew");
  }

  /// Words of a rectangle's PEs, of which the host may not have all.
  void provide(const Rect& where, std::size_t first, std::size_t end) const {
    check_whole();
    const std::vector<pe_kernel::MemoryPart> missing = memory_.take_missing(where, first, end);
    if (missing.empty()) return;
    guarded([&] {
      for (const pe_kernel::MemoryPart& part : missing)
        engine_->download_memory(memory_.data(), part);
      engine_->finish();
    });
  }

  /// Brings what `download` copies, unless the host has the whole state already. A part of the
  /// state stays there as long as the lock is held.
  std::unique_lock<std::mutex> bring_back(void (PeEngine<S>::*download)()) const {
    std::unique_lock lock(asked_);
    check_whole();
    if (state_known_) return lock;
    guarded([&] { (engine_.get()->*download)(); });
    state_known_ = download == &PeEngine<S>::download;
    return lock;
  }

  const std::optional<int> device_;
  Programs programs_;
  mutable PeCountsState counts_;
  std::vector<ProgramFacts> facts_;
  pe::Mesh<S> mesh_;
  mutable pe_kernel::PeMemory memory_;
  std::unique_ptr<pe_kernel::Post> post_{};  ///< null: all rows are here
  std::optional<Layout> layout_{};           ///< where others have rows
  mutable pe_kernel::OtherRows<S> others_{};
  std::unique_ptr<PeEngine<S>> engine_{};
  RunHistory history_{};
  mutable std::mutex asked_{};  ///< of what follows, and of the device: several threads may ask
  mutable bool state_known_ = true, totals_known_ = true, counts_known_ = true;
  mutable engine::Totals totals_{};
  mutable std::atomic<bool> lost_ = false;
};

using Make = std::unique_ptr<DeviceStepper> (*)(Programs, const Layout&, const FabricOptions&,
                                                const Plan&);

struct ShapeRow {
  int colors, slots;
  bool hosted, counting;
  Make make;

  /// It is large enough, and has what is needed, but no more. (One kernel counts; it has all.)
  constexpr bool suits(const ShapeRow& needed) const {
    return colors >= needed.colors && slots >= needed.slots && counting == needed.counting &&
           (counting || hosted == needed.hosted);
  }
};

template <class S>
constexpr ShapeRow row_of() {
  return {S::kMost, S::kSlots, S::kHosted, S::kCounting,
          [](Programs programs, const Layout& layout, const FabricOptions& options,
             const Plan& plan) -> std::unique_ptr<DeviceStepper> {
            return std::make_unique<StepperOf<S>>(std::move(programs), layout, options, plan);
          }};
}

/// The first one that suits is taken.
constexpr ShapeRow kShapes[] = {row_of<pe::Shape<4, 2>>(),
                                row_of<pe::Shape<8, 2>>(),
                                row_of<pe::Shape<8, 4>>(),
                                row_of<pe::Shape<kColors, 4>>(),
                                row_of<pe::Shape<8, 4, true>>(),
                                row_of<pe::Shape<kColors, 4, true>>(),
                                row_of<pe::CountingShape<pe::Shape<kColors, 4, true>>>()};

Plan plan_of(const Layout& layout, const FabricOptions& options, const DevicePart* part) {
  Plan plan{{}, {nullptr, {0, layout.height()}}, {}};
  if (part != nullptr) {
    plan.part = *part;
    plan.device = device_of(part->share->processes());
  }
  const cuda::OnDevice here(plan.device);
  const engine::Rows rows = plan.part.rows;
  int multiprocessors = DeviceLimits::ask().multiprocessors;
  if (part != nullptr) multiprocessors = std::max(multiprocessors - 1, 1);  // one for the courier
  pe_kernel::Tiles tiles = pe_kernel::choose_tiles(multiprocessors, layout.width(), rows.count());
  tiles.cut_north = rows.first > 0;
  tiles.cut_south = rows.last < layout.height();
  plan.engine.tiles = tiles;
  plan.engine.run_ahead = options.accelerate.run_ahead;
  return plan;
}

}  // namespace

std::unique_ptr<DeviceStepper> make_device_stepper(const Layout& layout, const Machine& machine,
                                                   const FabricOptions& options,
                                                   const DevicePart* part) {
  check_device();
  Programs programs = programs_of(build(layout, machine, options.accelerate));
  const bool counting = options.observe.counts;
  if (counting && has_phases(layout))  // PEs come to phases in time
    for (pe::Code& code : programs.decoded) code.alone = 0;
  const ShapeRow needed{static_cast<int>(pe::numbered_colors(layout).size()),
                        static_cast<int>(programs.timing.router_depth),
                        !layout.host_streams().empty() || part != nullptr, counting, nullptr};
  const ShapeRow& row =
      *std::ranges::find_if(kShapes, [&](const ShapeRow& shape) { return shape.suits(needed); });
  return row.make(std::move(programs), layout, options, plan_of(layout, options, part));
}

}  // namespace weft::fabric
