#include "cuda_on_host/runtime.hpp"

#include <algorithm>
#include <map>

#include "cuda_on_host/device_state.hpp"
#include "cuda_on_host/grid.hpp"

namespace weft::cuda_on_host {
namespace {

constexpr int kMostThreads = 1024;
constexpr int kThreadsPerMultiprocessor = 2048;
constexpr int kRegistersPerMultiprocessor = 65536;
constexpr std::size_t kSharedWithoutAsking = 48 * 1024;
constexpr std::size_t kReservedShared = 1024;

std::size_t shared_allowed(const void* kernel) {
  const auto allowed = device().shared_allowed.find(kernel);
  return allowed == device().shared_allowed.end() ? kSharedWithoutAsking : allowed->second;
}

int blocks_resident(int threads, std::size_t shared_bytes) {
  const Control& c = control();
  if (threads < 1 || threads > kMostThreads || shared_bytes > c.shared_bytes_per_block) return 0;
  const auto by_shared =
      static_cast<int>(c.shared_bytes_per_multiprocessor / (shared_bytes + kReservedShared));
  return std::min({c.blocks_per_multiprocessor, kThreadsPerMultiprocessor / threads,
                   kRegistersPerMultiprocessor / (threads * c.registers), by_shared});
}

}  // namespace

cudaError_t launch(const void* kernel, dim3 blocks, dim3 threads, std::size_t shared_bytes,
                   cudaStream_t stream, std::function<void()> body) {
  if (const auto error = enter("cudaLaunchCooperativeKernel")) return error;
  if (threads.x < 1 || threads.x > kMostThreads || blocks.x < 1 || threads.y * threads.z != 1 ||
      blocks.y * blocks.z != 1) {
    return failed(cudaErrorInvalidConfiguration);  // two and three dimensions are not imitated
  }
  if (shared_bytes > shared_allowed(kernel)) return failed(cudaErrorInvalidValue);
  const int resident = blocks_resident(static_cast<int>(threads.x), shared_bytes);
  if (blocks.x > static_cast<unsigned>(resident * control().multiprocessors)) {
    return failed(cudaErrorCooperativeLaunchTooLarge);
  }
  ++device().counters.launches;
  give(stream, [shape = Launch{blocks.x, threads.x, shared_bytes}, body = std::move(body)] {
    Grid(shape, body).run();
  });
  return cudaSuccess;
}

cudaError_t attributes_of(cudaFuncAttributes* attributes, const void* kernel) {
  if (const auto error = enter("cudaFuncGetAttributes")) return error;
  *attributes = {.sharedSizeBytes = 0,
                 .localSizeBytes = 0,
                 .maxThreadsPerBlock = kMostThreads,
                 .numRegs = control().registers,
                 .maxDynamicSharedSizeBytes = static_cast<int>(shared_allowed(kernel))};
  return cudaSuccess;
}

cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (const auto error = enter("cudaFuncSetAttribute")) return error;
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {  // there is no cache
    return value < -1 || value > 100 ? failed(cudaErrorInvalidValue) : cudaSuccess;
  }
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      static_cast<std::size_t>(value) > control().shared_bytes_per_block) {
    return failed(cudaErrorInvalidValue);
  }
  device().shared_allowed[kernel] = static_cast<std::size_t>(value);
  return cudaSuccess;
}

cudaError_t blocks_that_fit(int* blocks, int threads, std::size_t shared_bytes) {
  if (const auto error = enter("cudaOccupancyMaxActiveBlocksPerMultiprocessor")) return error;
  *blocks = blocks_resident(threads, shared_bytes);
  return cudaSuccess;
}

}  // namespace weft::cuda_on_host

using weft::cuda_on_host::control;
using weft::cuda_on_host::device;
using weft::cuda_on_host::enter;
using weft::cuda_on_host::failed;

cudaError_t cudaGetLastError() { return std::exchange(device().last_error, cudaSuccess); }

const char* cudaGetErrorName(cudaError_t error) { return weft::cuda_on_host::text_of(error).name; }

const char* cudaGetErrorString(cudaError_t error) {
  return weft::cuda_on_host::text_of(error).text;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = control().driver_version;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  if (const auto error = enter(__func__)) return error;
  *count = control().devices;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* number) {
  if (const auto error = enter(__func__)) return error;
  *number = weft::cuda_on_host::device_number();
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int number) {
  if (const auto error = enter(__func__)) return error;
  if (number >= control().devices) return failed(cudaErrorInvalidDevice);
  weft::cuda_on_host::use_device(number);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  if (const auto error = enter(__func__)) return error;
  if (number >= control().devices) return failed(cudaErrorInvalidDevice);
  using namespace weft::cuda_on_host;
  const weft::cuda_on_host::Control& c = control();
  *properties = {.name = "CUDA on the host",
                 .uuid = {{static_cast<char>(number)}},
                 .totalGlobalMem = c.memory_bytes,
                 .sharedMemPerBlock = kSharedWithoutAsking,
                 .regsPerBlock = kRegistersPerMultiprocessor,
                 .warpSize = 32,
                 .maxThreadsPerBlock = kMostThreads,
                 .major = 9,
                 .minor = 0,
                 .multiProcessorCount = c.multiprocessors,
                 .maxThreadsPerMultiProcessor = kThreadsPerMultiprocessor,
                 .sharedMemPerMultiprocessor = c.shared_bytes_per_multiprocessor,
                 .regsPerMultiprocessor = kRegistersPerMultiprocessor,
                 .cooperativeLaunch = 1,
                 .sharedMemPerBlockOptin = c.shared_bytes_per_block,
                 .maxBlocksPerMultiProcessor = c.blocks_per_multiprocessor,
                 .reservedSharedMemPerBlock = kReservedShared};
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  if (const auto error = enter(__func__)) return error;
  cudaDeviceProp p{};
  if (const auto error = cudaGetDeviceProperties(&p, number)) return error;
  const std::map<cudaDeviceAttr, int> values = {
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<int>(p.sharedMemPerMultiprocessor)},
      {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(p.sharedMemPerBlockOptin)}};
  const auto found = values.find(attribute);
  if (found == values.end()) return failed(cudaErrorInvalidValue);
  *value = found->second;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  if (const auto error = enter(__func__)) return error;
  *free = device().bytes_free();
  *total = control().memory_bytes;
  return cudaSuccess;
}
