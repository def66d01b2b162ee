// A stream through a whole mesh in each direction, over the edges of strips and tiles; with and
// without shared memory for what the kernel stages there.
#include <fmt/format.h>

#include "cuda/tile_kernel.hpp"
#include "cuda/tiling.hpp"
#include "device_engine/device_engine_test.hpp"
#include "support/broadcast.hpp"
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
    for (const Heading heading : kHeadings) expect_the_same({sanitized() ? 9 : 34, 5, 3, heading});
  }
}

TEST_F(BroadcastOnADevice, OfMoreStripsThanATileHasWarps) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  host_cuda::control().multiprocessors = 1;
  for (const Heading heading : kHeadings) expect_the_same({48, 64, 3, heading});
}

/// Shared memory of a block: for the kernel's own; for queues too; for all.
class StagingOnADevice : public DeviceEngineTest, public testing::WithParamInterface<int> {};

constexpr std::size_t kRoomForQueues = 24 * 1024;
static_assert(kRoomForQueues < sizeof(model::CoreState));

TEST_P(StagingOnADevice, DoesNotMatter) {
  auto& device = host_cuda::control();
  device.multiprocessors = 2;
  device.order = host_cuda::Order::reverse;
  if (GetParam() < 2)
    device.shared_bytes_per_block = cuda::tile_state_bytes() + kRoomForQueues * GetParam();
  for (const Heading heading : kHeadings) expect_the_same({sanitized() ? 4 : 33, 4, 3, heading});
}

INSTANTIATE_TEST_SUITE_P(OfNothingQueuesAndAll, StagingOnADevice, testing::Range(0, 3));

}  // namespace
}  // namespace weft::test
