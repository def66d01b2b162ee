#include "engine/device_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "cuda/copier.hpp"
#include "cuda/device.hpp"
#include "cuda/runtime.hpp"
#include "cuda/tile_kernel.hpp"
#include "cuda/tiling.hpp"
#include "model/step.hpp"
#include "weft/error.hpp"

namespace weft::engine {
namespace {

using cuda::DeviceBuffer;
using model::kLanes;
using model::Sizes;
using model::View;

std::size_t strip_count(const View& v) {
  return static_cast<std::size_t>(v.strips) * static_cast<std::size_t>(v.height);
}

/// Bytes of device memory that a fabric takes.
std::size_t bytes_of(View v, const Sizes& sizes) {
  std::size_t bytes = strip_count(v) * v.memory_words * kLanes * sizeof(std::uint32_t);
  const auto add = [&](const auto* array, std::size_t n) { bytes += n * sizeof *array; };
  model::for_constant_arrays(v, sizes, add);
  model::for_state_arrays(v, sizes, add);
  return bytes;
}

void check_device() {
  const std::string why = why_no_device_engine();
  if (!why.empty())
    throw Error(Category::environment, "the cuda engine cannot run", why,
                "use the host engine (--engine host)");
}

void check_memory(const View& v, const Sizes& sizes) {
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total), "asking for free memory");
  const std::size_t bytes = bytes_of(v, sizes);
  if (bytes <= free) return;
  const double per_pe = static_cast<double>(bytes) / v.width / v.height;
  const int side = static_cast<int>(std::sqrt(static_cast<double>(free) / per_pe));
  constexpr double kMiB = 1 << 20;
  throw Error(Category::environment,
              fmt::format("{} x {} PEs do not fit on the CUDA device", v.width, v.height),
              fmt::format("they take {:.1f} MiB of its memory, and {:.1f} of {:.1f} are free",
                          static_cast<double>(bytes) / kMiB, static_cast<double>(free) / kMiB,
                          static_cast<double>(total) / kMiB),
              fmt::format("use at most about {0} x {0} PEs, or the host engine", side));
}

