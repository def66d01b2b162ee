// CUDA's functions on memory, streams and events.
#include <algorithm>
#include <cstring>

#include "cuda_on_host/device_state.hpp"

using namespace weft::cuda_on_host;

namespace {

constexpr std::size_t kAlignment = 256;  // as CUDA's

cudaError_t allocate(void** data, std::size_t bytes, bool is_pinned) {
  *data = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (!is_pinned && bytes > device().bytes_free()) return failed(cudaErrorMemoryAllocation);
  Memory memory = poisoned_memory(bytes, kAlignment);
  if (memory == nullptr) return failed(cudaErrorMemoryAllocation);
  std::byte* const address = memory.get();
  device().arrays.emplace(address, Array{std::move(memory), bytes, is_pinned});
  ++device().counters.allocations;
  *data = address;
  return cudaSuccess;
}

// Waits for all work first, as CUDA does.
cudaError_t release(void* data, bool is_pinned) {
  if (data == nullptr) return cudaSuccess;
  finish_all();
  const auto array = device().arrays.find(static_cast<std::byte*>(data));
  if (array == device().arrays.end() || array->second.is_pinned != is_pinned) {
    return failed(cudaErrorInvalidValue);
  }
  device().arrays.erase(array);
  return cudaSuccess;
}

struct Rows {
  std::byte* data;
  std::size_t pitch;
};

struct Copy {
  Rows to, from;
  std::size_t row_bytes, rows;
  cudaMemcpyKind kind;

  std::size_t span_of(Rows rows_of) const {
    return rows == 0 ? 0 : rows_of.pitch * (rows - 1) + row_bytes;
  }
  const Array* array_of(Rows rows_of) const {
    return device().find(rows_of.data, span_of(rows_of));
  }
  bool fits(Rows side, bool on_device) const {
    if (kind == cudaMemcpyDefault || row_bytes * rows == 0) return true;
    const Array* const array = array_of(side);
    return on_device
               ? array != nullptr && !array->is_pinned
               : device().find(side.data, 1) == nullptr || (array != nullptr && array->is_pinned);
  }
  bool is_possible() const {
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return row_bytes <= to.pitch && row_bytes <= from.pitch && fits(to, to_device) &&
           fits(from, from_device);
  }
  bool is_of_largest_array() const {
    const Array* const own = array_of(from);
    return own != nullptr && std::ranges::none_of(device().arrays, [&](const auto& other) {
             return !other.second.is_pinned && other.second.bytes > own->bytes;
           });
  }
  void run() const {
    for (std::size_t i = 0; i < rows && row_bytes > 0; ++i) {
      std::memcpy(to.data + i * to.pitch, from.data + i * from.pitch, row_bytes);
    }
    if (control().is_faulty && kind == cudaMemcpyDeviceToHost && is_of_largest_array())
      to.data[0] ^= std::byte{1};
  }
};

Rows rows_at(const void* data, std::size_t pitch) {
  return {static_cast<std::byte*>(const_cast<void*>(data)), pitch};
}

// Memory that is not pinned cannot be copied later: CUDA does so, or passes it through a buffer.
cudaError_t give_copy(const Copy& copy, cudaStream_t stream) {
  if (!copy.is_possible()) return failed(cudaErrorInvalidValue);
  ++device().counters.copies;
  device().counters.copied_bytes += copy.rows * copy.row_bytes;
  give(stream, [copy] { copy.run(); });
  const bool is_pageable = copy.array_of(copy.to) == nullptr || copy.array_of(copy.from) == nullptr;
  if (is_pageable) finish(stream == nullptr ? device().default_stream : *stream);
  return cudaSuccess;
}

cudaError_t check_bytes(void* data, std::size_t bytes) {
  const Array* const array = device().find(data, bytes);
  return bytes == 0 || (array != nullptr && !array->is_pinned) ? cudaSuccess
                                                               : failed(cudaErrorInvalidValue);
}

CUstream_st& of(cudaStream_t stream) {
  return stream == nullptr ? device().default_stream : *stream;
}

}  // namespace

cudaError_t cudaDeviceSynchronize() {
  if (const auto error = enter(__func__)) return error;
  ++device().counters.synchronizations;
  finish_all();
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  if (const auto error = enter(__func__)) return error;
  return allocate(data, bytes, false);
}

cudaError_t cudaFree(void* data) {
  if (const auto error = enter(__func__)) return error;
  return release(data, false);
}

cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
  if (const auto error = enter(__func__)) return error;
  return allocate(data, bytes, true);
}

cudaError_t cudaFreeHost(void* data) {
  if (const auto error = enter(__func__)) return error;
  return release(data, true);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (const auto error = enter(__func__)) return error;
  return give_copy(Copy{rows_at(to, bytes), rows_at(from, bytes), bytes, 1, kind}, stream);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t row_bytes, std::size_t rows,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  if (const auto error = enter(__func__)) return error;
  return give_copy(Copy{rows_at(to, to_pitch), rows_at(from, from_pitch), row_bytes, rows, kind},
                   stream);
}

cudaError_t cudaMemsetAsync(void* data, int byte, std::size_t bytes, cudaStream_t stream) {
  if (const auto error = enter(__func__)) return error;
  if (const auto error = check_bytes(data, bytes)) return error;
  give(stream, [=] { std::memset(data, byte, bytes); });
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (const auto error = enter(__func__)) return error;
  *stream = new CUstream_st{flags != cudaStreamNonBlocking, {}};
  device().streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (const auto error = enter(__func__)) return error;
  if (!device().streams.contains(stream)) return failed(cudaErrorInvalidResourceHandle);
  finish(*stream);
  device().streams.erase(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (const auto error = enter(__func__)) return error;
  ++device().counters.synchronizations;
  finish(of(stream));
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (const auto error = enter(__func__)) return error;
  return run_beside(of(stream)) ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (const auto error = enter(__func__)) return error;
  give(stream, [event, where = event->stream] {
    if (where != nullptr && event->stream == where) finish(*where);
  });
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (const auto error = enter(__func__)) return error;
  *event = new CUevent_st;
  (*event)->is_timed = (flags & cudaEventDisableTiming) == 0;
  device().events.insert(*event);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  if (const auto error = enter(__func__)) return error;
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (const auto error = enter(__func__)) return error;
  if (!device().events.contains(event)) return failed(cudaErrorInvalidResourceHandle);
  if (event->stream != nullptr) finish(*event->stream);
  device().events.erase(event);
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const auto error = enter(__func__)) return error;
  give(stream, [event] {
    event->passed = std::chrono::steady_clock::now();
    event->stream = nullptr;
  });
  event->stream = &of(stream);
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (const auto error = enter(__func__)) return error;
  if (event->stream != nullptr) do_one(*event->stream);
  return event->stream != nullptr ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (const auto error = enter(__func__)) return error;
  ++device().counters.synchronizations;
  while (event->stream != nullptr && do_one(*event->stream)) {
  }
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  if (const auto error = enter(__func__)) return error;
  if (!start->is_timed || !end->is_timed) return failed(cudaErrorInvalidResourceHandle);
  if (start->stream != nullptr || end->stream != nullptr) return cudaErrorNotReady;
  *ms = std::chrono::duration<float, std::milli>(end->passed - start->passed).count();
  return cudaSuccess;
}
