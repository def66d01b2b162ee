#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "cuda_on_host/cuda.hpp"
#include "cuda_on_host/memory.hpp"

/// Work not yet done, oldest first.
struct CUstream_st {
  bool waits_for_default = true;
  std::deque<std::function<void()>> work;
};

struct CUevent_st {
  CUstream_st* stream = nullptr;  ///< where it was recorded last, until it is passed
  bool is_timed = true;
  std::chrono::steady_clock::time_point passed;
};

namespace weft::cuda_on_host {

struct Array {
  Memory memory;
  std::size_t bytes = 0;
  bool is_pinned = false;
};

struct Failure {
  cudaError_t error = cudaSuccess;
  int calls_before = 0;
};

struct Device {
  Control control;
  Counters counters;
  cudaError_t last_error = cudaSuccess;
  std::map<std::string, std::deque<Failure>, std::less<>> failures;
  std::map<const std::byte*, Array, std::greater<>> arrays;  ///< by address, highest first
  std::map<const void*, std::size_t> shared_allowed;         ///< by kernel
  CUstream_st default_stream;
  std::set<CUstream_st*> streams;
  std::set<CUevent_st*> events;

  std::size_t bytes_free() const;
  /// The array that these bytes lie in, or null.
  const Array* find(const void* data, std::size_t bytes) const;
};
Device& device();

struct ErrorText {
  const char* name;
  const char* text;
};
ErrorText text_of(cudaError_t error);

/// At the beginning of each function: what it is to fail with, if it is.
cudaError_t enter(const char* function);
/// Notes an error for cudaGetLastError, and returns it.
cudaError_t failed(cudaError_t error);

/// Appends to a stream's work (null: the default stream, which waits for the others).
void give(cudaStream_t stream, std::function<void()> work);
/// Does the stream's oldest work; false: there was none.
bool do_one(CUstream_st& stream);
void finish(CUstream_st& stream);
void finish_all();

}  // namespace weft::cuda_on_host
