// A fabric that does not fit in the device's memory: all sizes are named, and the largest mesh.
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string>

#include "cuda/device_memory.hpp"
#include "cuda/runtime.hpp"
#include "device_engine/device_engine_test.hpp"
#include "support/broadcast.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"

namespace weft::test::memory_test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

fabric::State mesh(int width, int height, int pe_memory_bytes) {
  Machine machine;
  machine.pe_memory_bytes = pe_memory_bytes;
  return fabric::build(Broadcast{height, width, 2, Heading::south}.layout(), machine);
}

std::size_t bytes_of(fabric::State& state, std::size_t page) {
  return cuda::device_bytes(state.view(), state.sizes(), page);
}

std::size_t bytes_used() {
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total), "asking");
  return total - free;
}

std::string text(std::size_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / static_cast<double>(kMiB));
}

class MemoryOfADevice : public DeviceEngineTest {
 protected:
  static engine::DeviceEngine engine_for(fabric::State& state) {
    return {state.view(), state.sizes()};
  }
  static void expect_refused(fabric::State& state, std::size_t takes, const std::string& largest) {
    const std::string free = text(cuda_on_host::control().memory_bytes);
    expect_error(
        ErrorCategory::environment, [&] { engine_for(state); },
        fmt::format("{} x {} PEs exceed the CUDA device's memory", state.width, state.height),
        fmt::format("take {} MiB of its memory, and {} of {} are free", text(takes), free, free),
        largest);
  }
};

TEST_F(MemoryOfADevice, EachByteIsReckoned) {
  fabric::State state = mesh(70, 9, 1024);
  const engine::DeviceEngine device = engine_for(state);
  EXPECT_EQ(bytes_used(), bytes_of(state, 1));
}

TEST_F(MemoryOfADevice, ItSufficesToTheByte) {
  Twins twins([] { return mesh(40, 9, 1024); });  // with plenty
  const std::size_t bytes = bytes_used();
  fabric::State state = mesh(40, 9, 1024);
  cuda_on_host::control().memory_bytes = 2 * bytes;
  EXPECT_NO_THROW(engine_for(state));
  cuda_on_host::control().memory_bytes = 2 * bytes - 1;
  expect_error(
      ErrorCategory::environment, [&] { engine_for(state); }, "40 x 9 PEs exceed");
}

TEST_F(MemoryOfADevice, EnoughForTheFabricButNotForTheEnginesOwn) {
  fabric::State state = mesh(40, 9, 1024);
  const std::size_t own = 4 * sizeof(cuda::RowStart) + 3 * sizeof(cuda::TileProgress) +
                          sizeof(cuda::LaunchState) + sizeof(cuda::Summary);
  const std::size_t bytes = bytes_of(state, 1);
  for (const std::size_t missing : {own, std::size_t{1}}) {
    cuda_on_host::control().memory_bytes = bytes - missing;
    expect_refused(state, bytes, "use the host engine");  // not even a page is there
  }
  EXPECT_EQ(cuda_on_host::counters().allocations, 0);
}

TEST_F(MemoryOfADevice, TheNamedMeshFits) {
  fabric::State large = mesh(320, 320, 48 * 1024);
  for (const std::size_t free : {40, 60, 600, 1500}) {
    SCOPED_TRACE(fmt::format("{} MiB", free));
    cuda_on_host::control().memory_bytes = free * kMiB;
    const int side = cuda::largest_side(large.view(), large.sizes(), free * kMiB);
    expect_refused(large, bytes_of(large, 1),
                   fmt::format("use at most {0} x {0} PEs, or the host engine", side));
    const int step = side < model::kStripWidth ? 1 : model::kStripWidth;
    EXPECT_EQ(side % step, 0);
    fabric::State named = mesh(side, side, 48 * 1024);
    fabric::State next = mesh(side + step, side + step, 48 * 1024);
    EXPECT_LE(bytes_of(named, cuda::kPage), free * kMiB);
    EXPECT_GT(bytes_of(next, cuda::kPage), free * kMiB);
    if (sanitized() && free > 60) continue;
    EXPECT_NO_THROW(engine_for(named));
  }
  EXPECT_LT(cuda::largest_side(large.view(), large.sizes(), 40 * kMiB), model::kStripWidth);
  EXPECT_EQ(cuda::largest_side(large.view(), large.sizes(), 0), 0);
}

TEST_F(MemoryOfADevice, ARefusedAllocationNamesTheSizesToo) {
  fabric::State state = mesh(96, 96, 1024);
  const std::size_t exact = bytes_of(state, 1), paged = bytes_of(state, cuda::kPage);
  cuda_on_host::control().memory_bytes = (exact + paged) / 2;  // as if other pages were too small
  const int side = cuda::largest_side(state.view(), state.sizes(), (exact + paged) / 2);
  ASSERT_GT(side, 0);
  ASSERT_LT(side, 96);
  for (const char* function : {"cudaMalloc", "cudaFuncSetAttribute", "cudaStreamCreateWithFlags"}) {
    cuda_on_host::fail_next(function, cudaErrorMemoryAllocation);
    expect_refused(state, paged,
                   fmt::format("use at most {0} x {0} PEs, or the host engine", side));
  }

  cuda_on_host::control().memory_bytes = 10 * paged;  // free, but in pieces
  cuda_on_host::fail_next("cudaMalloc", cudaErrorMemoryAllocation, 2);
  expect_error(
      ErrorCategory::environment, [&] { engine_for(state); }, "96 x 96 PEs exceed",
      "are free, but CUDA refused an allocation", "use at most 80 x 80 PEs");
}

}  // namespace
}  // namespace weft::test::memory_test
