#include "bench/gpu_count/counters.hpp"

#include <memory>
#include <mutex>
#include <utility>

#include "cuda_on_host/device.hpp"

namespace weft::gpu_count {
namespace {

constexpr unsigned kWarp = 32;

/// Executions in a stretch: the stretch in the upper half.
using InStretch = std::uint64_t;
constexpr unsigned kStretch = 32;

std::mutex all_mutex;
std::vector<std::uint64_t> all_counts;

/// Of the block of the grid that an OS thread runs.
struct BlockCounts {
  std::vector<std::uint64_t> stretch;  ///< by thread
  std::vector<InStretch> lanes, warps;
  std::vector<std::uint64_t> counts;

  BlockCounts() = default;
  BlockCounts(const BlockCounts&) = delete;
  BlockCounts& operator=(const BlockCounts&) = delete;
  ~BlockCounts() { hand_over(); }

  void begin(std::size_t threads) {
    stretch.assign(threads, 1);
    lanes.assign(threads * kBlocks, 0);
    warps.assign((threads + kWarp - 1) / kWarp * kBlocks, 0);
    counts.assign(kBlocks, 0);
  }
  void hand_over() const {
    const std::scoped_lock lock(all_mutex);
    all_counts.resize(kBlocks);
    for (std::size_t block = 0; block < counts.size(); ++block) all_counts[block] += counts[block];
  }
};

thread_local BlockCounts here;

std::size_t thread() {
  const std::size_t index = cuda_on_host::place->thread.x;
  if (here.counts.empty()) here.begin(cuda_on_host::place->threads.x);
  return index;
}

/// One more in this stretch; returns how many now.
std::uint64_t add(InStretch& n, std::uint64_t stretch) {
  if (n >> kStretch != stretch) n = stretch << kStretch;
  return ++n;
}

}  // namespace

void count_block(std::size_t block) {
  const std::size_t index = thread();
  const std::uint64_t stretch = here.stretch[index];
  const std::uint64_t mine = add(here.lanes[index * kBlocks + block], stretch);
  InStretch& most = here.warps[index / kWarp * kBlocks + block];
  if (most >= mine) return;
  most = mine;
  ++here.counts[block];
}

void next_stretch() {
  const std::size_t index = thread();
  ++here.stretch[index];
}

std::vector<std::uint64_t> take_counts() { return std::exchange(all_counts, {}); }

}  // namespace weft::gpu_count
