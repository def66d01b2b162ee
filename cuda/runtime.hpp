#pragma once

// CUDA's runtime as Weft uses it: failures are weft::Error, and what is acquired is released.
#if defined(WEFT_CUDA_ON_HOST)
#include "cuda_on_host/cuda.hpp"
#else
#include <cuda_runtime.h>
#endif

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weft/error.hpp"

namespace weft::cuda {

/// Too little device memory was left for what was asked for.
class OutOfDeviceMemory : public Error {
 public:
  using Error::Error;
};

/// Throws an Error of category environment unless `status` is success; `doing` completes "the CUDA
/// device failed while ...".
void check(cudaError_t status, std::string_view doing);

/// Memory of the device, or memory of the host that the device can copy by itself.
enum class MemoryKind { device, pinned };

/// Bytes of such memory. Nothing is known of what is in them.
class Memory {
 public:
  Memory() = default;
  Memory(MemoryKind kind, std::size_t bytes);
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  ~Memory();

  void* data() const { return data_; }

 private:
  MemoryKind kind_ = MemoryKind::device;
  void* data_ = nullptr;
};

/// `size` values in such memory.
template <class T, MemoryKind kKind>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : memory_(kKind, size * sizeof(T)), size_(size) {}
  Buffer(Buffer&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() const { return static_cast<T*>(memory_.data()); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  std::span<T> span() const requires(kKind == MemoryKind::pinned) { return {data(), size_}; }

 private:
  Memory memory_;
  std::size_t size_ = 0;
};

template <class T>
using DeviceBuffer = Buffer<T, MemoryKind::device>;
template <class T>
using PinnedBuffer = Buffer<T, MemoryKind::pinned>;

/// While it exists, the thread uses the device of this number; none: the one that it has.
class OnDevice {
 public:
  explicit OnDevice(std::optional<int> number);
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice();

 private:
  std::optional<int> before_{};
};

/// Work in order; it does not wait for other streams, the default one included.
class Stream {
 public:
  Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  cudaStream_t get() const { return stream_; }
  void synchronize(std::string_view doing) const;
  /// Some of its work is not yet done.
  bool runs(std::string_view doing) const;

 private:
  cudaStream_t stream_ = nullptr;
};

/// A point in a stream's work, with its time.
class Event {
 public:
  Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();

  cudaEvent_t get() const { return event_; }
  void record(const Stream& stream);
  void synchronize(std::string_view doing) const;
  /// From `start` to this one; both must have been passed.
  float ms_since(const Event& start) const;

 private:
  cudaEvent_t event_ = nullptr;
};

/// Starts a kernel of which all blocks run at once, so that they may wait for each other.
template <class... Parameters, class... Arguments>
void launch_cooperative(void (*kernel)(Parameters...), int blocks, int threads,
                        std::size_t shared_bytes, const Stream& stream, Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments));
  std::tuple<std::remove_cv_t<Parameters>...> values(std::forward<Arguments>(arguments)...);
  std::apply(
      [&](auto&... value) {
        void* pointers[] = {static_cast<void*>(&value)..., nullptr};
        check(cudaLaunchCooperativeKernel(kernel, dim3(static_cast<unsigned>(blocks)),
                                          dim3(static_cast<unsigned>(threads)), pointers,
                                          shared_bytes, stream.get()),
              "starting a kernel");
      },
      values);
}

/// How many blocks of this kernel a multiprocessor runs at once.
template <class... Parameters>
int blocks_per_multiprocessor(void (*kernel)(Parameters...), int threads,
                              std::size_t shared_bytes) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, reinterpret_cast<const void*>(kernel), threads, shared_bytes),
        "asking how many blocks fit");
  return blocks;
}

/// The compiler's results for a kernel: registers and the like.
template <class... Parameters>
cudaFuncAttributes attributes(void (*kernel)(Parameters...)) {
  cudaFuncAttributes of_kernel{};
  check(cudaFuncGetAttributes(&of_kernel, reinterpret_cast<const void*>(kernel)),
        "asking about a kernel");
  return of_kernel;
}

/// Lets the kernel have more than 48 KiB of dynamic shared memory.
template <class... Parameters>
void allow_shared_memory(void (*kernel)(Parameters...), std::size_t bytes) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "asking for shared memory");
}

/// Of a multiprocessor's memory so many percent are to be shared, and the rest a cache.
template <class... Parameters>
void prefer_shared_memory(void (*kernel)(Parameters...), int percent) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributePreferredSharedMemoryCarveout, percent),
        "dividing shared memory and cache");
}

}  // namespace weft::cuda
