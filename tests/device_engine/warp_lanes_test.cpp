// The rules of model/lanes/policy.hpp, for a GPU's lanes: what a function given to a primitive
// writes, all lanes read after it; and what they read before, it does not write too early.
#include "cuda/warp_lanes.cuh"

#include <vector>

#include "cuda/runtime.hpp"
#include "device_engine/device_engine_test.hpp"
#include "model/lanes/policy.hpp"

namespace weft::test::warp_lanes_test {
namespace {

using cuda::WarpLanes;
using cuda_on_host::Order;

static_assert(model::LanePolicy<WarpLanes>);

constexpr int kRounds = 3;

/// Shared by the lanes, with the sums of the values that each has read.
struct Board {
  std::uint32_t count, sums[model::kLanes], words[model::kLanes];
};

// Each counts all of the warp's lanes, or one for it.
struct Once {
  static constexpr std::uint32_t kCounts = 1;
  static void count(Board& b) {
    WarpLanes::once([&] { ++b.count; });
  }
};
struct OnceWithResult {
  static constexpr std::uint32_t kCounts = 1;
  static void count(Board& b) {
    static_cast<void>(WarpLanes::once([&] { return ++b.count; }));
  }
};
struct ForEach {
  static constexpr std::uint32_t kCounts = model::kLanes;
  static void count(Board& b) {
    WarpLanes::for_each(model::kAllLanes, [&](int) { ++b.count; });
  }
};
struct Sift {
  static constexpr std::uint32_t kCounts = model::kLanes;
  static void count(Board& b) {
    static_cast<void>(WarpLanes::sift(model::kAllLanes, [&](int) { return ++b.count % 2 == 0; }));
  }
};
struct FlagsInTurn {
  static constexpr std::uint32_t kCounts = model::kLanes;
  static void count(Board& b) {
    static_cast<void>(WarpLanes::flags_in_turn<1>(model::kAllLanes, model::kAllLanes,
                                                  [&](int) { return ++b.count; }));
  }
};
struct Meet {
  static constexpr std::uint32_t kCounts = 1;
  static void count(Board& b) {
    WarpLanes::meet();
    WarpLanes::at_once(model::kAllLanes, [&](int lane) { b.words[lane] += 1; });
    WarpLanes::meet();
    const std::uint32_t beside = b.words[(cuda::thread() + 33) % model::kLanes];
    WarpLanes::once([&] { b.count = beside; });
  }
};

template <class Primitive>
void count_and_read(Board* board) {
  for (int round = 0; round < kRounds; ++round) {
    Primitive::count(*board);
    WarpLanes::at_once(model::kAllLanes, [&](int lane) { board->sums[lane] += board->count; });
  }
}

template <class Primitive>
class WarpLanesTest : public DeviceEngineTest {};
using Primitives = testing::Types<Once, OnceWithResult, ForEach, Sift, FlagsInTurn, Meet>;
TYPED_TEST_SUITE(WarpLanesTest, Primitives);

TYPED_TEST(WarpLanesTest, WritesAreReadByAllLanesAfterIt) {
  for (const Order order : {Order::sequential, Order::reverse, Order::random}) {
    cuda_on_host::control().order = order;
    const cuda::Stream stream;
    const cuda::DeviceBuffer<Board> device(1);
    Board board{};
    cuda::check(
        cudaMemcpyAsync(device.data(), &board, sizeof board, cudaMemcpyHostToDevice, stream.get()),
        "copying");
    cuda::launch_cooperative(&count_and_read<TypeParam>, 1, cuda::kWarp, 0, stream, device.data());
    cuda::check(
        cudaMemcpyAsync(&board, device.data(), sizeof board, cudaMemcpyDeviceToHost, stream.get()),
        "copying");
    stream.synchronize("counting");
    for (const std::uint32_t sum : board.sums)
      EXPECT_EQ(sum, TypeParam::kCounts * (1 + 2 + 3)) << static_cast<int>(order);
  }
}

}  // namespace
}  // namespace weft::test::warp_lanes_test
