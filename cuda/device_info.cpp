#include <fmt/format.h>

#include <vector>

#include "cuda/device.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/pe/launch.hpp"
#include "cuda/runtime.hpp"
#include "engine/devices.hpp"
#include "fabric/build/timing.hpp"
#include "pe/build/rules.hpp"
#include "weft/machine.hpp"

namespace weft::engine {
namespace {

using Shape = pe::Shape<4, 2>;  // of a transform
using Large = pe_kernel::DeviceFabric<Shape>;

/// Compute capability of the oldest devices that run the step.
constexpr int kLeastMajor = 8;

constexpr int kSide = 512;  ///< of the mesh whose tiles are listed

/// A transform by what `weft fft` lays out, on one patch of PEs of the WSE-2: each has four rings.
Large transform_on_a_patch() {
  constexpr std::uint32_t kRings = 4;
  const model::Timing timing = fabric::timing_of(Machine{});
  Large d;
  d.fabric.sizes = {pe::kPatch,
                    pe::kPatch,
                    kRings * Shape::kSlots * pe::kPatch,
                    pe::sizes_of(timing.input_depth).slots,
                    pe::sizes_of(timing.output_depth).slots,
                    timing.memory_bytes / 4};
  return d;
}

/// 0 where the device does not say.
int clock_khz(cudaDeviceAttr which, int device) {
  int khz = 0;
  if (cudaDeviceGetAttribute(&khz, which, device) != cudaSuccess)
    static_cast<void>(cudaGetLastError());  // and not again by the next call
  return khz;
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
  if (properties.major < kLeastMajor) {
    info.why_not =
        fmt::format("too old for the cuda engine (compute capability {}.0 is needed)", kLeastMajor);
    return;
  }
  const Large transform = transform_on_a_patch();
  const pe_kernel::DeviceLimits limits = pe_kernel::DeviceLimits::ask();
  if (const auto tiles = pe_kernel::find_tiles(limits.multiprocessors, kSide, kSide)) {
    const pe_kernel::Fabric<Shape> fabric = pe_kernel::like(transform, *tiles).fabric;
    const pe_kernel::Launch launch = pe_kernel::plan_launch(fabric, limits);
    info.tile_width = tiles->width;
    info.tile_height = tiles->height;
    info.threads = launch.threads;
    info.near_bytes = pe_kernel::bytes_of(fabric, launch.near);
  }
  info.registers = cuda::attributes(pe_kernel::step_kernel<Shape>()).numRegs;
  info.largest_side =
      pe_kernel::largest_side(transform, {}, limits.multiprocessors, pe_kernel::ask_memory().free);
  info.clock_khz = clock_khz(cudaDevAttrClockRate, device);
  info.memory_clock_khz = clock_khz(cudaDevAttrMemoryClockRate, device);
}

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
      const cuda::OnDevice present(device);
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

std::string why_no_device_engine() {
  const auto ask = [] {
    std::string no_device = cuda::why_no_device();
    if (!no_device.empty()) return no_device;
    int device = 0, major = 0;
    cuda::check(cudaGetDevice(&device), "asking for the device");
    cuda::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
                "asking how new the device is");
    if (major >= kLeastMajor) return std::string();
    return fmt::format("the CUDA device is too old: compute capability {}.0 is needed",
                       kLeastMajor);
  };
  try {
    static const std::string why = ask();
    return why;
  } catch (const Error& error) {  // not remembered: it may pass
    return error.what();
  }
}

}  // namespace weft::engine
