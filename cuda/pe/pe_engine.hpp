#pragma once

#include "cuda/pe/image.hpp"
#include "cuda/pe/kernel.hpp"
#include "cuda/runtime.hpp"
#include "engine/result.hpp"
#include "model/state/arrays.hpp"

/// Steps a mesh on a device.
namespace weft::pe_kernel {

struct EngineOptions {
  int tile_width = kPatchWidth, tile_height = kPatchHeight;
  int threads = kMostThreads;  ///< of a block, at most
  std::uint32_t near = 1;      ///< parts, a bit each
  int blocks = 0;              ///< of cycles in a launch; 0: as many as there are
};

template <class S>
class PeEngine {
 public:
  /// `sizes`: of the mesh's programs.
  PeEngine(const pe::Mesh<S>& mesh, const model::Sizes& sizes, const EngineOptions& options)
      : mesh_(mesh),
        image_(mesh, tiles_of(mesh.width(), mesh.height(), options.tile_width,
                              options.tile_height)),
        options_(options),
        device_(image_.fabric()) {
    const Tiles& tiles = device_.tiles;
    device_.near = options.near;
    const auto take = [this](auto*& array, std::uint32_t n) {
      array = alloc<std::remove_const_t<std::remove_reference_t<decltype(*array)>>>(
          static_cast<std::size_t>(device_.tiles.count()) * n);
    };
    for_parts(device_, [&](Part, auto*& array, std::uint32_t n) { take(array, n); });
    for_far_arrays(device_, take);
    for (std::size_t k = 0; k < image_.blocks().size(); ++k) upload(buffers_[k], image_.blocks()[k]);
    const std::size_t records = 2 * static_cast<std::size_t>(tiles.count() * tiles.rim());
    device_.totals = zeroed<engine::Totals>(static_cast<std::size_t>(tiles.count()));
    device_.edges = {zeroed<std::uint64_t>(records), zeroed<std::uint32_t>(records)};
    launch_ = zeroed<LaunchState>(1);
    upload_programs(sizes);
    stream_.synchronize("copying a fabric");
  }

  engine::RunResult run(std::uint64_t limit) {
    LaunchState state{};
    state.clock.watch_crowd(device_.arrays.rules.timing, crowd_);
    state.clock.limit = limit;
    state.clock.from = state.clock.cycle = cycle_;
    state.clock.enter_period();
    state.stepped = stepped_;
    while (!state.over) {
      for (engine::BlockFacts& facts : state.facts) facts = {};
      cuda::check(cudaMemcpyAsync(launch_, &state, sizeof state, cudaMemcpyHostToDevice,
                                  stream_.get()),
                  "starting a run");
      start();
      cuda::check(cudaMemcpyAsync(&state, launch_, sizeof state, cudaMemcpyDeviceToHost,
                                  stream_.get()),
                  "stepping a fabric");
      stream_.synchronize("stepping a fabric");
    }
    cycle_ = state.clock.cycle;
    stepped_ = state.stepped;
    crowd_ = state.clock.crowd;
    return {state.stop, cycle_, state.clock.skipped};
  }

  /// Brings all state back into the mesh, with what neighbours did in the last cycle in inboxes of
  /// this parity.
  unsigned bring_back() {
    for (std::size_t k = 0; k < image_.blocks().size(); ++k)
      download(image_.blocks()[k], buffers_[k]);
    stream_.synchronize("copying a fabric");
    image_.bring_back(mesh_);
    return Stepped{stepped_ - 1}.parity();
  }

  /// The first fault that was found, as bring_back has brought it.
  Fault fault() {
    Fault first;
    for (int y = 0; y < mesh_.height(); ++y)
      for (int x = 0; x < mesh_.width(); ++x) {
        const PeFault& f = image_.fabric().faults[image_.places().index(x, y)];
        if (f.cycle == model::kNever || (first.kind != FaultKind::none && first.cycle <= f.cycle))
          continue;
        first = {f.note.kind, f.cycle, x, y, f.note.color, f.note.detail};
      }
    return first;
  }

  engine::Totals totals() {
    std::vector<engine::Totals> tiles(static_cast<std::size_t>(device_.tiles.count()));
    cuda::check(cudaMemcpyAsync(tiles.data(), device_.totals, tiles.size() * sizeof tiles[0],
                                cudaMemcpyDeviceToHost, stream_.get()),
                "copying totals");
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
  template <class T>
  T* alloc(std::size_t n) {
    buffers_.emplace_back(n * sizeof(T));
    return reinterpret_cast<T*>(buffers_.back().data());
  }
  template <class T>
  T* zeroed(std::size_t n) {
    T* const array = alloc<T>(n);
    cuda::check(cudaMemsetAsync(array, 0, n * sizeof(T), stream_.get()), "clearing an array");
    return array;
  }
  void upload(const cuda::DeviceBuffer<std::byte>& to, const std::vector<std::byte>& from) {
    cuda::check(cudaMemcpyAsync(to.data(), from.data(), from.size(), cudaMemcpyHostToDevice,
                                stream_.get()),
                "copying a fabric");
  }
  void download(std::vector<std::byte>& to, const cuda::DeviceBuffer<std::byte>& from) {
    cuda::check(cudaMemcpyAsync(to.data(), from.data(), to.size(), cudaMemcpyDeviceToHost,
                                stream_.get()),
                "copying a fabric");
  }
  void upload_programs(const model::Sizes& sizes) {
    model::ProgramView& programs = device_.arrays.rules.programs;
    const auto copy = [this](auto*& array, std::size_t n) {
      using T = std::remove_const_t<std::remove_reference_t<decltype(*array)>>;
      T* const there = alloc<T>(n);
      cuda::check(cudaMemcpyAsync(there, array, n * sizeof(T), cudaMemcpyHostToDevice,
                                  stream_.get()),
                  "copying programs");
      array = there;
    };
    copy(programs.code, sizes.code);
    copy(programs.private_cycles, sizes.code);
    copy(programs.programs, sizes.programs);
    copy(programs.shapes, sizes.shapes);
  }

  void start() {
    std::size_t shared = block_state_bytes<S>();
    for_parts(device_, [&](Part part, auto*& array, std::uint32_t n) {
      if ((device_.near >> static_cast<int>(part) & 1U) != 0) shared += near_bytes(n * sizeof *array);
    });
    const int threads = std::min(options_.threads, device_.tiles.pes());
    cuda::allow_shared_memory(step_kernel<S>(), shared);
    cuda::launch_cooperative(step_kernel<S>(), device_.tiles.count(), threads, shared, stream_,
                             device_, launch_, options_.blocks > 0 ? options_.blocks : 1 << 16);
  }

  const pe::Mesh<S>& mesh_;
  Image<S> image_;
  EngineOptions options_;
  Fabric<S> device_;  ///< its arrays are the device's
  std::vector<cuda::DeviceBuffer<std::byte>> buffers_;
  cuda::Stream stream_;
  LaunchState* launch_ = nullptr;
  std::uint64_t cycle_ = 0, stepped_ = kFirstStepped;
  model::Crowd crowd_{};
};

}  // namespace weft::pe_kernel
