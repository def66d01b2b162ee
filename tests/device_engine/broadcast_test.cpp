// A stream through a whole mesh in each direction, over the edges of tiles; with and without shared
// memory for what the kernel may have there.
#include "support/broadcast.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cuda/pe/kernel.hpp"
#include "device_engine/device_engine_test.hpp"
#include "support/mesh.hpp"

namespace weft::test::broadcast_test {
namespace {

constexpr std::uint64_t kLimit = 100000;
constexpr Heading kHeadings[] = {Heading::east, Heading::west, Heading::south, Heading::north};

Machine small_machine() {
  Machine machine;
  machine.pe_memory_bytes = 1024;  // all of it is compared
  return machine;
}

void expect_the_same(const Broadcast& broadcast) {
  SCOPED_TRACE(fmt::format("{} x {} PEs, heading {}", broadcast.width(), broadcast.height(),
                           static_cast<int>(broadcast.heading)));
  Twins twins({broadcast.layout(), small_machine()});
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
}

class BroadcastOnADevice : public DeviceEngineTest {};

TEST_F(BroadcastOnADevice, CrossesTiles) {
  cuda_on_host::control().order = cuda_on_host::Order::reverse;
  for (const int multiprocessors : {1, 3}) {
    cuda_on_host::control().multiprocessors = multiprocessors;
    for (const Heading heading : kHeadings)
      expect_the_same({sanitized() ? 18 : 66, sanitized() ? 5 : 9, 3, heading});
    if (sanitized()) break;
  }
}

TEST_F(BroadcastOnADevice, OfMorePesThanATileHasThreads) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  cuda_on_host::control().multiprocessors = 1;
  for (const Heading heading : kHeadings) expect_the_same({96, 64, 3, heading});
}

/// Of one color, a stream that goes north in column 0, and words one by one that go south in
/// column 1.
Layout both_ways(int height) {
  constexpr int kColor = 5, kWords = 60, kAlone = 8;
  constexpr Dsr kMemory{0}, kQueue{1};
  constexpr Reg kZero{1}, kLeft{2};
  VectorOptions background;
  background.async = true;

  ProgramBuilder stream("stream");
  stream.reserve("words", 4 * kWords);
  stream.start(stream.local_task(0));
  stream.dbase(kMemory, 0);
  stream.dlen(kMemory, kWords);
  stream.dfabout(kQueue, 0, kColor);
  stream.vmov32(kQueue, kMemory, background);
  stream.end();

  ProgramBuilder alone("one-by-one");
  alone.reserve("word", 4);
  alone.start(alone.local_task(0));
  alone.dbase(kMemory, 0);
  alone.dlen(kMemory, 1);
  alone.dfabout(kQueue, 0, kColor);
  alone.li(kZero, 0);
  alone.li(kLeft, kAlone);
  const Label again = alone.label();
  alone.place(again);
  alone.vmov32(kQueue, kMemory);
  alone.addi(kLeft, kLeft, -1);
  alone.bne(kLeft, kZero, again);
  alone.end();

  const auto receiver = [&](int words) {
    ProgramBuilder b("receiver");
    b.reserve("words", 4 * words);
    b.start(b.local_task(0));
    b.dbase(kMemory, 0);
    b.dfabin(kQueue, 0);
    b.dlen(kQueue, words);
    b.vmov32(kMemory, kQueue, background);
    b.end();
    return b.build();
  };

  Layout layout(2, height);
  const auto lay = [&](int x, int first, int last, Port from, Port to, const Program& sender,
                       int words) {
    Route end{.rx = from, .tx = Port::ramp};
    end.input_queue = 0;
    layout.place({x, first, 1, 1}, sender);
    layout.place({x, last, 1, 1}, receiver(words));
    layout.route({x, first, 1, 1}, kColor, {.rx = Port::ramp, .tx = to});
    layout.route({x, 1, 1, height - 2}, kColor, {.rx = from, .tx = to});
    layout.route({x, last, 1, 1}, kColor, end);
  };
  lay(0, height - 1, 0, Port::south, Port::north, stream.build(), kWords);
  lay(1, 0, height - 1, Port::north, Port::south, alone.build(), kAlone);
  return layout;
}

TEST_F(BroadcastOnADevice, OneColorGoesBothWaysThroughATile) {
  cuda_on_host::control().multiprocessors = 3;  // the tile in the middle has two edges
  Twins twins({both_ways(48), small_machine()});
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
}

/// In a row PE 0 sends a stream on each of so many colors, each to another PE: all pass the first.
Layout many_colors(int colors) {
  constexpr int kWords = 5;
  constexpr Dsr kMemory{0}, kQueue{1};
  ProgramBuilder sender("sender"), receiver("receiver");
  for (ProgramBuilder* b : {&sender, &receiver}) {
    b->reserve("words", 4 * kWords);
    b->start(b->local_task(0));
    b->dbase(kMemory, 0);
    b->dlen(kMemory, kWords);
  }
  for (int c = 0; c < colors; ++c) {
    sender.dfabout(kQueue, 0, c);
    sender.vmov32(kQueue, kMemory);
  }
  receiver.dfabin(kQueue, 0);
  receiver.dlen(kQueue, kWords);
  receiver.vmov32(kMemory, kQueue);
  for (ProgramBuilder* b : {&sender, &receiver}) b->end();

  Layout layout(1 + colors, 1);
  layout.place({0, 0, 1, 1}, sender.build());
  layout.place({1, 0, colors, 1}, receiver.build());
  for (int c = 0; c < colors; ++c) {
    Route end{.rx = Port::west, .tx = Port::ramp};
    end.input_queue = 0;
    layout.route({0, 0, 1, 1}, c, {.rx = Port::ramp, .tx = Port::east});
    if (c > 0) layout.route({1, 0, c, 1}, c, {.rx = Port::west, .tx = Port::east});
    layout.route({1 + c, 0, 1, 1}, c, end);
  }
  return layout;
}

TEST_F(BroadcastOnADevice, OfAsManyColorsAsThereAre) {
  cuda_on_host::control().multiprocessors = 3;
  for (const int colors : {4, 5, 8, 9, kColors}) {
    SCOPED_TRACE(fmt::format("{} colors", colors));
    Machine machine = small_machine();
    for (const int depth : {2, 4}) {
      machine.router_queue_depth = depth;
      Twins twins({many_colors(colors), machine});
      EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
      EXPECT_EQ(twins.on_device->totals().delivered, 5U * static_cast<unsigned>(colors));
    }
  }
}

/// An A100 gives a block 163 KB, an H100 227. A tile has 3,072 PEs here: of both some parts are
/// far.
TEST_F(BroadcastOnADevice, OnADeviceWithLessSharedMemory) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  cuda_on_host::control().multiprocessors = 1;
  for (const std::size_t kilobytes : {163, 227}) {
    cuda_on_host::control().shared_bytes_per_block = kilobytes * 1024;
    expect_the_same({96, 32, 3, Heading::east});
  }
}

/// Kilobytes of shared memory of a block, beside what the kernel itself takes there.
class NearMemoryOnADevice : public DeviceEngineTest, public testing::WithParamInterface<int> {};

TEST_P(NearMemoryOnADevice, DoesNotMatter) {
  auto& device = cuda_on_host::control();
  device.multiprocessors = 2;
  device.order = cuda_on_host::Order::reverse;
  device.shared_bytes_per_block =
      std::min(device.shared_bytes_per_block, pe_kernel::block_state_bytes<pe::Shape<4, 2>>() +
                                                  static_cast<std::size_t>(GetParam()) * 1024);
  for (const Heading heading : kHeadings)
    expect_the_same({sanitized() ? 5 : 40, sanitized() ? 5 : 9, 3, heading});
}

INSTANTIATE_TEST_SUITE_P(RoomFor, NearMemoryOnADevice, testing::Values(0, 2, 4, 8, 16, 32, 227),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace weft::test::broadcast_test
