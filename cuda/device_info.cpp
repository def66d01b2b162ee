#include <fmt/format.h>

#include <vector>

#include "cuda/device.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/runtime.hpp"
#include "cuda/tile_kernel.hpp"
#include "cuda/tiling.hpp"
#include "cuda/warp.hpp"
#include "engine/device_engine.hpp"

namespace weft::engine {
namespace {

constexpr int kSide = 512;  ///< of the mesh whose tiles are listed

/// A large transform, by what `weft fft` lays out, in PEs of the WSE-2: every strip has four
/// colors, each with a filter and the queues of two ports.
struct LargeTransform {
  static constexpr int kStripColors = 4, kQueues = 8, kMemoryBytes = 48 * 1024;

  LargeTransform() {
    mesh.strips = model::strips_across(kSide);
    mesh.rows = model::strips_down(kSide);
    mesh.memory_words = kMemoryBytes / 4;
    for (int row = 0; row <= mesh.rows; ++row) {
      const int strips = row * mesh.strips;
      starts.push_back({strips * kStripColors, strips * kQueues, strips * kStripColors});
    }
    const std::size_t strips = mesh.strip_count();
    sizes.colors = sizes.filters = strips * kStripColors;
    sizes.port_queues = strips * kQueues;
  }

  model::View mesh{};
  model::Sizes sizes;
  std::vector<cuda::RowStart> starts;
};

/// 0 where the device does not say.
int clock_khz(cudaDeviceAttr which, int device) {
  int khz = 0;
  if (cudaDeviceGetAttribute(&khz, which, device) != cudaSuccess)
    static_cast<void>(cudaGetLastError());  // and not again by the next call
  return khz;
}

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total), "asking for free memory");
  return free;
}

/// Of the present device.
void ask(DeviceInfo& info, int device) {
  cudaDeviceProp properties{};
  cuda::check(cudaGetDeviceProperties(&properties, device), "asking about a device");
  info.name = properties.name;
  info.memory_bytes = properties.totalGlobalMem;
  info.multiprocessors = properties.multiProcessorCount;
  info.major = properties.major;
  info.minor = properties.minor;
  if (properties.major < cuda::kLeastMajor) {
    info.why_not = fmt::format("too old for the cuda engine (compute capability {}.0 is needed)",
                               cuda::kLeastMajor);
    return;
  }
  const cudaFuncAttributes kernel = cuda::attributes(cuda::tile_kernel());
  const LargeTransform transform;
  const cuda::DeviceLimits limits = cuda::DeviceLimits::ask();
  cuda::Launch launch = cuda::plan_launch(limits, transform.mesh.strips, transform.mesh.rows);
  cuda::stage(launch, limits, transform.mesh, transform.starts.data());
  info.tile_rows = launch.tiling.rows * model::kStripHeight;
  info.tile_warps = launch.threads / static_cast<int>(cuda::kWarp);
  info.blocks_per_multiprocessor = launch.blocks_per_multiprocessor;
  info.registers = kernel.numRegs;
  info.shared_bytes = launch.shared_bytes + kernel.sharedSizeBytes;
  info.largest_side = cuda::largest_side(transform.mesh, transform.sizes, free_memory());
  info.clock_khz = clock_khz(cudaDevAttrClockRate, device);
  info.memory_clock_khz = clock_khz(cudaDevAttrMemoryClockRate, device);
}

/// Makes a device the present one, and later again the one that was.
class Present {
 public:
  explicit Present(int device) {
    cuda::check(cudaGetDevice(&before_), "asking for the device");
    cuda::check(cudaSetDevice(device), "choosing a device");
  }
  Present(const Present&) = delete;
  Present& operator=(const Present&) = delete;
  ~Present() { static_cast<void>(cudaSetDevice(before_)); }

 private:
  int before_ = 0;
};

}  // namespace

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> all;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // why_no_device_engine() reports it
    return all;
  }
  for (int device = 0; device < count; ++device) {
    DeviceInfo& info = all.emplace_back();
    info.name = fmt::format("number {}", device);  // unless it has a name
    try {
      const Present present(device);
      ask(info, device);
    } catch (const Error& error) {  // the others may be well
      info.why_not = error.what();
    }
  }
  return all;
}

CudaVersions cuda_versions() {
  int driver = 0;  // stays 0 where none is installed
  static_cast<void>(cudaDriverGetVersion(&driver));
  return {cuda::version_text(CUDART_VERSION), driver == 0 ? "" : cuda::version_text(driver)};
}

}  // namespace weft::engine
