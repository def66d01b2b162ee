#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/totals.hpp"
#include "model/state/arrays.hpp"

namespace weft::engine {

/// A fabric's copy on a GPU. It steps the same state as the host engine, bit for bit.
class DeviceEngine {
 public:
  /// Takes device memory for a fabric, and copies what no run changes. Throws Error(environment)
  /// where there is no device, or too little memory; it names the sizes.
  DeviceEngine(const model::View& host, const model::Sizes& sizes);
  ~DeviceEngine();

  /// Steps the fabric on the device as run_on_host does. It is copied there, unless the device has
  /// it from the last run. A run that ends at its limit leaves it there, and others copy it back:
  /// what `host` points to, and sizes.touched_words. RunOptions::threads counts nothing. When an
  /// Error(environment) ends it, the fabric is as it was before, unless host_whole() tells
  /// otherwise.
  RunResult run(const model::View& host, model::Sizes& sizes, std::uint64_t cycle,
                const RunOptions& options);

  /// False: only the device has the fabric as the last run left it. May be asked by any thread.
  bool host_current() const;
  /// Copies the fabric back, if only the device has it. Throws Error(environment).
  void bring_back(const model::View& host, model::Sizes& sizes);
  /// The host writes to the fabric, which it has: the next run copies it to the device.
  void host_changed();

  /// False: the device failed while only it had the fabric, or while that was copied back; what the
  /// host has is not the fabric of any one cycle, or of an earlier one. May be asked by any thread.
  bool host_whole() const;

  /// Of all strips, as the last run left them: the device adds them up. Zeros before the first run.
  /// Throws Error(environment).
  Totals totals() const;

  /// Time that the device has spent on steps in all runs so far, without copies.
  double step_seconds() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// How the fabrics of a device would be stepped.
struct DeviceInfo {
  std::string name;
  std::string why_not;       ///< empty, or why the device cannot be used: numbers may be 0 then
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  int clock_khz = 0, memory_clock_khz = 0;  ///< at most; 0 where the device does not tell
  std::size_t memory_bytes = 0;             ///< of the device
  int tile_rows = 0, tile_warps = 0;        ///< of a tile of 512 x 512 PEs; rows are of PEs
  int blocks_per_multiprocessor = 0;
  std::size_t shared_bytes = 0;  ///< of a block
  int registers = 0;             ///< of a thread
  int largest_side = 0;          ///< of a square mesh that fits in what is free, in PEs
};

/// Empty where there is none.
std::vector<DeviceInfo> devices();

/// Versions of CUDA, such as "13.0"; empty where there is none.
struct CudaVersions {
  std::string runtime;  ///< that Weft was built with
  std::string driver;   ///< the latest that the driver is for
};
CudaVersions cuda_versions();

/// Empty if the device engine can run here; otherwise why not, in a few words.
std::string why_no_device_engine();

}  // namespace weft::engine
