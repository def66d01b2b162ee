// A fabric program written by hand. PE 0 sends one stream of numbers along a row of eight PEs;
// every router passes the stream on and offers it to its own core, and each core's counter filter
// lets in the two numbers that are meant for it.
//
//   PE 0 --> PE 1 --> PE 2 --> ... --> PE 7
//            10 11    20 21            70 71
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <weft/error.hpp>
#include <weft/fabric.hpp>
#include <weft/layout.hpp>
#include <weft/program.hpp>

namespace {

constexpr int kWidth = 8;
constexpr int kEach = 2;                          // numbers for each PE but PE 0
constexpr int kStream = kEach * (kWidth - 1);     // numbers in the stream
constexpr int kColor = 0;                         // the virtual channel that the stream takes
constexpr int kInputQueue = 2, kOutputQueue = 2;  // between core and router

constexpr weft::Reg kZero{1}, kCycle{2};
constexpr weft::Dsr kFrom{0}, kTo{1};

/// PE 0: moves its memory to the fabric.
weft::Program sender() {
  weft::ProgramBuilder p("sender");
  const weft::MemorySpan numbers = p.reserve<std::uint32_t>("numbers", kStream);
  p.start(p.local_task(0));
  p.dbase(kFrom, static_cast<int>(numbers.address));
  p.dlen(kFrom, kStream);
  p.dstride(kFrom, 1);
  p.dfabout(kTo, kOutputQueue, kColor);
  p.vmov32(kTo, kFrom);  // element by element, one a cycle; the core waits
  p.end();
  return p.build();
}

/// The others: move what the filter lets in to memory, and note the cycle.
weft::Program receiver() {
  weft::ProgramBuilder p("receiver");
  const weft::MemorySpan caught = p.reserve<std::uint32_t>("caught", kEach);
  const weft::MemorySpan cycle = p.reserve<std::uint32_t>("cycle", 1);
  p.start(p.local_task(0));
  p.dfabin(kFrom, kInputQueue);
  p.dlen(kFrom, kEach);
  p.dbase(kTo, static_cast<int>(caught.address));
  p.dstride(kTo, 1);
  p.vmov32(kTo, kFrom);
  p.tsc(kCycle);
  p.li(kZero, 0);
  p.sw(kCycle, kZero, static_cast<int>(cycle.address));
  p.end();
  return p.build();
}

/// Takes in numbers kEach * (x - 1) and the next of every kStream that pass. The filter accepts
/// while its counter is at most max_counter, so PE x starts as far before its window as it has to
/// wait.
weft::CounterFilter window(int x) {
  weft::CounterFilter filter;
  filter.counter = static_cast<std::uint32_t>((kStream - kEach * (x - 1)) % kStream);
  filter.max_counter = kEach - 1;
  filter.limit1 = kStream - 1;
  return filter;
}

weft::Layout row(const weft::Program& send, const weft::Program& receive) {
  using weft::Port;
  weft::Layout layout(kWidth, 1);
  layout.place({0, 0, 1, 1}, send);
  layout.place({1, 0, kWidth - 1, 1}, receive);

  weft::Route source{.rx = Port::ramp, .tx = Port::east};
  weft::Route middle{.rx = Port::west, .tx = {Port::east, Port::ramp}};
  weft::Route last{.rx = Port::west, .tx = Port::ramp};
  middle.input_queue = last.input_queue = kInputQueue;
  layout.route({0, 0, 1, 1}, kColor, source);
  layout.route({1, 0, kWidth - 2, 1}, kColor, middle);
  layout.route({kWidth - 1, 0, 1, 1}, kColor, last);

  for (int x = 1; x < kWidth; ++x) layout.filter({x, 0, 1, 1}, kColor, window(x));
  return layout;
}

}  // namespace

int main() try {
  weft::Fabric fabric(row(sender(), receiver()), weft::Machine{});

  std::vector<std::uint32_t> numbers;
  for (std::uint32_t x = 1; x < kWidth; ++x)
    for (std::uint32_t i = 0; i < kEach; ++i) numbers.push_back(10 * x + i);
  fabric.write({0, 0, 1, 1}, "numbers", numbers);

  fabric.run_until_idle(10000);

  const weft::Rect receivers{1, 0, kWidth - 1, 1};
  const auto caught = fabric.read<std::uint32_t>(receivers, "caught");  // PE by PE
  const auto cycle = fabric.read<std::uint32_t>(receivers, "cycle");
  for (std::size_t pe = 0; pe < cycle.size(); ++pe)
    std::printf("PE %zu caught %u %u by cycle %u\n", pe + 1, caught[kEach * pe],
                caught[kEach * pe + 1], cycle[pe]);
  const weft::FabricCounters c = fabric.counters();
  std::printf("%llu wavelets crossed %llu links: %llu to cores, %llu refused by filters\n",
              static_cast<unsigned long long>(c.wavelets), static_cast<unsigned long long>(c.hops),
              static_cast<unsigned long long>(c.delivered),
              static_cast<unsigned long long>(c.filtered));
  return caught == numbers ? 0 : 1;
} catch (const weft::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
