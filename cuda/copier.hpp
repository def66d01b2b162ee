#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "cuda/runtime.hpp"

namespace weft::cuda {

/// Bytes of an array in rows, which begin `pitch` bytes apart.
struct ByteRows {
  std::size_t count, bytes, pitch;
};

/// Copies host arrays to the device and back, through two pinned buffers: while the device copies
/// one, the host fills or empties the other. In a buffer rows follow each other without gaps.
class Copier {
 public:
  explicit Copier(const Stream& stream) : stream_(stream) {
    for (Half& half : halves_) half.buffer = PinnedBuffer<std::byte>(kBytes);
  }

  void to_device(void* device, const void* host, ByteRows rows) {
    in_parts(rows, [&](std::size_t at, ByteRows part) {
      Half& half = next();
      copy_rows(half.buffer.data(), part.bytes, static_cast<const std::byte*>(host) + at,
                part.pitch, part);
      copy(half, static_cast<std::byte*>(device) + at, part.pitch, half.buffer.data(), part.bytes,
           part, cudaMemcpyHostToDevice);
    });
  }
  void to_device(void* device, const void* host, std::size_t bytes) {
    to_device(device, host, {1, bytes, bytes});
  }

  /// The host array is complete after finish().
  void to_host(void* host, const void* device, ByteRows rows) {
    in_parts(rows, [&](std::size_t at, ByteRows part) {
      Half& half = next();
      half.host = static_cast<std::byte*>(host) + at;
      half.rows = part;
      copy(half, half.buffer.data(), part.bytes, static_cast<const std::byte*>(device) + at,
           part.pitch, part, cudaMemcpyDeviceToHost);
    });
  }
  void to_host(void* host, const void* device, std::size_t bytes) {
    to_host(host, device, {1, bytes, bytes});
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
    ByteRows rows{};
  };

  /// f(first byte, rows) for parts that a buffer holds: of many rows, or of one.
  template <class F>
  static void in_parts(ByteRows all, F f) {
    if (all.bytes == 0) return;
    const std::size_t width = std::min(all.bytes, kBytes), height = kBytes / width;
    for (std::size_t row = 0; row < all.count; row += height)
      for (std::size_t at = 0; at < all.bytes; at += width)
        f(row * all.pitch + at,
          ByteRows{std::min(height, all.count - row), std::min(width, all.bytes - at), all.pitch});
  }

  static void copy_rows(std::byte* to, std::size_t to_pitch, const std::byte* from,
                        std::size_t from_pitch, ByteRows rows) {
    for (std::size_t i = 0; i < rows.count; ++i)
      std::memcpy(to + i * to_pitch, from + i * from_pitch, rows.bytes);
  }

  void copy(Half& half, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
            ByteRows rows, cudaMemcpyKind kind) {
    // A single row may be longer than CUDA lets a pitch be.
    const cudaError_t status = rows.count == 1
                                   ? cudaMemcpyAsync(to, from, rows.bytes, kind, stream_.get())
                                   : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, rows.bytes,
                                                       rows.count, kind, stream_.get());
    check(status, "copying a fabric");
    half.done.record(stream_);
    half.busy = true;
  }

  /// The half that was given to the device longer ago, free again.
  Half& next() {
    Half& half = halves_[turn_ ^= 1];
    if (half.busy) {
      half.done.synchronize("copying a fabric");
      if (half.host != nullptr)
        copy_rows(half.host, half.rows.pitch, half.buffer.data(), half.rows.bytes, half.rows);
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
