#pragma once

#include "cuda/copier.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/pe/host_fabric.hpp"
#include "cuda/pe/kernel.hpp"
#include "cuda/pe/launch.hpp"
#include "cuda/pe/pace.hpp"
#include "cuda/pe/pe_memory.hpp"
#include "cuda/pe/post.hpp"
#include "cuda/pe/record.hpp"
#include "cuda/runtime.hpp"
#include "engine/engine.hpp"
#include "engine/interruption.hpp"
#include "engine/ticker.hpp"

/// Steps a mesh on a device, or the part of it that a process has.
namespace weft::pe_kernel {

static_assert(pe::kLentCycles == engine::kMostCycles);  // the host lends words for a launch

/// Of a launch, where processes share a mesh. Chosen: some seconds, so that a launch costs nothing.
inline constexpr int kBlocksOfPart = 1 << 13;

struct EngineOptions {
  Tiles tiles;
  int threads = kMostThreads;  ///< of a block, at most
  std::uint32_t near = ~0U;    ///< parts that may be near, a bit each
  bool run_ahead = true;       ///< as Accelerations::run_ahead
  Post* post = nullptr;        ///< of a mesh that is cut
};

/// All functions that use the device throw Error(environment). Those that make an engine throw
/// cuda::OutOfDeviceMemory too.
template <class S>
class PeEngine {
 public:
  /// Takes device memory for a mesh before its first cycle.
  PeEngine(const pe::Mesh<S>& mesh, const ProgramSizes& programs, const EngineOptions& options)
      : mesh_(mesh),
        host_(mesh, options.tiles),
        post_(options.post),
        launch_(plan(programs, options)) {
    device_.fabric = host_.fabric();
    device_.fabric.near = launch_.near;
    device_.fabric.run_ahead = options.run_ahead;
    for_device_arrays(device_, programs, [this](auto*& array, std::size_t n) { take(array, n); });
    device_.find_edges();
    finish();
  }

  /// The mesh is as before the first cycle: no run has ended, nor was one stopped.
  bool has_start() const { return has_start_; }

  /// Copies the mesh to the device, where its PEs' memory is 0. Only while has_start(): after a
  /// failure too.
  void upload() {
    copier_.forget();
    stream_.synchronize("ending a run");
    for_zeros(device_, [this](auto* array, std::size_t n) {
      cuda::check(cudaMemsetAsync(array, 0, n * sizeof *array, stream_.get()), "clearing an array");
    });
    const std::vector<Bytes> to = state_arrays(device_.fabric), from = state_arrays(host_.fabric());
    for (std::size_t k = 0; k < to.size(); ++k)
      copier_.to_device(to[k].data, from[k].data, to[k].rows);
    finish();
    mesh_.host->start();
    if (post_ != nullptr) post_->start();
    cycle_ = 0;
    stepped_ = kFirstStepped;
    crowd_ = {};
  }

  /// Goes on as the host engine does. RunOptions::threads counts nothing. Of a part of a mesh, all
  /// processes run alike; what is thrown, Post::end has to tell the others.
  engine::RunResult run(const engine::RunOptions& options) {
    if (options.limit <= cycle_) return {engine::Stop::limit, cycle_, 0, {}};
    LaunchState state = first_launch(options.limit);
    Pace pace(options.block);
    engine::Ticker ticker(options);  // of a part
    for (;;) {
      const auto begin = std::chrono::steady_clock::now();
      const bool in_step = post_ != nullptr && options.block == 0;  // all launch alike
      std::exception_ptr thrown = launch(state, in_step ? kBlocksOfPart : pace.blocks(), ticker);
      pace.took(std::chrono::steady_clock::now() - begin);
      if (post_ != nullptr) post_->meet();
      if (state.over) {
        has_start_ = false;
        return {state.stop, cycle_, state.clock.skipped, thrown};
      }
      try {
        if (post_ == nullptr && options.progress) options.progress(state.clock.from);
      } catch (...) {
        thrown = std::current_exception();
      }
      if (thrown != nullptr) return end_early(state.clock, options, std::move(thrown));
    }
  }

