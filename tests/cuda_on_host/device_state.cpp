#include "cuda_on_host/device_state.hpp"

#include <algorithm>

namespace weft::cuda_on_host {

Device& device() {
  static Device device;
  return device;
}

Control& control() { return device().control; }

const Counters& counters() { return device().counters; }

int objects_alive() {
  return static_cast<int>(device().arrays.size() + device().streams.size() +
                          device().events.size());
}

void reset() {
  device().control = {};
  device().counters = {};
  device().last_error = cudaSuccess;
  device().failures.clear();
  device().shared_allowed.clear();
}

void fail_next(const std::string& function, cudaError_t error, int calls_before) {
  device().failures[function].push_back({error, calls_before});
}

std::size_t Device::bytes_free() const {
  std::size_t used = 0;
  for (const auto& [data, array] : arrays) used += array.is_pinned ? 0 : array.bytes;
  return control.memory_bytes - std::min(control.memory_bytes, used);
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
  return device().control.devices > 0 ? cudaSuccess : failed(cudaErrorNoDevice);
}

bool do_one(CUstream_st& stream) {
  if (stream.work.empty()) return false;
  const std::function<void()> work = std::move(stream.work.front());
  stream.work.pop_front();
  try {
    work();
  } catch (const Misuse&) {
    device().default_stream.work.clear();  // what comes after it makes no sense
    for (CUstream_st* other : device().streams) other->work.clear();
    throw;
  }
  return true;
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
