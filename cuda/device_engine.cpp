#include "engine/device_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "cuda/copier.hpp"
#include "cuda/device.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/runtime.hpp"
#include "cuda/tile_kernel.hpp"
#include "cuda/tiling.hpp"
#include "engine/interruption.hpp"
#include "engine/renew_rows.hpp"
#include "engine/result.hpp"
#include "weft/error.hpp"

namespace weft::engine {
namespace {

using cuda::DeviceBuffer;
using model::Sizes;
using model::View;

void check_device() {
  const std::string why = why_no_device_engine();
  if (!why.empty())
    throw Error(ErrorCategory::environment, "the cuda engine cannot run", why,
                "use the host engine (--engine host)");
}

/// By row, and one more, where its parts of the arrays begin that are numbered strip by strip.
std::vector<cuda::RowStart> row_starts(const View& v, const Sizes& sizes) {
  std::vector<cuda::RowStart> starts(static_cast<std::size_t>(v.rows) + 1);
  cuda::RowStart next;
  for (std::size_t strip = 0; strip < v.strip_count(); ++strip) {
    const auto strips = static_cast<std::size_t>(v.strips);
    if (strip % strips == 0) starts[strip / strips] = next;
    for (const std::int32_t color : v.strip[strip].color_state) {
      if (color < 0) continue;
      ++next.color;
      next.filter += v.colors[color].filter >= 0;
      for (const std::int32_t queue : v.colors[color].queue) next.queue += queue >= 0;
    }
  }
  starts.back() = {static_cast<std::int32_t>(sizes.colors),
                   static_cast<std::int32_t>(sizes.port_queues),
                   static_cast<std::int32_t>(sizes.filters)};
  return starts;
}

/// Words that the arrays of the largest program take in a PE's memory; at least one.
std::uint32_t words_of_programs(const View& v, const Sizes& sizes) {
  std::uint32_t bytes = 4;
  for (std::size_t i = 0; i < sizes.programs; ++i)
    bytes = std::max(bytes, v.programs[i].memory_bytes);
  return (bytes + 3) / 4;
}

/// How a fabric is launched, and where its rows begin.
struct Plan {
  cuda::Launch launch;
  std::vector<cuda::RowStart> starts;
};

Plan plan_for(const View& v, const Sizes& sizes) {
  const cuda::DeviceLimits limits = cuda::DeviceLimits::ask();
  Plan plan{cuda::plan_launch(limits, v.strips, v.rows), row_starts(v, sizes)};
  plan.launch.tiling.near_words = words_of_programs(v, sizes);
  cuda::stage(plan.launch, limits, v, plan.starts.data());
  return plan;
}

/// An array, whatever is in it.
struct Bytes {
  void* data;
  std::size_t size;
};

auto appending_to(std::vector<Bytes>& all) {
  return [&all](auto* array, std::size_t n) {
    all.push_back({const_cast<void*>(static_cast<const void*>(array)), n * sizeof *array});
  };
}

std::vector<Bytes> constant_arrays(View v, const Sizes& sizes) {
  std::vector<Bytes> all;
  model::for_constant_arrays(v, sizes, appending_to(all));
  return all;
}

std::vector<Bytes> state_arrays(View v, const Sizes& sizes) {
  std::vector<Bytes> all;
  model::for_state_arrays(v, sizes, appending_to(all));
  return all;
}

/// Bytes of a strip's memory, of so many words of each PE.
constexpr std::size_t strip_bytes(std::uint64_t words) { return words * sizeof(model::Vector); }

BlockFacts facts_of(const View& v) {
  BlockFacts facts;
  for (int row = 0; row < v.rows; ++row) facts.add_row(v, row);
  return facts;
}

/// Blocks of cycles of the next launch, so that one takes about a tenth of a second: the host
/// shows progress, and stops a run, between two.
class Pace {
 public:
  explicit Pace(int fixed) : fixed_(fixed) {}
  int blocks() const { return fixed_ > 0 ? fixed_ : blocks_; }
  void took(std::chrono::steady_clock::duration time) {
    if (time < std::chrono::milliseconds(50)) blocks_ = std::min(blocks_ * 2, 1 << 16);
    if (time > std::chrono::milliseconds(200)) blocks_ = std::max(blocks_ / 2, 1);
  }

 private:
  int fixed_;
  int blocks_ = 8;
};

}  // namespace

struct DeviceEngine::Impl {
  Impl(const View& host, const Sizes& sizes, Plan plan) : device(host), launch(plan.launch) {
    const auto take = [&](auto*& array, std::size_t n) {
      using T = std::remove_cvref_t<decltype(*array)>;
      arrays.emplace_back(n * sizeof(T));
      array = n == 0 ? nullptr : reinterpret_cast<T*>(arrays.back().data());
    };
    cuda::for_device_arrays(device, own, sizes, take);
    device.far_memory = device.memory;
    launch.tiling.starts = own.starts;
    copier.to_device(own.starts, plan.starts.data(), plan.starts.size() * sizeof plan.starts[0]);
    upload(constant_arrays(device, sizes), constant_arrays(host, sizes));
    clear_memory();
  }

