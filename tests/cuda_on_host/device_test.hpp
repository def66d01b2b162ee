#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "cuda_on_host/kernels.hpp"

namespace weft::test {

/// A fresh device, and arrays copied there and back.
class DeviceTest : public testing::Test {
 protected:
  DeviceTest() { cuda_on_host::reset(); }
  ~DeviceTest() override { cuda_on_host::reset(); }

  template <class T>
  cuda::DeviceBuffer<T> array_of(const std::vector<T>& values) {
    cuda::DeviceBuffer<T> array(values.size());
    cuda::check(cudaMemcpyAsync(array.data(), values.data(), array.bytes(), cudaMemcpyHostToDevice,
                                stream_.get()),
                "copying to the device");
    return array;
  }

  template <class T>
  std::vector<T> values_of(const cuda::DeviceBuffer<T>& array) {
    std::vector<T> values(array.size());
    cuda::check(cudaMemcpyAsync(values.data(), array.data(), array.bytes(), cudaMemcpyDeviceToHost,
                                stream_.get()),
                "copying from the device");
    stream_.synchronize("copying from the device");
    return values;
  }

  template <class... Parameters, class... Arguments>
  void run(void (*kernel)(Parameters...), int blocks, Arguments... arguments) {
    cuda::launch_cooperative(kernel, blocks, kThreads, kThreads * sizeof(std::uint32_t), stream_,
                             arguments...);
    stream_.synchronize("running a kernel");
  }

  cuda::Stream stream_;
};

}  // namespace weft::test
