// A fabric that does not fit in the device's memory: all sizes are named, and the largest mesh.
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string>

#include "cuda/device_memory.hpp"
#include "cuda/pe/host_fabric.hpp"
#include "cuda/runtime.hpp"
#include "device_engine/device_engine_test.hpp"
#include "fabric/build/programs.hpp"
#include "support/broadcast.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"

namespace weft::test::memory_test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

/// A fabric, and the sizes of all that a device has of it.
struct Sized {
  using Shape = pe::Shape<4, 2>;

  Layout layout;
  Machine machine;
  pe_kernel::DeviceFabric<Shape> device{};
  pe_kernel::ProgramSizes programs{};

  std::size_t bytes(std::size_t page) const {
    return pe_kernel::device_bytes(device, programs, page);
  }
  int largest_side(std::size_t bytes) const {
    return pe_kernel::largest_side(device, programs, cuda_on_host::control().multiprocessors,
                                   bytes);
  }
};

Sized mesh(int width, int height, int pe_memory_bytes) {
  Sized sized{Broadcast{height, width, 2, Heading::south}.layout(), {}};
  sized.machine.pe_memory_bytes = pe_memory_bytes;
  const fabric::Programs programs = fabric::programs_of(fabric::build(sized.layout, sized.machine));
  const pe_kernel::Tiles tiles =
      pe_kernel::choose_tiles(cuda_on_host::control().multiprocessors, width, height);
  const pe::Mesh<Sized::Shape> pes(
      sized.layout, pe::rules_of(sized.layout, programs.timing, programs.view(), true, true),
      programs.of, pe_kernel::places_of(tiles), nullptr);
  sized.device.fabric = pe_kernel::HostFabric<Sized::Shape>(pes, tiles).fabric();
  sized.programs = {programs.code.size(), programs.tables.size(), programs.shapes.size()};
  return sized;
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
  static std::unique_ptr<fabric::DeviceStepper> stepper_for(const Sized& sized) {
    return fabric::make_device_stepper(sized.layout, sized.machine, {});
  }
  static void expect_refused(const Sized& sized, std::size_t takes, const std::string& largest) {
    const std::string free = text(cuda_on_host::control().memory_bytes);
    expect_error(
        ErrorCategory::environment, [&] { stepper_for(sized); },
        fmt::format("{} x {} PEs exceed the CUDA device's memory", sized.layout.width(),
                    sized.layout.height()),
        fmt::format("take {} MiB of its memory, and {} of {} are free", text(takes), free, free),
        largest);
  }
};

TEST_F(MemoryOfADevice, EachByteIsCounted) {
  const Sized state = mesh(70, 9, 1024);
  const auto stepper = stepper_for(state);
  EXPECT_EQ(bytes_used(), state.bytes(1));
}

TEST_F(MemoryOfADevice, ItSufficesToTheByte) {
  const Sized state = mesh(40, 9, 1024);
  const auto with_plenty = stepper_for(state);
  const std::size_t bytes = bytes_used();
  cuda_on_host::control().memory_bytes = 2 * bytes;
  EXPECT_NO_THROW(stepper_for(state));
  cuda_on_host::control().memory_bytes = 2 * bytes - 1;
  expect_error(
      ErrorCategory::environment, [&] { stepper_for(state); }, "40 x 9 PEs exceed");
}

TEST_F(MemoryOfADevice, EnoughForTheFabricButNotForTheEnginesOwn) {
  const Sized state = mesh(40, 9, 1024);
  const std::size_t own = sizeof(pe_kernel::LaunchState) + sizeof(engine::Totals);
  const std::size_t bytes = state.bytes(1);
  for (const std::size_t missing : {own, std::size_t{1}}) {
    cuda_on_host::control().memory_bytes = bytes - missing;
    expect_refused(state, bytes, "use the host engine");  // not even a page is there
  }
  EXPECT_EQ(cuda_on_host::counters().allocations, 0);
}