  /// Words that are not uploaded are 0.
  void clear_memory() {
    const std::size_t bytes = device.strip_count() * strip_bytes(device.memory_words);
    cuda::check(cudaMemsetAsync(device.memory, 0, bytes, stream.get()), "clearing the PEs' memory");
  }

  /// A run may begin at a cycle that an earlier one has passed: some tiles go on after a fault.
  void clear_progress() {
    const std::size_t tiles = static_cast<std::size_t>(launch.tiling.tiles);
    cuda::check(cudaMemsetAsync(own.progress, 0, tiles * sizeof *own.progress, stream.get()),
                "clearing the tiles' progress");
  }

  /// Leaves nothing of a run that an Error or an exception has ended.
  void forget_run() {
    copier.forget();
    stream.synchronize("ending a run");
    clear_memory();
  }

  /// The first `words` of each PE's memory; a row for each strip.
  cuda::ByteRows memory_rows(std::size_t words) const {
    return {device.strip_count(), strip_bytes(words), strip_bytes(device.memory_words)};
  }

  void upload(const std::vector<Bytes>& to, const std::vector<Bytes>& from) {
    for (std::size_t i = 0; i < to.size(); ++i)
      copier.to_device(to[i].data, from[i].data, to[i].size);
  }

  void upload(const View& host, const Sizes& sizes) {
    upload(state_arrays(device, sizes), state_arrays(host, sizes));
    copier.to_device(device.memory, host.memory, memory_rows(sizes.touched_words));
    clear_progress();
    copier.finish();
    stream.synchronize("copying a fabric");
  }

  /// Copies the fabric back.
  void download(const View& host, Sizes& sizes) {
    const cuda::Summary summary = summarize();
    const auto touched = static_cast<std::size_t>(host.memory_words - summary.untouched);
    sizes.touched_words = std::max(sizes.touched_words, touched);  // what became 0 is copied, too
    const std::vector<Bytes> to = state_arrays(host, sizes), from = state_arrays(device, sizes);
    host_whole = false;
    for (std::size_t i = 0; i < to.size(); ++i)
      copier.to_host(to[i].data, from[i].data, to[i].size);
    copier.to_host(host.memory, device.memory, memory_rows(sizes.touched_words));
    copier.finish();
    renew_rows(host);
    host_whole = true;
    host_current = true;
    totals = summary.totals;
    totals_known = true;
  }

  /// After a failure: the fabric is lost if only the device had it.
  void lose() {
    on_device = false;
    if (!host_current) host_whole = false;
  }

  cuda::Summary summarize() {
    cuda::Summary summary{device.memory_words, {}};
    copier.to_device(own.summary, &summary, sizeof summary);
    cuda::launch_cooperative(cuda::summary_kernel(), launch.tiling.tiles, launch.threads, 0, stream,
                             device, own.summary);
    copier.to_host(&summary, own.summary, sizeof summary);
    copier.finish();
    return summary;
  }

  /// One launch. Returns the launch state as it was at its end.
  cuda::LaunchState step(const Clock& clock, int blocks) {
    cuda::LaunchState shared{};
    shared.clock = clock;
    copier.to_device(own.launch, &shared, sizeof shared);
    begin.record(stream);
    cuda::launch_cooperative(cuda::tile_kernel(), launch.tiling.tiles, launch.threads,
                             launch.shared_bytes, stream, device, launch.tiling, own.progress,
                             own.launch, blocks);
    end.record(stream);
    copier.to_host(&shared, own.launch, sizeof shared);
    copier.finish();
    step_seconds += static_cast<double>(end.ms_since(begin)) * 1e-3;
    return shared;
  }

  /// Sets the clock before the first block. False: there is nothing to step.
  bool start(Clock& clock, const View& host, std::uint64_t cycle, std::uint64_t limit, Stop& stop) {
    if (host_current) return clock.start(facts_of(host), cycle, limit, stop);
    // The device's state is not known here: the first block finds what can be skipped.
    clock.limit = limit;
    clock.from = clock.cycle = cycle;
    clock.enter_period();
    stop = Stop::limit;
    return cycle < limit;
  }

  /// Before the first launch of a run: the device has the fabric.
  void provide(const View& host, const Sizes& sizes) {
    if (under_way) forget_run();
    under_way = true;
    if (on_device) return clear_progress();
    upload(host, sizes);
    on_device = true;
  }

