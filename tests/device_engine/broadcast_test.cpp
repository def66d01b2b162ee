// A stream through a whole mesh in each direction, over the edges of strips and tiles; with and
// without shared memory for what the kernel stages there.
#include "support/broadcast.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cuda/tile_kernel.hpp"
#include "device_engine/device_engine_test.hpp"
#include "support/mesh.hpp"

namespace weft::test {
namespace {

constexpr std::uint64_t kLimit = 100000;
constexpr Heading kHeadings[] = {Heading::east, Heading::west, Heading::south, Heading::north};

fabric::State state_of(const Broadcast& broadcast) {
  Machine machine;
  machine.pe_memory_bytes = 1024;  // all of it is copied and compared
  return fabric::build(broadcast.layout(), machine);
}

void expect_the_same(const Broadcast& broadcast) {
  SCOPED_TRACE(fmt::format("{} x {} PEs, heading {}", broadcast.width(), broadcast.height(),
                           static_cast<int>(broadcast.heading)));
  Twins twins([&] { return state_of(broadcast); });
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
}

class BroadcastOnADevice : public DeviceEngineTest {};

TEST_F(BroadcastOnADevice, CrossesStripsAndTiles) {
  host_cuda::control().order = host_cuda::Order::reverse;
  for (const int multiprocessors : {1, 3}) {
    host_cuda::control().multiprocessors = multiprocessors;
    for (const Heading heading : kHeadings)
      expect_the_same({sanitized() ? 18 : 66, sanitized() ? 5 : 9, 3, heading});
    if (sanitized()) break;
  }
}

TEST_F(BroadcastOnADevice, OfMoreStripsThanATileHasWarps) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  host_cuda::control().multiprocessors = 1;
  for (const Heading heading : kHeadings) expect_the_same({96, 64, 3, heading});
}

/// Kilobytes of shared memory of a block, beside what the kernel itself takes there.
class StagingOnADevice : public DeviceEngineTest, public testing::WithParamInterface<int> {};

TEST_P(StagingOnADevice, DoesNotMatter) {
  auto& device = host_cuda::control();
  device.multiprocessors = 2;
  device.order = host_cuda::Order::reverse;
  device.shared_bytes_per_block =
      std::min(device.shared_bytes_per_block,
               cuda::tile_state_bytes() + static_cast<std::size_t>(GetParam()) * 1024);
  for (const Heading heading : kHeadings)
    expect_the_same({sanitized() ? 5 : 40, sanitized() ? 5 : 9, 3, heading});
}

INSTANTIATE_TEST_SUITE_P(RoomFor, StagingOnADevice, testing::Values(0, 4, 6, 12, 24, 48, 227));

}  // namespace
}  // namespace weft::test