  /// Copies all state but the PEs' memory into the mesh.
  void download() {
    has_start_ = false;
    copy_back(state_arrays(host_.fabric()), state_arrays(device_.fabric));
  }
  /// As much of it as pe::anything_left looks at.
  void download_what_is_left() {
    copy_back(arrays_of_what_is_left(host_.fabric(), last_parity()),
              arrays_of_what_is_left(device_.fabric, last_parity()));
  }
  /// As much of it as fault() looks at.
  void download_faults() {
    const auto of = [](const Fabric<S>& f) {
      return std::vector{whole(f.tiles, f.faults, f.sizes.pes)};
    };
    copy_back(of(host_.fabric()), of(device_.fabric));
  }
  /// Of PEs that count: what they have counted in the mesh, and as much of the state as
  /// pe::settle_counts looks at.
  void download_counts() {
    const auto of = [](const Fabric<S>& f) {
      return std::vector{array_of_counts(f), whole(f.tiles, f.arrays.core.first, f.sizes.pes)};
    };
    copy_back(of(host_.fabric()), of(device_.fabric));
  }
  /// The device goes on with what the mesh has of it.
  void upload_counts() {
    const Bytes to = array_of_counts(device_.fabric), from = array_of_counts(host_.fabric());
    copier_.to_device(to.data, from.data, to.rows);
    finish();
  }
  /// Local tasks of a rectangle's PEs have become active in the mesh, which has the whole state:
  /// the device is told, and steps these PEs in the next cycle. Only after the start; before it,
  /// upload() does.
  void upload_active(const Rect& where) {
    for (int y = where.y; y < where.y + where.height; ++y)
      for (int x = where.x; x < where.x + where.width; ++x) host_.wake(x, y, cycle_);
    const std::vector<Bytes> to = arrays_of_activations(device_.fabric),
                             from = arrays_of_activations(host_.fabric());
    for (std::size_t k = 0; k < to.size(); ++k)
      copier_.to_device(to[k].data, from[k].data, to[k].rows);
    finish();
  }
  /// Of the inboxes that neighbours wrote in the last cycle.
  unsigned last_parity() const { return Stepped{stepped_ - 1}.parity(); }
  /// The mesh's arrays in the device's order.
  const HostFabric<S>& host_fabric() const { return host_; }
  /// As the mesh has it.
  Fault fault() const { return first_fault(mesh_, host_); }

  /// `all`: the memory of all PEs, on the host.
  void upload_memory(const std::uint32_t* all, const MemoryPart& part) {
    const std::size_t at = first_byte(part);
    copier_.to_device(bytes_of_memory() + at, reinterpret_cast<const std::byte*>(all) + at,
                      rows_of(part));
  }
  /// It is there after finish().
  void download_memory(std::uint32_t* all, const MemoryPart& part) {
    const std::size_t at = first_byte(part);
    copier_.to_host(reinterpret_cast<std::byte*>(all) + at, bytes_of_memory() + at, rows_of(part));
  }
  void finish() {
    copier_.finish();
    stream_.synchronize("copying a fabric");
  }

  engine::Totals totals() {
    std::vector<engine::Totals> tiles(static_cast<std::size_t>(device_.fabric.tiles.count()));
    copier_.to_host(tiles.data(), device_.fabric.totals, tiles.size() * sizeof tiles[0]);
    finish();
    engine::Totals all;
    for (const engine::Totals& t : tiles) all.add(t);
    return all;
  }

  std::uint64_t cycle() const { return cycle_; }
  /// Time that the device has spent on steps in all runs so far, without copies.
  double step_seconds() const { return step_seconds_; }
  /// Since the mesh came to the device.
  std::uint64_t stepped_cycles() const { return stepped_ - kFirstStepped; }

 private:
  /// First, because a loaded kernel takes device memory too.
  Launch plan(const ProgramSizes& programs, const EngineOptions& options) const {
    const DeviceLimits limits = DeviceLimits::ask();
    const Launch launch = plan_launch(host_.fabric(), limits, options.threads, options.near);
    check_device_memory(DeviceFabric<S>{host_.fabric()}, programs, limits.multiprocessors);
    return launch;
  }

  engine::RunResult end_early(const engine::Clock& clock, const engine::RunOptions& options,
                              std::exception_ptr thrown) {
    download();
    if (post_ != nullptr) post_->meet();
    std::uint64_t whole = first_whole_cycle(mesh_, host_, clock.from);
    if (post_ != nullptr) whole = post_->share().latest(whole);
    return engine::end_interrupted(whole, clock, options, std::move(thrown),
                                   [this](const engine::RunOptions& rest) { return run(rest); });
  }

  /// Device memory in place of an array of the host. What no run changes is copied.
  template <class T>
  void take(T*& array, std::size_t n) {
    const T* const host = array;
    buffers_.emplace_back(n * sizeof(T));
    array = reinterpret_cast<T*>(buffers_.back().data());
    if constexpr (std::is_const_v<T>)
      copier_.to_device(buffers_.back().data(), host, n * sizeof(T));
  }

  void copy_back(const std::vector<Bytes>& to, const std::vector<Bytes>& from) {
    for (std::size_t k = 0; k < to.size(); ++k)
      copier_.to_host(to[k].data, from[k].data, to[k].rows);
    finish();
  }