  RunResult run(const View& host, Sizes& sizes, std::uint64_t cycle, const RunOptions& options) {
    Clock clock;
    clock.watch_crowd(host, *host.crowd);
    Stop stop = Stop::quiet;
    if (!start(clock, host, cycle, options.limit, stop)) {
      if (stop == Stop::quiet) on_device = false;  // the host's copy may change in the next line
      return result_of(clock, stop, host);
    }
    try {
      provide(host, sizes);
      device.horizon = options.limit;
      Pace pace(options.block);
      for (;;) {
        const auto begin_of_launch = std::chrono::steady_clock::now();
        const cuda::LaunchState after = step(clock, pace.blocks());
        pace.took(std::chrono::steady_clock::now() - begin_of_launch);
        clock = after.clock;
        if (after.over) return end_run(host, sizes, clock, after.stop);
        try {
          if (options.progress) options.progress(clock.from);
        } catch (...) {
          return stop_early(host, sizes, clock, options, std::current_exception());
        }
      }
    } catch (const Error&) {
      lose();
      throw;
    }
  }

  RunResult end_run(const View& host, Sizes& sizes, const Clock& clock, Stop stop) {
    if (stop == Stop::limit) {
      host_current = false;
      totals_known = false;
    } else {
      download(host, sizes);
      on_device = false;  // the host's copy may change in result_of
    }
    under_way = false;
    *host.crowd = clock.crowd;
    return result_of(clock, stop, host);
  }

  /// After an exception of `progress`.
  RunResult stop_early(const View& host, Sizes& sizes, const Clock& clock,
                       const RunOptions& options, std::exception_ptr thrown) {
    download(host, sizes);
    on_device = false;
    under_way = false;
    host_whole = false;  // its cores may be ahead of the clock
    *host.crowd = clock.crowd;
    RunResult result = end_interrupted(
        host, clock, options, std::move(thrown),
        [&](std::uint64_t from, const RunOptions& rest) { return run(host, sizes, from, rest); });
    host_whole = true;
    return result;
  }

  View device;
  cuda::OwnArrays own;
  cuda::Launch launch;
  bool under_way = false;                 ///< a run that has begun, and not ended as it should
  std::atomic<bool> on_device = false;    ///< the device's copy is the fabric
  std::atomic<bool> host_current = true;  ///< so is the host's
  std::atomic<bool> host_whole = true;    ///< the host's copy is that of one cycle
  cuda::Stream stream;
  cuda::Copier copier{stream};
  cuda::Event begin, end;  ///< of a launch
  double step_seconds = 0;
  Totals totals;
  bool totals_known = true;
  std::vector<DeviceBuffer<std::byte>> arrays;
};

DeviceEngine::DeviceEngine(const View& host, const Sizes& sizes) {
  check_device();
  try {
    Plan plan = plan_for(host, sizes);  // first, because a loaded kernel takes device memory too
    cuda::check_device_memory(host, sizes);
    impl_ = std::make_unique<Impl>(host, sizes, std::move(plan));
  } catch (const cuda::OutOfDeviceMemory&) {
    cuda::refuse_mesh(host, sizes, cuda::kPage);  // says more
  }
}
DeviceEngine::~DeviceEngine() = default;

RunResult DeviceEngine::run(const View& host, Sizes& sizes, std::uint64_t cycle,
                            const RunOptions& options) {
  return impl_->run(host, sizes, cycle, options);
}

bool DeviceEngine::host_current() const { return impl_->host_current; }

void DeviceEngine::bring_back(const View& host, Sizes& sizes) {
  if (impl_->host_current) return;
  try {
    impl_->download(host, sizes);
  } catch (const Error&) {
    impl_->lose();
    throw;
  }
}

void DeviceEngine::host_changed() { impl_->on_device = false; }

Totals DeviceEngine::totals() const {
  if (!impl_->totals_known) {
    impl_->totals = impl_->summarize().totals;
    impl_->totals_known = true;
  }
  return impl_->totals;
}

bool DeviceEngine::host_whole() const { return impl_->host_whole; }

double DeviceEngine::step_seconds() const { return impl_->step_seconds; }

std::string why_no_device_engine() {
  const auto ask = [] {
    std::string no_device = cuda::why_no_device();
    if (!no_device.empty()) return no_device;
    int device = 0, major = 0;
    cuda::check(cudaGetDevice(&device), "asking for the device");
    cuda::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
                "asking how new the device is");
    if (major >= cuda::kLeastMajor) return std::string();
    return fmt::format("the CUDA device is too old: compute capability {}.0 is needed",
                       cuda::kLeastMajor);
  };
  try {
    static const std::string why = ask();
    return why;
  } catch (const Error& error) {  // not remembered: it may pass
    return error.what();
  }
}

}  // namespace weft::engine
