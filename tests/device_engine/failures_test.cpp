// Devices that are missing, too old, too small, or fail at work: an Error that says so, the fabric
// as it was, and nothing left on the device.
#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>

#include "device_engine/device_engine_test.hpp"
#include "support/broadcast.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"

namespace weft::test::failures_test {
namespace {

constexpr std::uint64_t kLimit = 100000;

Beginning fabric_on(Machine machine) {
  machine.pe_memory_bytes = 1024;
  const auto write = [](fabric::Stepper& fabric) {
    fabric.write({0, 0, 1, 9}, 200, std::vector<std::uint32_t>(9, 7));  // after the program's
  };
  return {
      .layout = Broadcast{9, 1, 2, Heading::south}.layout(), .machine = machine, .write = write};
}

Beginning small_fabric() { return fabric_on({}); }

/// Links rest after a period in which wavelets crossed them in most cycles. No such period comes
/// before the first wavelets.
Beginning crowded_fabric() {
  Machine machine;
  machine.link_busy_cycles = 31;
  machine.crowd_wavelets = 1;
  return fabric_on(machine);
}

class FailuresOfADevice : public DeviceEngineTest {};

/// The message of making an engine. To be called in a process of its own, because a device that was
/// found, or not, is remembered.
[[noreturn]] void say_what_is_wrong() {
  try {
    Twins twins(small_fabric());
    std::cerr << "an engine";
  } catch (const Error& error) {
    std::cerr << (error.category() == ErrorCategory::environment ? "" : "another category: ")
              << error.what();
  }
  std::exit(0);
}

TEST_F(FailuresOfADevice, NoDevice) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        cuda_on_host::control().devices = 0;
        say_what_is_wrong();
      },
      testing::ExitedWithCode(0), "^the cuda engine cannot run .no CUDA device.; use the host");
}

TEST_F(FailuresOfADevice, ADriverTooOld) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        cuda_on_host::control().driver_version = 11040;
        cuda_on_host::fail_next("cudaGetDeviceCount", cudaErrorInsufficientDriver);
        say_what_is_wrong();
      },
      testing::ExitedWithCode(0),
      "^the cuda engine cannot run .driver too old: it is for CUDA 11.4");
}

/// Under sanitizers, of the calls after the first five only one of four fails.
int next_call(int call) {
  if (call < 4) return call + 1;
  return call + (call == 4 ? 1 + first_of(4) : one_of(4));
}

/// Lets each call of a function fail once, first the first, until a whole run comes through.
/// Returns how many there were to fail.
int fail_each(const std::string& function, cudaError_t error,
              Beginning (*fabric)() = small_fabric) {
  for (int calls = 0;; calls = next_call(calls)) {
    SCOPED_TRACE(fmt::format("call {} of {}", calls, function));
    cuda_on_host::reset();
    cuda_on_host::fail_next(function, error, calls);
    bool failed = false;
    try {
      Twins twins(fabric());
      try {
        twins.run_device(kLimit, 1);
        static_cast<void>(twins.memory(*twins.on_device));
        static_cast<void>(twins.on_device->totals());
        static_cast<void>(twins.on_device->anything_left());
      } catch (const Error& e) {
        failed = true;
        EXPECT_EQ(e.category(), ErrorCategory::environment) << e.what();
        if (twins.device_is_lost()) continue;  // it failed as the fabric was copied back
        EXPECT_EQ(twins.difference(*twins.on_host, *twins.on_device), "") << e.what();
        EXPECT_EQ(twins.run(kLimit, 2).stop, engine::Stop::quiet);  // the failure was passing
      }
    } catch (const Error& e) {
      failed = true;
      EXPECT_EQ(e.category(), ErrorCategory::environment) << e.what();
    }
    EXPECT_EQ(cuda_on_host::objects_alive(), 0);
    if (!failed || testing::Test::HasFailure()) return calls;
  }
}

class FailuresAtEachCall : public FailuresOfADevice {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "too many runs";  // AddressSanitizer looks at them
#endif
    FailuresOfADevice::SetUp();
  }
};

TEST_F(FailuresAtEachCall, AllocationsThatAreRefused) {
  EXPECT_GT(fail_each("cudaMalloc", cudaErrorMemoryAllocation), 10);
  EXPECT_GT(fail_each("cudaMallocHost", cudaErrorMemoryAllocation), 1);
  EXPECT_GT(fail_each("cudaEventCreate", cudaErrorMemoryAllocation), 1);
  EXPECT_EQ(fail_each("cudaStreamCreateWithFlags", cudaErrorMemoryAllocation), 1);
}

TEST_F(FailuresAtEachCall, LaunchesThatFail) {
  EXPECT_GT(fail_each("cudaLaunchCooperativeKernel", cudaErrorLaunchFailure), 1);
  EXPECT_GT(fail_each("cudaLaunchCooperativeKernel", cudaErrorLaunchFailure, crowded_fabric), 1);
}

TEST_F(FailuresAtEachCall, CopiesThatFail) {
  EXPECT_GT(fail_each("cudaMemsetAsync", cudaErrorUnknown), 1);
  EXPECT_GT(fail_each("cudaMemcpyAsync", cudaErrorUnknown), 20);
  // PE memory, there and back; and of each PE the tasks that are left.
  EXPECT_EQ(fail_each("cudaMemcpy2DAsync", cudaErrorUnknown), 3);
  EXPECT_GT(fail_each("cudaEventRecord", cudaErrorUnknown), 20);
  EXPECT_GT(fail_each("cudaStreamSynchronize", cudaErrorIllegalAddress), 0);
  EXPECT_GT(fail_each("cudaEventSynchronize", cudaErrorECCUncorrectable), 20);
}