/// By row, and one more, where its parts of the arrays begin that are numbered strip by strip.
std::vector<cuda::RowStart> row_starts(const View& v, const Sizes& sizes) {
  std::vector<cuda::RowStart> starts(static_cast<std::size_t>(v.height) + 1);
  cuda::RowStart next;
  for (std::size_t strip = 0; strip < strip_count(v); ++strip) {
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

Report report_of(const View& v) {
  Report report;
  for (int row = 0; row < v.height; ++row) report.add_row(v, row);
  return report;
}

/// What is kept by row, which only CPU threads do while they step.
void renew_rows(const View& v) {
  for (int row = 0; row < v.height; ++row) {
    v.route_row[row] = model::least_wake(v, row, v.route_wake);
    v.deliver_row[row] = model::least_wake(v, row, v.deliver_wake);
    v.core_row[row] = model::least_wake(v, row, v.core_wake);
    for (int i = row * v.strips; i < (row + 1) * v.strips; ++i)
      if (v.faults[i].kind != FaultKind::none) model::earlier(v.fault_row[row], v.faults[i].cycle);
  }
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
  Impl(const View& host, const Sizes& sizes) {
    device = host;
    const auto take = [&](auto*& array, std::size_t n) {
      using T = std::remove_cvref_t<decltype(*array)>;
      arrays.emplace_back(n * sizeof(T));
      array = reinterpret_cast<T*>(arrays.back().data());
    };
    model::for_constant_arrays(device, sizes, take);
    model::for_state_arrays(device, sizes, take);
    const std::size_t words = strip_count(host) * host.memory_words * kLanes;
    memory = DeviceBuffer<std::uint32_t>(words);
    device.memory = device.far_memory = memory.data();

    const cuda::DeviceLimits limits = cuda::DeviceLimits::ask();
    launch = cuda::plan_launch(limits, host.strips, host.height);
    const std::vector<cuda::RowStart> by_row = row_starts(host, sizes);
    launch.tiling.near_words = words_of_programs(host, sizes);
    cuda::stage(launch, limits, host, by_row.data());
    starts = DeviceBuffer<cuda::RowStart>(by_row.size());
    copier.to_device(starts.data(), by_row.data(), starts.bytes());
    launch.tiling.starts = starts.data();

    progress = DeviceBuffer<cuda::TileProgress>(static_cast<std::size_t>(launch.tiling.tiles));
    exchange = DeviceBuffer<cuda::Exchange>(1);
    untouched = DeviceBuffer<std::uint64_t>(1);
    clear_memory();
  }

  /// Words that are not uploaded are 0.
  void clear_memory() {
    cuda::check(cudaMemsetAsync(memory.data(), 0, memory.bytes(), stream.get()),
                "clearing the PEs' memory");
  }

  /// A run may begin at a cycle that an earlier one has passed: some tiles go on after a fault.
  void clear_progress() {
    cuda::check(cudaMemsetAsync(progress.data(), 0, progress.bytes(), stream.get()),
                "clearing the tiles' progress");
  }

  /// Leaves nothing of a run that an Error or an exception has ended.
  void forget_run() {
    copier.forget();
    stream.synchronize("ending a run");
    clear_memory();
  }

  /// f(device array, host array, bytes) for each.
  template <class F>
  void for_arrays(View host, const Sizes& sizes, bool constant_too, F f) {
    std::vector<std::pair<void*, std::size_t>> own;
    const auto note = [&](auto* array, std::size_t n) {
      own.emplace_back(const_cast<void*>(static_cast<const void*>(array)), n * sizeof *array);
    };
    if (constant_too) model::for_constant_arrays(device, sizes, note);
    model::for_state_arrays(device, sizes, note);
    std::size_t next = 0;
    const auto give = [&](auto* array, std::size_t) {
      f(own[next].first, const_cast<void*>(static_cast<const void*>(array)), own[next].second);
      ++next;
    };
    if (constant_too) model::for_constant_arrays(host, sizes, give);
    model::for_state_arrays(host, sizes, give);
    const std::size_t strip_words = host.memory_words * kLanes;
    for (std::size_t i = 0; i < strip_count(host); ++i)
      f(device.memory + i * strip_words, host.memory + i * strip_words,
        sizes.touched_words * kLanes * sizeof(std::uint32_t));
  }

  void upload(const View& host, const Sizes& sizes) {
    for_arrays(host, sizes, true,
               [&](void* d, const void* h, std::size_t bytes) { copier.to_device(d, h, bytes); });
    clear_progress();
    copier.finish();
    stream.synchronize("copying a fabric");
  }

  void download(const View& host, Sizes& sizes) {
    const auto touched = static_cast<std::size_t>(host.memory_words - count_untouched(host));
    sizes.touched_words = std::max(sizes.touched_words, touched);  // what became 0 is copied, too
    for_arrays(host, sizes, false,
               [&](const void* d, void* h, std::size_t bytes) { copier.to_host(h, d, bytes); });
    copier.finish();
    renew_rows(host);
  }

  std::uint64_t count_untouched(const View& host) {
    std::uint64_t words = host.memory_words;
    copier.to_device(untouched.data(), &words, sizeof words);
    cuda::launch_cooperative(cuda::untouched_kernel(), launch.tiling.tiles, launch.threads, 0,
                             stream, static_cast<const std::uint32_t*>(device.memory),
                             device.memory_words, static_cast<int>(strip_count(host)),
                             untouched.data());
    copier.to_host(&words, untouched.data(), sizeof words);
    copier.finish();
    return words;
  }

  /// One launch. Returns the exchange as it was at its end.
  cuda::Exchange step(const Clock& clock, int blocks) {
    cuda::Exchange shared{};
    shared.clock = clock;
    copier.to_device(exchange.data(), &shared, sizeof shared);
    begin.record(stream);
    cuda::launch_cooperative(cuda::tile_kernel(), launch.tiling.tiles, launch.threads,
                             launch.shared_bytes, stream, device, launch.tiling, progress.data(),
                             exchange.data(), blocks);
    end.record(stream);
    copier.to_host(&shared, exchange.data(), sizeof shared);
    copier.finish();
    step_seconds += static_cast<double>(end.ms_since(begin)) * 1e-3;
    return shared;
  }

  RunResult run(const View& host, Sizes& sizes, std::uint64_t cycle, const RunOptions& options) {
    Clock clock;
    Stop stop = Stop::quiet;
    if (!clock.start(report_of(host), cycle, options.limit, stop))
      return {stop, clock.cycle, clock.skipped};
    if (under_way) forget_run();
    under_way = true;
    upload(host, sizes);
    device.horizon = options.limit;
    Pace pace(options.block);
    for (;;) {
      const auto start = std::chrono::steady_clock::now();
      const cuda::Exchange after = step(clock, pace.blocks());
      pace.took(std::chrono::steady_clock::now() - start);
      clock = after.clock;
      if (after.over) {
        download(host, sizes);
        under_way = false;
        return {after.stop, clock.cycle, clock.skipped};
      }
      if (options.progress) options.progress(clock.from);
    }
  }

  View device;
  bool under_way = false;  ///< a run that has begun, and not ended as it should
  cuda::Stream stream;
  cuda::Copier copier{stream};
  cuda::Event begin, end;  ///< of a launch
  double step_seconds = 0;
  std::vector<DeviceBuffer<std::byte>> arrays;
  DeviceBuffer<std::uint32_t> memory;
  cuda::Launch launch;
  DeviceBuffer<cuda::RowStart> starts;
  DeviceBuffer<cuda::TileProgress> progress;
  DeviceBuffer<cuda::Exchange> exchange;
  DeviceBuffer<std::uint64_t> untouched;
};

DeviceEngine::DeviceEngine(const View& host, const Sizes& sizes) {
  check_device();
  check_memory(host, sizes);
  impl_ = std::make_unique<Impl>(host, sizes);
}
DeviceEngine::~DeviceEngine() = default;

RunResult DeviceEngine::run(const View& host, Sizes& sizes, std::uint64_t cycle,
                            const RunOptions& options) {
  return impl_->run(host, sizes, cycle, options);
}

double DeviceEngine::step_seconds() const { return impl_->step_seconds; }

std::string why_no_device_engine() {
  static const std::string why = [] {
    std::string no_device = cuda::why_no_device();
    if (!no_device.empty()) return no_device;
    int device = 0, major = 0;
    cuda::check(cudaGetDevice(&device), "asking for the device");
    cuda::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
                "asking how new the device is");
    if (major >= cuda::kLeastMajor) return std::string();
    return fmt::format("the CUDA device is too old: compute capability {}.0 is needed",
                       cuda::kLeastMajor);
  }();
  return why;
}

}  // namespace weft::engine
