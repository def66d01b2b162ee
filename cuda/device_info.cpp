#include <cmath>
#include <vector>

#include "cuda/device.hpp"
#include "cuda/runtime.hpp"
#include "cuda/tile_kernel.hpp"
#include "cuda/tiling.hpp"
#include "engine/device_engine.hpp"

namespace weft::engine {
namespace {

/// The strips of a large transform, by what `weft fft` lays out: four colors, each with a filter
/// and the queues of two ports, in PEs of the WSE-2.
struct TransformStrip {
  static constexpr int kStripColors = 4, kQueues = 8, kMemoryBytes = 48 * 1024;

  static constexpr std::size_t bytes() {
    return sizeof(model::StripState) + sizeof(model::CoreState) + sizeof(Fault) +
           kStripColors * (sizeof(model::ColorState) + sizeof(model::SwitchState) +
                           sizeof(model::FilterState)) +
           kQueues * sizeof(model::PortQueue) + 3 * sizeof(std::uint64_t) +
           kMemoryBytes * model::kLanes;
  }
};

constexpr int kSide = 512;  ///< of the mesh whose tiles are told

/// Of the largest square mesh, in whole strips, that takes `bytes` of device memory.
int side_of(std::size_t bytes) {
  const double strips = static_cast<double>(bytes / TransformStrip::bytes());
  const int side = static_cast<int>(std::sqrt(strips * model::kLanes));
  return side / model::kLanes * model::kLanes;
}

std::vector<cuda::RowStart> row_starts(const model::View& mesh) {
  std::vector<cuda::RowStart> starts;
  for (int row = 0; row <= mesh.height; ++row) {
    const int strips = row * mesh.strips;
    starts.push_back({strips * TransformStrip::kStripColors, strips * TransformStrip::kQueues,
                      strips * TransformStrip::kStripColors});
  }
  return starts;
}

/// Of the present device.
DeviceInfo info_of(const cudaDeviceProp& properties) {
  DeviceInfo info;
  info.name = properties.name;
  info.memory_bytes = properties.totalGlobalMem;
  info.multiprocessors = properties.multiProcessorCount;
  if (properties.major < cuda::kLeastMajor) return info;

  info.largest_side = side_of(info.memory_bytes);  // if nobody else uses it
  const cuda::DeviceLimits limits = cuda::DeviceLimits::ask();
  model::View mesh{};
  mesh.strips = kSide / model::kLanes;
  mesh.height = kSide;
  cuda::Launch launch = cuda::plan_launch(limits, mesh.strips, mesh.height);
  cuda::stage(launch, limits, mesh, row_starts(mesh).data());
  info.tile_rows = launch.tiling.rows;
  info.tile_warps = launch.threads / model::kLanes;
  info.blocks_per_multiprocessor = launch.blocks_per_multiprocessor;

  const cudaFuncAttributes kernel = cuda::attributes(cuda::tile_kernel());
  info.registers = kernel.numRegs;
  info.shared_bytes = launch.shared_bytes + kernel.sharedSizeBytes;
  return info;
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
  if (!cuda::why_no_device().empty()) return all;
  cuda::check(cudaGetDeviceCount(&count), "counting devices");
  for (int device = 0; device < count; ++device) {
    const Present present(device);
    cudaDeviceProp properties{};
    cuda::check(cudaGetDeviceProperties(&properties, device), "asking about a device");
    all.push_back(info_of(properties));
  }
  return all;
}

}  // namespace weft::engine
