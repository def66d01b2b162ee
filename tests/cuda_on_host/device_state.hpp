#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "cuda_on_host/cuda.hpp"
#include "cuda_on_host/memory.hpp"

/// Work not yet done, oldest first.
struct CUstream_st {
  bool waits_for_default = true;
  std::deque<std::function<void()>> work;

  // A piece of the work that somebody has asked after, and that is done beside him.
  std::thread beside{};
  std::atomic<bool> beside_done = false;
  std::exception_ptr beside_thrown{};
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
/// The one that the thread uses, by its number. Each has arrays, streams and events of its own.
Device& device();
int device_number();
void use_device(int number);

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
/// Lets the stream's oldest work run beside the caller; false: all is done.
bool run_beside(CUstream_st& stream);
void finish(CUstream_st& stream);
void finish_all();

}  // namespace weft::cuda_on_host
