#pragma once

#include "cuda/pe/image.hpp"
#include "cuda/pe/kernel.hpp"
#include "cuda/pe/pace.hpp"
#include "cuda/pe/plan.hpp"
#include "cuda/runtime.hpp"
#include "engine/engine.hpp"
#include "model/state/arrays.hpp"

/// Steps a mesh on a device.
namespace weft::pe_kernel {

struct EngineOptions {
  Tiles tiles;
  int threads = kMostThreads;  ///< of a block, at most
  std::uint32_t near = ~0U;    ///< parts that may be near, a bit each
};

/// The first of all PEs' faults, by cycle, then by row and column.
template <class S>
Fault first_fault(Image<S>& image) {
  const Tiles& tiles = image.fabric().tiles;
  Fault first;
  for (int y = 0; y < tiles.mesh_height; ++y)
    for (int x = 0; x < tiles.mesh_width; ++x) {
      const PeFault& f = image.fabric().faults[image.places().index(x, y)];
      if (f.cycle == model::kNever) continue;
      if (first.kind != FaultKind::none && first.cycle <= f.cycle) continue;
      first = {f.note.kind, f.cycle, x, y, f.note.color, f.note.detail};
    }
  return first;
}

/// The first cycle of which no core has executed anything, if nothing at or after `from` was
/// stepped, but at least the one after it. A run with a fault goes on to it.
template <class S>
std::uint64_t first_whole_cycle(Image<S>& image, const pe::Mesh<S>& mesh, std::uint64_t from) {
  std::uint64_t end = from + 1;
  for (int y = 0; y < mesh.height(); ++y)
    for (int x = 0; x < mesh.width(); ++x) {
      const pe::Core& core = mesh.at(x, y).core();
      if (core.running && !core.waiting) end = std::max(end, pe::in_full(core.due, from));
      const std::uint64_t fault = image.fabric().faults[image.places().index(x, y)].cycle;
      if (fault != model::kNever) end = std::max(end, fault + 1);
    }
  return end;
}

/// As Clock::watch_crowd.
inline void watch_crowd(engine::Clock& clock, const model::Timing& timing,
                        const model::Crowd& so_far) {
  clock.crowd = so_far;
  if (timing.crowd == 0) return;
  clock.link_period = timing.link_period();
  clock.most_hops = timing.crowd;
}

template <class S>
class PeEngine {
 public:
  /// `sizes`: of the mesh's programs.
  PeEngine(const pe::Mesh<S>& mesh, const model::Sizes& sizes, const EngineOptions& options)
      : mesh_(mesh), image_(mesh, options.tiles), device_(image_.fabric()) {
    take_arrays();
    upload_programs(sizes);
    threads_ = std::min(options.threads, threads_of(options.tiles));
    device_.near = choose_near(device_, room_for_parts(), options.near);
    shared_bytes_ = block_state_bytes<S>() + bytes_of(device_, device_.near);
    cuda::allow_shared_memory(step_kernel<S>(), shared_bytes_);
    stream_.synchronize("copying a fabric");
  }

  /// Goes on as the host engine does. RunOptions::threads counts nothing.
  engine::RunResult run(const engine::RunOptions& options) {
    LaunchState state = first_launch(options.limit);
    Pace pace(options.block);
    for (;;) {
      const auto begin = std::chrono::steady_clock::now();
      launch(state, pace.blocks());
      pace.took(std::chrono::steady_clock::now() - begin);
      if (state.over) return {state.stop, cycle_, state.clock.skipped, {}};
      try {
        if (options.progress) options.progress(state.clock.from);
      } catch (...) {
        return stop_early(state.clock, options, std::current_exception());
      }
    }
  }

  /// Brings all state back into the mesh. Returns the parity of the inboxes that neighbours wrote
  /// in the last cycle.
  unsigned bring_back() {
    for (std::size_t k = 0; k < image_.blocks().size(); ++k)
      download(image_.blocks()[k].data(), buffers_[k].data(), image_.blocks()[k].size());
    stream_.synchronize("copying a fabric");
    image_.bring_back(mesh_);
    return Stepped{stepped_ - 1}.parity();
  }

  /// As bring_back has brought it.
  Fault fault() { return first_fault(image_); }

  engine::Totals totals() {
    std::vector<engine::Totals> tiles(static_cast<std::size_t>(device_.tiles.count()));
    download(tiles.data(), device_.totals, tiles.size() * sizeof tiles[0]);
    stream_.synchronize("copying totals");
    engine::Totals all;
    for (const engine::Totals& t : tiles) {
      all.wavelets += t.wavelets;
      all.hops += t.hops;
      all.delivered += t.delivered;
      all.filtered += t.filtered;
    }
    return all;
  }

