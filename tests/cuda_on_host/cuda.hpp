#pragma once

// CUDA on a host without a GPU, for tests: kernels run as they are written, one OS thread per block
// and one fiber per CUDA thread, on memory that starts poisoned. CUDA for kernels is in
// device.hpp, CUDA for the host in runtime.hpp; here are the settings and
// counters for tests. This shows missing barriers, races (with ThreadSanitizer), and threads that
// wait for nobody; it does not show the GPU's weaker order of memory, its speed, nor what nvcc
// makes of the source.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "cuda_on_host/device.hpp"
#include "cuda_on_host/runtime.hpp"

namespace weft::cuda_on_host {

/// In which order the threads of a block run between two barriers. Sequential hides most faults.
enum class Order { sequential, reverse, random };

/// The device, and how it runs kernels.
struct Control {
  Order order = Order::sequential;
  std::uint64_t seed = 1;               ///< of the random order
  double patience_s = 20;               ///< of CPU time that all threads may spin before a report
  std::size_t stack_bytes = 64 * 1024;  ///< of a thread; four times this under sanitizers

  int devices = 1;
  int driver_version = 13000;
  int multiprocessors = 4;
  int blocks_per_multiprocessor = 2;  ///< at most; threads, registers and shared memory limit too
  int registers = 64;                 ///< of a thread, whatever the kernel
  std::size_t memory_bytes = std::size_t{1} << 30;
  std::size_t shared_bytes_per_block = 227 * 1024;
  std::size_t shared_bytes_per_multiprocessor = 228 * 1024;

  bool is_faulty = false;  ///< what comes back from its largest array has a wrong bit
};

/// Counts of events since the last reset().
struct Counters {
  int launches = 0;
  int copies = 0;
  std::size_t copied_bytes = 0;
  int synchronizations = 0;  ///< of streams, events and the device
  int allocations = 0;       ///< of device and pinned memory
};

Control& control();
const Counters& counters();
/// Device and pinned arrays, streams and events that exist at present.
int objects_alive();
/// Back to the defaults above, no failures pending, counters at zero.
void reset();
/// Lets a call of `function` ("cudaMalloc") fail: the next one, or after `calls_before` more.
void fail_next(const std::string& function, cudaError_t error, int calls_before = 0);

/// A kernel did what CUDA does not define, or waits for ever. Thrown by the call that waits for it.
class Misuse : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace weft::cuda_on_host