  std::byte* bytes_of_memory() const {
    return reinterpret_cast<std::byte*>(device_.fabric.arrays.memory);
  }
  static std::size_t patch_bytes(std::size_t words) {
    return words * pe::kPatch * sizeof(std::uint32_t);
  }
  std::size_t first_byte(const MemoryPart& part) const {
    return patch_bytes(part.patch * device_.fabric.sizes.memory_words + part.first);
  }
  cuda::ByteRows rows_of(const MemoryPart& part) const {
    return {part.patches, patch_bytes(part.end - part.first),
            patch_bytes(device_.fabric.sizes.memory_words)};
  }

  LaunchState first_launch(std::uint64_t limit) const {
    LaunchState state{};
    state.clock.watch_crowd(device_.fabric.rules.timing, crowd_);
    state.clock.limit = limit;
    // What can be jumped over the first block finds.
    state.clock.from = state.clock.cycle = cycle_;
    state.clock.enter_period();
    state.stepped = stepped_;
    return state;
  }

  /// Returns why the run is to end early, of a part of a mesh.
  std::exception_ptr launch(LaunchState& state, int blocks, engine::Ticker& ticker) {
    for (engine::BlockFacts& facts : state.facts) facts = {};
    const bool hosted = !mesh_.host->empty();
    if (hosted) {
      blocks = std::min(blocks, static_cast<int>(pe::kLentBlocks));
      lend_words();
    }
    state.last = 0;
    if (post_ != nullptr) state.round = {device_.fabric.tiles, device_.fabric.edges, post_->mail()};
    copier_.to_device(device_.launch, &state, sizeof state);
    prepare_kernel<S>(launch_);
    begin_.record(stream_);
    const int couriers = post_ != nullptr ? 1 : 0;
    cuda::launch_cooperative(step_kernel<S>(), device_.fabric.tiles.count() + couriers,
                             launch_.threads, launch_.shared_bytes, stream_, device_.fabric,
                             device_.launch, post_ != nullptr ? kMostBlocks : blocks);
    end_.record(stream_);
    std::exception_ptr thrown;
    if (post_ != nullptr) thrown = attend(state, blocks, ticker);
    copier_.to_host(&state, device_.launch, sizeof state);
    copier_.finish();
    if (hosted) take_words();
    step_seconds_ += static_cast<double>(end_.ms_since(begin_)) * 1e-3;
    cycle_ = state.over ? state.clock.cycle : state.clock.from;
    stepped_ = state.stepped;
    crowd_ = state.clock.crowd;
    return thrown;
  }

  std::exception_ptr attend(const LaunchState& begin, int blocks, engine::Ticker& ticker) {
    try {
      return post_->attend(begin.clock, begin.stepped, blocks, ticker,
                           [this] { return stream_.runs("stepping a fabric"); });
    } catch (...) {
      try {
        stream_.synchronize("ending a launch");  // it reads this process's memory until then
      } catch (const Error&) {                   // what came first is thrown
      }
      throw;
    }
  }

  template <class T>
  static cuda::ByteRows rows_of(const typename pe::HostLinks<S>::UsedRows& rows) {
    return {rows.rows, rows.used * sizeof(T), rows.each * sizeof(T)};
  }
  void lend_words() {
    pe::HostLinks<S>& links = *mesh_.host;
    links.lend();
    const pe::HostPorts<S>& to = device_.fabric.arrays.host;
    const pe::HostPorts<S>& from = host_.fabric().arrays.host;
    copier_.to_device(to.port, from.port, bytes_of_ports());
    copier_.to_device(to.words, from.words, rows_of<std::uint32_t>(links.words()));
  }
  /// From now on the mesh is no longer as before the first cycle.
  void take_words() {
    pe::HostLinks<S>& links = *mesh_.host;
    const pe::HostPorts<S>& from = device_.fabric.arrays.host;
    const pe::HostPorts<S>& to = host_.fabric().arrays.host;
    copier_.to_host(to.port, from.port, bytes_of_ports());
    copier_.finish();
    copier_.to_host(to.came, from.came, rows_of<pe::HostWord>(links.came()));
    copier_.finish();
    links.take_back();
    has_start_ = false;
  }
  std::size_t bytes_of_ports() const {
    const Fabric<S>& f = device_.fabric;
    return static_cast<std::size_t>(f.tiles.count()) * f.arrays.host.of_tile *
           sizeof(pe::HostPort<S>);
  }

  const pe::Mesh<S>& mesh_;
  HostFabric<S> host_;
  Post* const post_;  ///< null: the mesh is whole
  Launch launch_;
  DeviceFabric<S> device_;
  std::vector<cuda::DeviceBuffer<std::byte>> buffers_;
  cuda::Stream stream_;
  cuda::Copier copier_{stream_};
  cuda::Event begin_, end_;  ///< of a launch
  bool has_start_ = true;
  double step_seconds_ = 0;
  std::uint64_t cycle_ = 0, stepped_ = kFirstStepped;
  model::Crowd crowd_{};
};

}  // namespace weft::pe_kernel
