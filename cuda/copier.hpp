#pragma once

#include <cstddef>
#include <cstring>

#include "cuda/runtime.hpp"

namespace weft::cuda {

/// Copies host arrays to the device and back, through two pinned buffers: while the device copies
/// one, the host fills or empties the other.
class Copier {
 public:
  explicit Copier(const Stream& stream) : stream_(stream) {
    for (Half& half : halves_) half.buffer = PinnedBuffer<std::byte>(kBytes);
  }

  void to_device(void* device, const void* host, std::size_t bytes) {
    in_parts(bytes, [&](std::size_t at, std::size_t part) {
      Half& half = next();
      std::memcpy(half.buffer.data(), static_cast<const std::byte*>(host) + at, part);
      copy(half, static_cast<std::byte*>(device) + at, half.buffer.data(), part,
           cudaMemcpyHostToDevice);
    });
  }

  /// The host array is complete after finish().
  void to_host(void* host, const void* device, std::size_t bytes) {
    in_parts(bytes, [&](std::size_t at, std::size_t part) {
      Half& half = next();
      half.host = static_cast<std::byte*>(host) + at;
      half.bytes = part;
      copy(half, half.buffer.data(), static_cast<const std::byte*>(device) + at, part,
           cudaMemcpyDeviceToHost);
    });
  }

  void finish() {
    for (int i = 0; i < 2; ++i) next();
  }

  /// After a failure: what was to go to the host no longer does; its place may be gone.
  void forget() {
    for (Half& half : halves_) half.host = nullptr;
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{8}
                                        << 20U;  // chosen: far above what a copy costs

  struct Half {
    PinnedBuffer<std::byte> buffer;
    Event done;
    bool busy = false;
    std::byte* host = nullptr;  ///< where what the device copied is to go
    std::size_t bytes = 0;
  };

  template <class F>
  static void in_parts(std::size_t bytes, F f) {
    for (std::size_t at = 0; at < bytes; at += kBytes)
      f(at, bytes - at < kBytes ? bytes - at : kBytes);
  }

  void copy(Half& half, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    check(cudaMemcpyAsync(to, from, bytes, kind, stream_.get()), "copying a fabric");
    half.done.record(stream_);
    half.busy = true;
  }

  /// The half that was given to the device longer ago, free again.
  Half& next() {
    Half& half = halves_[turn_ ^= 1];
    if (half.busy) {
      half.done.synchronize("copying a fabric");
      if (half.host != nullptr) std::memcpy(half.host, half.buffer.data(), half.bytes);
    }
    half.busy = false;
    half.host = nullptr;
    return half;
  }

  const Stream& stream_;
  Half halves_[2];
  int turn_ = 0;
};

}  // namespace weft::cuda
