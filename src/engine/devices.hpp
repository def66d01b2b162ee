#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weft::engine {

/// How the fabrics of a device would be stepped.
struct DeviceInfo {
  std::string name;
  std::string why_not;       ///< empty, or why the device cannot be used: numbers may be 0 then
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  int clock_khz = 0, memory_clock_khz = 0;  ///< at most; 0 where the device does not tell
  std::size_t memory_bytes = 0;             ///< of the device
  int tile_width = 0, tile_height = 0;      ///< of 512 x 512 PEs; 0 where so many cannot be stepped
  int threads = 0;                          ///< of a tile
  std::size_t near_bytes = 0;               ///< of a tile's state in shared memory
  int registers = 0;                        ///< of a thread
  int largest_side = 0;                     ///< of a square mesh that fits in what is free, in PEs
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
