#pragma once

#include <cstddef>
#include <cstdint>

/// An imitation of a CUDA device: the functions of the CUDA runtime and of cuFFT that Weft calls,
/// on host memory and with FFTW. Linked in place of the real ones.
namespace weft::test {

/// Its properties and failures; the values are CUDA's own.
struct FakeDevice {
  int count_status = 0;  ///< of cudaGetDeviceCount
  int devices = 1;
  int driver_version = 13000;
  std::size_t memory_bytes = SIZE_MAX;
  int plan_status = 0;     ///< of cufftXtMakePlanMany
  int execute_status = 0;  ///< of cufftXtExec
  int arrays = 0;          ///< allocated at present
  int plans = 0;           ///< made at present
};

FakeDevice& fake_device();

}  // namespace weft::test