TEST_F(FailuresAtEachCall, QuestionsThatFail) {
  for (const char* question :
       {"cudaGetDevice", "cudaMemGetInfo", "cudaDeviceGetAttribute", "cudaFuncSetAttribute",
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor"})
    EXPECT_GT(fail_each(question, cudaErrorUnknown), 0) << question;
}

TEST_F(FailuresOfADevice, ADeviceThatIsLostStaysLost) {
  Twins twins(small_fabric());
  for (int i = 0; i < 1000; ++i)
    for (const char* function : {"cudaMemcpyAsync", "cudaEventSynchronize", "cudaEventRecord",
                                 "cudaLaunchCooperativeKernel", "cudaStreamSynchronize"})
      cuda_on_host::fail_next(function, cudaErrorIllegalAddress);
  for (int i = 0; i < 2; ++i) {
    expect_error(
        ErrorCategory::environment, [&] { twins.run_device(kLimit, 1); }, "illegal memory access",
        "nvidia-smi");
    EXPECT_EQ(twins.difference(*twins.on_host, *twins.on_device), "");
  }
}

TEST_F(FailuresOfADevice, AFabricThatWasNotCopiedBackSaysSo) {
  FabricOptions options;
  options.engine = Engine::cuda;
  Fabric fabric(Broadcast{9, 1, 2, Heading::south}.layout(), Machine{}, options);
  fabric.run_until_idle(kLimit);
  std::uint32_t word[1], words[9];
  // PE memory: nothing was written into it, so it is only copied back.
  cuda_on_host::fail_next("cudaMemcpy2DAsync", cudaErrorUnknown);
  expect_error(ErrorCategory::environment, [&] { fabric.read({0, 0, 1, 9}, 0, words); });
  const auto refuses = [](const std::function<void()>& use) {
    expect_error(ErrorCategory::usage, use, "the fabric is lost",
                 "the CUDA device failed before its last run was copied back", "build it anew");
  };
  refuses([&] { fabric.run(1); });
  refuses([&] { fabric.read({0, 0, 1, 1}, 0, word); });
  refuses([&] { (void)fabric.counters(); });
}

Fabric fabric_on_device() {
  FabricOptions options;
  options.engine = Engine::cuda;
  return Fabric(Broadcast{9, 1, 2, Heading::south}.layout(), Machine{}, options);
}

// The next copy of PE memory fails: none is made before somebody reads.
TEST_F(FailuresOfADevice, BetweenRunsTheDeviceKeepsTheFabric) {
  const std::uint32_t written[] = {77};
  std::uint32_t word[1] = {};
  Fabric fabric = fabric_on_device(), read_each_time = fabric_on_device();
  for (Fabric* one : {&fabric, &read_each_time}) {
    one->write({0, 0, 1, 1}, 4096, written);
    EXPECT_EQ(one->run(3), RunEnd::limit);
  }
  for (int n = 0; n < 5; ++n) {
    EXPECT_EQ(read_each_time.run(2), RunEnd::limit);
    read_each_time.read({0, 0, 1, 1}, 4096, word);
    EXPECT_EQ(word[0], 77U);
  }
  cuda_on_host::fail_next("cudaMemcpy2DAsync", cudaErrorUnknown);
  for (int n = 0; n < 5; ++n) EXPECT_EQ(fabric.run(2), RunEnd::limit);
  EXPECT_EQ(fabric.counters().cycle, 13U);
  EXPECT_EQ(fabric.counters().hops, read_each_time.counters().hops);  // the device adds them up
  std::uint32_t words[9];
  expect_error(ErrorCategory::environment, [&] { fabric.read({0, 0, 1, 9}, 4096, words); });
  expect_error(
      ErrorCategory::usage, [&] { fabric.run(1); }, "the fabric is lost");
}

TEST_F(FailuresOfADevice, WhatTheHostWritesBetweenRunsIsCopied) {
  const std::uint32_t written[] = {77};
  std::uint32_t word[1] = {};
  Fabric fabric = fabric_on_device();
  Fabric on_host(Broadcast{9, 1, 2, Heading::south}.layout(), Machine{});
  for (Fabric* one : {&fabric, &on_host}) {
    one->run(5);
    one->write({0, 8, 1, 1}, 4096, written);
    one->run(5);
    one->run_until_idle(kLimit);
    one->read({0, 8, 1, 1}, 4096, word);
    EXPECT_EQ(word[0], 77U);
  }
  EXPECT_EQ(fabric.counters().hops, on_host.counters().hops);
  EXPECT_EQ(fabric.cycle(), on_host.cycle());
}

TEST_F(FailuresOfADevice, BlocksThatCannotRunAtOnce) {
  Twins twins({.layout = Broadcast{9, 60, 2, Heading::south}.layout()});
  cuda_on_host::control().shared_bytes_per_multiprocessor = 1024;  // as if others had the rest
  for (int i = 0; i < 2; ++i) {
    expect_error(
        ErrorCategory::environment, [&] { twins.run_device(kLimit, 1); }, "starting a kernel",
        "cudaErrorCooperativeLaunchTooLarge", "host engine");
    EXPECT_EQ(twins.difference(*twins.on_host, *twins.on_device), "");
  }
  cuda_on_host::control().shared_bytes_per_multiprocessor = 228 * 1024;
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
}

TEST_F(FailuresOfADevice, ABlockThatDoesNotFit) {
  cuda_on_host::control().shared_bytes_per_multiprocessor = 1024;
  expect_error(
      ErrorCategory::environment, [] { Twins twins(small_fabric()); },
      "too few registers or too little", "host engine");
}

}  // namespace
}  // namespace weft::test::failures_test