TEST_F(MemoryOfADevice, CountsAreAPartOfIt) {
  const Sized state = mesh(40, 9, 1024);
  const auto stepper = [&](int windows) {
    FabricOptions options;
    options.observe = {true, windows};
    return fabric::make_device_stepper(state.layout, state.machine, options);
  };
  const auto bytes = [&](int windows) {
    const auto made = stepper(windows);
    return bytes_used();
  };
  const pe_kernel::Tiles tiles =
      pe_kernel::choose_tiles(cuda_on_host::control().multiprocessors, 40, 9);
  const auto pes = static_cast<std::size_t>(tiles.count() * tiles.pes());
  const std::size_t with_windows = bytes(128);
  EXPECT_EQ(with_windows - bytes(0), pes * 9 * 128 * sizeof(std::uint32_t));
  cuda_on_host::control().memory_bytes = with_windows;
  EXPECT_NO_THROW(stepper(128));
  cuda_on_host::control().memory_bytes = with_windows - 1;
  expect_error(
      ErrorCategory::environment, [&] { stepper(128); }, "40 x 9 PEs exceed",
      fmt::format("take {} MiB of its memory", text(with_windows)));
}

TEST_F(MemoryOfADevice, TheNamedMeshFits) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Sized large = mesh(320, 320, 48 * 1024);
  for (const std::size_t free : {60, 80, 600, 1500}) {
    if (sanitized() && free > 80) break;
    SCOPED_TRACE(fmt::format("{} MiB", free));
    cuda_on_host::control().memory_bytes = free * kMiB;
    const int side = large.largest_side(free * kMiB);
    expect_refused(large, large.bytes(1),
                   fmt::format("use at most {0} x {0} PEs, or the host engine", side));
    const int step = side < pe_kernel::kPatchWidth ? 1 : pe_kernel::kPatchWidth;
    EXPECT_EQ(side % step, 0);
    const Sized named = mesh(side, side, 48 * 1024);
    const Sized next = mesh(side + step, side + step, 48 * 1024);
    EXPECT_LE(named.bytes(pe_kernel::kPage), free * kMiB);
    EXPECT_GT(next.bytes(pe_kernel::kPage), free * kMiB);
    EXPECT_NO_THROW(stepper_for(named));
  }
  const Sized patch = mesh(pe_kernel::kPatchWidth, pe_kernel::kPatchWidth, 48 * 1024);
  EXPECT_LT(large.largest_side(patch.bytes(pe_kernel::kPage) - 1), pe_kernel::kPatchWidth);
  EXPECT_EQ(large.largest_side(0), 0);
}

TEST_F(MemoryOfADevice, ARefusedAllocationNamesTheSizesToo) {
  const Sized state = mesh(160, 160, 1024);
  const std::size_t exact = state.bytes(1), paged = state.bytes(pe_kernel::kPage);
  cuda_on_host::control().memory_bytes = (exact + paged) / 2;  // as if other pages were too small
  const int side = state.largest_side((exact + paged) / 2);
  ASSERT_GT(side, 0);
  ASSERT_LT(side, 160);
  for (const char* function : {"cudaMalloc", "cudaFuncSetAttribute", "cudaStreamCreateWithFlags"}) {
    cuda_on_host::fail_next(function, cudaErrorMemoryAllocation);
    expect_refused(state, paged,
                   fmt::format("use at most {0} x {0} PEs, or the host engine", side));
  }

  cuda_on_host::control().memory_bytes = 10 * paged;  // free, but in pieces
  cuda_on_host::fail_next("cudaMalloc", cudaErrorMemoryAllocation, 2);
  expect_error(
      ErrorCategory::environment, [&] { stepper_for(state); }, "160 x 160 PEs exceed",
      "are free, but CUDA refused an allocation", "use at most 152 x 152 PEs");
}

}  // namespace
}  // namespace weft::test::memory_test
