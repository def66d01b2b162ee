// CUDA's runtime as imitated, and cuda/runtime.hpp on top of it.
#include <cstdint>
#include <string>
#include <vector>

#include "cuda_on_host/device_test.hpp"
#include "support/expect_error.hpp"

namespace weft::test::runtime_test {
namespace {

class Runtime : public DeviceTest {
 protected:
  int fitting(std::size_t shared_bytes = 0) {
    return cuda::blocks_per_multiprocessor(turn_round, kThreads, shared_bytes) *
           cuda_on_host::control().multiprocessors;
  }
};

TEST_F(Runtime, RefusesMoreBlocksThanFit) {
  const cuda::DeviceBuffer<std::uint32_t> out(1000);
  EXPECT_NO_THROW(run(turn_round, fitting(), out.data()));
  expect_error(
      ErrorCategory::environment, [&] { run(turn_round, fitting() + 1, out.data()); },
      "starting a kernel", "cudaErrorCooperativeLaunchTooLarge", "too many blocks");
  EXPECT_EQ(cuda_on_host::counters().launches, 1);
}

TEST_F(Runtime, SharedMemoryLimitsBlocksAndMustBeAskedFor) {
  EXPECT_EQ(fitting(), 2 * fitting(120 * 1024));
  EXPECT_EQ(fitting(228 * 1024), 0);
  const cuda::DeviceBuffer<std::uint32_t> out(kThreads);
  const auto launch = [&] {
    cuda::launch_cooperative(turn_round, 1, kThreads, 100 * 1024, stream_, out.data());
    stream_.synchronize("turning");
  };
  expect_error(ErrorCategory::environment, launch, "cudaErrorInvalidValue");
  cuda::allow_shared_memory(turn_round, 100 * 1024);
  EXPECT_NO_THROW(launch());
  expect_error(
      ErrorCategory::environment, [] { cuda::allow_shared_memory(turn_round, 228 * 1024); },
      "asking for shared memory", "invalid argument");
}

TEST_F(Runtime, FailuresAreErrorsWithCudasText) {
  cuda_on_host::fail_next("cudaStreamSynchronize", cudaErrorIllegalAddress, 1);
  EXPECT_NO_THROW(stream_.synchronize("stepping"));
  expect_error(
      ErrorCategory::environment, [&] { stream_.synchronize("stepping"); }, "failed while stepping",
      "cudaErrorIllegalAddress: an illegal memory access");
  EXPECT_NO_THROW(stream_.synchronize("stepping"));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Runtime, MemoryThatIsNotThere) {
  cuda_on_host::control().memory_bytes = 1000;
  const cuda::DeviceBuffer<std::uint64_t> some(50);
  expect_error(
      ErrorCategory::environment, [] { cuda::DeviceBuffer<std::uint64_t> more(100); },
      "cannot allocate 800 bytes of device memory", "out of memory", "600 of 1000 bytes are free",
      "smaller mesh");
  cuda_on_host::fail_next("cudaMallocHost", cudaErrorMemoryAllocation);
  expect_error(
      ErrorCategory::environment, [] { cuda::PinnedBuffer<char> more(100); },
      "cannot allocate 100 bytes of pinned host memory", "out of memory");
}

TEST_F(Runtime, NoDevice) {
  cuda_on_host::control().devices = 0;
  int count = 1;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  EXPECT_EQ(count, 0);
  expect_error(
      ErrorCategory::environment, [] { cuda::Stream stream; }, "no CUDA-capable device");
}

TEST_F(Runtime, ReleasesWhatItAcquired) {
  const int before = cuda_on_host::objects_alive();
  {
    cuda::DeviceBuffer<int> a(10), b(std::move(a));
    a = cuda::DeviceBuffer<int>(20);
    cuda::PinnedBuffer<int> c(30);
    cuda::Stream stream;
    cuda::Event event;
    EXPECT_EQ(cuda_on_host::objects_alive(), before + 5);
    EXPECT_EQ(a.size(), 20u);
    EXPECT_EQ(b.bytes(), 10 * sizeof(int));
    EXPECT_EQ(c.span().size(), 30u);
  }
  EXPECT_EQ(cuda_on_host::objects_alive(), before);
}

TEST_F(Runtime, WorkIsDoneWhenItIsWaitedFor) {
  cuda::PinnedBuffer<std::uint32_t> host(kThreads);
  const cuda::DeviceBuffer<std::uint32_t> out(kThreads);
  cuda::Event start, end;
  start.record(stream_);
  cuda::launch_cooperative(turn_round, 1, kThreads, kThreads * 4, stream_, out.data());
  cuda::check(
      cudaMemcpyAsync(host.data(), out.data(), out.bytes(), cudaMemcpyDeviceToHost, stream_.get()),
      "copying");
  end.record(stream_);
  EXPECT_EQ(host.span()[0], 0xa7a7a7a7U);
  EXPECT_EQ(cudaEventQuery(end.get()), cudaErrorNotReady);
  end.synchronize("turning");
  EXPECT_EQ(host.span()[0], kThreads - 1u);
  EXPECT_GT(end.ms_since(start), 0);
}

TEST_F(Runtime, CopiesMustStayInTheirArrays) {
  const cuda::DeviceBuffer<std::uint32_t> array(10);
  std::vector<std::uint32_t> host(20, 7);
  const auto copy = [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream_.get());
  };
  EXPECT_EQ(copy(array.data(), host.data(), 40, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(copy(array.data(), host.data(), 44, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copy(array.data() + 5, host.data(), 24, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copy(array.data(), host.data(), 40, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);

  const cuda::DeviceBuffer<std::uint32_t> square(100);
  cuda::check(cudaMemsetAsync(square.data(), 0, square.bytes(), stream_.get()), "clearing");
  cuda::check(cudaMemcpy2DAsync(square.data(), 40, host.data(), 8, 8, 10, cudaMemcpyHostToDevice,
                                stream_.get()),
              "copying a square");
  const std::vector<std::uint32_t> result = values_of(square);
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], i % 10 < 2 ? 7u : 0u) << i;
}

TEST_F(Runtime, SaysWhatTheDeviceIs) {
  cudaDeviceProp properties{};
  cuda::check(cudaGetDeviceProperties(&properties, 0), "asking");
  EXPECT_EQ(properties.multiProcessorCount, cuda_on_host::control().multiprocessors);
  int value = 0;
  cuda::check(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), "asking");
  EXPECT_EQ(value, properties.multiProcessorCount);
  cudaFuncAttributes attributes{};
  cuda::check(cudaFuncGetAttributes(&attributes, turn_round), "asking");
  EXPECT_GT(attributes.numRegs, 0);
}

}  // namespace
}  // namespace weft::test::runtime_test