  std::uint64_t cycle() const { return cycle_; }

 private:
  void upload(void* device, const void* host, std::size_t bytes) {
    cuda::check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_.get()),
                "copying a fabric");
  }
  void download(void* host, const void* device, std::size_t bytes) {
    cuda::check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_.get()),
                "copying a fabric");
  }

  /// Device memory in place of an array of the host, which may be of constants.
  template <class T>
  void take(T*& array, std::size_t n) {
    buffers_.emplace_back(n * sizeof(T));
    array = reinterpret_cast<T*>(buffers_.back().data());
  }
  template <class T>
  void take_zeros(T*& array, std::size_t n) {
    take(array, n);
    cuda::check(cudaMemsetAsync(array, 0, n * sizeof(T), stream_.get()), "clearing an array");
  }
  /// A copy of an array that no run changes.
  template <class T>
  void take_copy(const T*& array, std::size_t n) {
    const T* const host = array;
    take(array, n);
    upload(const_cast<T*>(array), host, n * sizeof(T));
  }

  void take_arrays() {
    const auto tiles = static_cast<std::size_t>(device_.tiles.count());
    const auto of_all = [&](auto*& array, std::uint32_t n) { take(array, tiles * n); };
    for_parts(device_, [&](Part, auto*& array, std::uint32_t n) { of_all(array, n); });
    for_far_arrays(device_, of_all);
    for (std::size_t k = 0; k < image_.blocks().size(); ++k)
      upload(buffers_[k].data(), image_.blocks()[k].data(), image_.blocks()[k].size());
    const std::size_t records = 2 * tiles * static_cast<std::size_t>(device_.tiles.rim());
    take_zeros(device_.totals, tiles);
    take_zeros(device_.edges.records, records);
    take_zeros(device_.edges.notes, records);
    take_zeros(launch_, 1);
  }

  void upload_programs(const model::Sizes& sizes) {
    model::ProgramView& programs = device_.arrays.rules.programs;
    take_copy(programs.code, sizes.code);
    take_copy(programs.private_cycles, sizes.code);
    take_copy(programs.programs, sizes.programs);
    take_copy(programs.shapes, sizes.shapes);
  }

  /// Bytes of a block's shared memory that may hold parts.
  static std::size_t room_for_parts() {
    int device = 0, bytes = 0;
    cuda::check(cudaGetDevice(&device), "asking for the device");
    cuda::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                "asking for the size of shared memory");
    return static_cast<std::size_t>(bytes) - block_state_bytes<S>() -
           cuda::attributes(step_kernel<S>()).sharedSizeBytes;
  }

  LaunchState first_launch(std::uint64_t limit) const {
    LaunchState state{};
    watch_crowd(state.clock, device_.arrays.rules.timing, crowd_);
    state.clock.limit = limit;
    // What can be jumped over the first block finds.
    state.clock.from = state.clock.cycle = cycle_;
    state.clock.enter_period();
    state.stepped = stepped_;
    return state;
  }

  void launch(LaunchState& state, int blocks) {
    for (engine::BlockFacts& facts : state.facts) facts = {};
    upload(launch_, &state, sizeof state);
    cuda::launch_cooperative(step_kernel<S>(), device_.tiles.count(), threads_, shared_bytes_,
                             stream_, device_, launch_, blocks);
    download(&state, launch_, sizeof state);
    stream_.synchronize("stepping a fabric");
    cycle_ = state.over ? state.clock.cycle : state.clock.from;
    stepped_ = state.stepped;
    crowd_ = state.clock.crowd;
  }

  /// After an exception of `progress`: cores may be ahead of the clock, so the run goes on to a
  /// cycle in which none is, as if that had been its limit.
  engine::RunResult stop_early(const engine::Clock& clock, const engine::RunOptions& options,
                               std::exception_ptr thrown) {
    bring_back();
    engine::RunOptions rest = options;
    rest.progress = {};
    rest.limit = std::min(options.limit, first_whole_cycle(image_, mesh_, clock.from));
    engine::RunResult result = run(rest);
    result.skipped += clock.skipped + (clock.from - clock.cycle);
    result.thrown = std::move(thrown);
    return result;
  }

  const pe::Mesh<S>& mesh_;
  Image<S> image_;
  Fabric<S> device_;  ///< its arrays are the device's
  std::vector<cuda::DeviceBuffer<std::byte>> buffers_;
  cuda::Stream stream_;
  LaunchState* launch_ = nullptr;
  int threads_ = 0;
  std::size_t shared_bytes_ = 0;
  std::uint64_t cycle_ = 0, stepped_ = kFirstStepped;
  model::Crowd crowd_{};
};

}  // namespace weft::pe_kernel
