#include "cuda/runtime.hpp"

#include <fmt/format.h>

#include <string>

namespace weft::cuda {
namespace {

std::string remedy_for(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "use a smaller mesh, or a device with more memory";
    case cudaErrorInsufficientDriver:
      return "install a newer driver, or use the host engine";
    case cudaErrorNoKernelImageForDevice:
      return "use a device of compute capability 8.0 or later, or the host engine";
    default:
      return "see with nvidia-smi whether the device is well, or use the host engine";
  }
}

std::string why(cudaError_t status) {
  return fmt::format("{}: {}", cudaGetErrorName(status), cudaGetErrorString(status));
}

[[noreturn]] void refuse_memory(MemoryKind kind, std::size_t bytes, cudaError_t status) {
  static_cast<void>(cudaGetLastError());  // reported here, and not again by the next call
  const std::string what = fmt::format("cannot allocate {} bytes of {} memory", bytes,
                                       kind == MemoryKind::device ? "device" : "pinned host");
  const std::string remedy = remedy_for(status);
  if (kind != MemoryKind::device || status != cudaErrorMemoryAllocation)
    throw Error(ErrorCategory::environment, what, why(status), remedy);
  std::size_t free = 0, total = 0;
  std::string reason = why(status);
  if (cudaMemGetInfo(&free, &total) == cudaSuccess)
    reason += fmt::format("; {} of {} bytes are free", free, total);
  throw OutOfDeviceMemory(ErrorCategory::environment, what, reason, remedy);
}

void release(MemoryKind kind, void* data) {
  if (data == nullptr) return;
  static_cast<void>(kind == MemoryKind::device ? cudaFree(data) : cudaFreeHost(data));
}

}  // namespace

void check(cudaError_t status, std::string_view doing) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // reported here, and not again by the next call
  const std::string what = fmt::format("the CUDA device failed while {}", doing);
  if (status == cudaErrorMemoryAllocation)
    throw OutOfDeviceMemory(ErrorCategory::environment, what, why(status), remedy_for(status));
  throw Error(ErrorCategory::environment, what, why(status), remedy_for(status));
}

Memory::Memory(MemoryKind kind, std::size_t bytes) : kind_(kind) {
  if (bytes == 0) return;
  const cudaError_t status =
      kind == MemoryKind::device ? cudaMalloc(&data_, bytes) : cudaMallocHost(&data_, bytes);
  if (status != cudaSuccess) refuse_memory(kind, bytes, status);
}

Memory::Memory(Memory&& other) noexcept
    : kind_(other.kind_), data_(std::exchange(other.data_, nullptr)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(kind_, other.kind_);
  std::swap(data_, other.data_);
  return *this;
}

Memory::~Memory() { release(kind_, data_); }

OnDevice::OnDevice(std::optional<int> number) {
  if (!number) return;
  int before = 0;
  check(cudaGetDevice(&before), "asking for the device");
  if (before == *number) return;
  check(cudaSetDevice(*number), "taking a device");
  before_ = before;
}

OnDevice::~OnDevice() {
  if (before_) static_cast<void>(cudaSetDevice(*before_));
}

Stream::Stream() {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
}

Stream::~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }

void Stream::synchronize(std::string_view doing) const {
  check(cudaStreamSynchronize(stream_), doing);
}

bool Stream::runs(std::string_view doing) const {
  const cudaError_t status = cudaStreamQuery(stream_);
  if (status != cudaErrorNotReady) check(status, doing);
  return status == cudaErrorNotReady;
}

Event::Event() { check(cudaEventCreate(&event_), "making an event"); }

Event::~Event() { static_cast<void>(cudaEventDestroy(event_)); }

void Event::record(const Stream& stream) {
  check(cudaEventRecord(event_, stream.get()), "recording an event");
}

void Event::synchronize(std::string_view doing) const {
  check(cudaEventSynchronize(event_), doing);
}

float Event::ms_since(const Event& start) const {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start.event_, event_), "reading a time");
  return ms;
}

}  // namespace weft::cuda
