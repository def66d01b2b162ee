#include "cuda_on_host/device_state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace weft::cuda_on_host {

namespace {

constexpr std::size_t kMostDevices = 8;

std::array<Device, kMostDevices>& all_devices() {
  static std::array<Device, kMostDevices> devices;
  return devices;
}

thread_local int present = 0;

}  // namespace

Device& device() { return all_devices()[static_cast<std::size_t>(present)]; }
int device_number() { return present; }
void use_device(int number) { present = number; }

Control& control() {
  static Control control;
  return control;
}

const Counters& counters() { return device().counters; }

int objects_alive() {
  std::size_t alive = 0;
  for (const Device& one : all_devices())
    alive += one.arrays.size() + one.streams.size() + one.events.size();
  return static_cast<int>(alive);
}

void reset() {
  control() = {};
  present = 0;
  for (Device& one : all_devices()) {
    one.counters = {};
    one.last_error = cudaSuccess;
    one.failures.clear();
    one.shared_allowed.clear();
  }
}

void fail_next(const std::string& function, cudaError_t error, int calls_before) {
  device().failures[function].push_back({error, calls_before});
}

std::size_t Device::bytes_free() const {
  std::size_t used = 0;
  for (const auto& [data, array] : arrays) used += array.is_pinned ? 0 : array.bytes;
  const std::size_t all = control().memory_bytes;
  return all - std::min(all, used);
}

const Array* Device::find(const void* data, std::size_t bytes) const {
  const auto* const first = static_cast<const std::byte*>(data);
  const auto found = arrays.lower_bound(first);
  if (found == arrays.end()) return nullptr;
  const auto offset = static_cast<std::size_t>(first - found->first);
  return offset + bytes <= found->second.bytes ? &found->second : nullptr;
}

ErrorText text_of(cudaError_t error) {
#define WEFT_ERROR(error, text) \
  case error:                   \
    return { #error, text }
  switch (error) {
    WEFT_ERROR(cudaSuccess, "no error");
    WEFT_ERROR(cudaErrorInvalidValue, "invalid argument");
    WEFT_ERROR(cudaErrorMemoryAllocation, "out of memory");
    WEFT_ERROR(cudaErrorInitializationError, "initialization error");
    WEFT_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument");
    WEFT_ERROR(cudaErrorInsufficientDriver,
               "CUDA driver version is insufficient for CUDA runtime version");
    WEFT_ERROR(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable");
    WEFT_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected");
    WEFT_ERROR(cudaErrorInvalidDevice, "invalid device ordinal");
    WEFT_ERROR(cudaErrorNoKernelImageForDevice,
               "no kernel image is available for execution on the device");
    WEFT_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered");
    WEFT_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle");
    WEFT_ERROR(cudaErrorNotReady, "device not ready");
    WEFT_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered");
    WEFT_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch");
    WEFT_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated");
    WEFT_ERROR(cudaErrorLaunchFailure, "unspecified launch failure");
    WEFT_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch");
    WEFT_ERROR(cudaErrorUnknown, "unknown error");
  }
#undef WEFT_ERROR
  return {"unrecognized error code", "unrecognized error code"};
}

cudaError_t failed(cudaError_t error) {
  if (error != cudaErrorNotReady) device().last_error = error;
  return error;
}

cudaError_t enter(const char* function) {
  if (const auto failures = device().failures.find(function);
      failures != device().failures.end() && !failures->second.empty()) {
    Failure& next = failures->second.front();
    if (next.calls_before-- == 0) {
      const cudaError_t error = next.error;
      failures->second.pop_front();
      return failed(error);
    }
  }
  return control().devices > 0 ? cudaSuccess : failed(cudaErrorNoDevice);
}

namespace {

std::function<void()> next_of(CUstream_st& stream) {
  std::function<void()> work = std::move(stream.work.front());
  stream.work.pop_front();
  return work;
}

/// Waits for what runs beside the stream's callers.
void join(CUstream_st& stream) {
  if (!stream.beside.joinable()) return;
  stream.beside.join();
  if (stream.beside_thrown != nullptr)
    std::rethrow_exception(std::exchange(stream.beside_thrown, nullptr));
}

/// What comes after a misuse makes no sense.
template <class F>
auto dropping_work(F f) {
  try {
    return f();
  } catch (const Misuse&) {
    device().default_stream.work.clear();
    for (CUstream_st* other : device().streams) other->work.clear();
    throw;
  }
}

}  // namespace

bool do_one(CUstream_st& stream) {
  return dropping_work([&] {
    const bool ran = stream.beside.joinable();
    join(stream);
    if (stream.work.empty()) return ran;
    next_of(stream)();
    return true;
  });
}

bool run_beside(CUstream_st& stream) {
  return dropping_work([&] {
    if (stream.beside.joinable()) {
      if (!stream.beside_done) return true;
      join(stream);
    }
    if (stream.work.empty()) return false;
    stream.beside_done = false;
    stream.beside = std::thread([&stream, work = next_of(stream), number = present] {
      use_device(number);
      try {
        work();
      } catch (...) {
        stream.beside_thrown = std::current_exception();
      }
      stream.beside_done = true;
    });
    return true;
  });
}

void finish(CUstream_st& stream) {
  while (do_one(stream)) {
  }
}

void finish_all() {
  finish(device().default_stream);
  for (CUstream_st* stream : device().streams) finish(*stream);
}

void give(cudaStream_t stream, std::function<void()> work) {
  if (stream == nullptr) {
    for (CUstream_st* other : device().streams) {
      if (other->waits_for_default) finish(*other);
    }
    stream = &device().default_stream;
  } else if (stream->waits_for_default) {
    finish(device().default_stream);
  }
  stream->work.push_back(std::move(work));
}

}  // namespace weft::cuda_on_host
