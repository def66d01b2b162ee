// The functions that a CUDA thread calls; each call may suspend it. See grid.hpp.
#include "cuda_on_host/device.hpp"

#include <fmt/format.h>

#include <string_view>

#include "cuda_on_host/grid.hpp"

namespace weft::cuda_on_host {
namespace {

std::uint64_t meet(const Meeting& meeting, std::uint64_t value, int source, Fold* fold) {
  const Unwatched unwatched;
  Block& block = *running_block;
  Thread& thread = block.running();
  if ((meeting.lanes >> thread.index % 32 & 1U) == 0) {
    block.fault(fmt::format("thread {} is not in the mask that it names: {}", thread.index,
                            describe(State::in_warp, meeting)));
  }
  thread.value = value;
  thread.source = source;
  thread.fold = fold;
  // The others pass on their values only: what a lane has written is there for the rest of the warp
  // after a __syncwarp.
  const bool orders_memory = std::string_view(meeting.operation) == "__syncwarp";
  char* const token = orders_memory ? block.warp_token(meeting) : nullptr;
  if (orders_memory) announce_arrival(token);
  block.wait(State::in_warp, meeting);
  if (orders_memory) announce_leaving(token);
  return thread.result;
}

void pass(State state, const Meeting& meeting, char* token) {
  announce_arrival(token);
  running_block->wait(state, meeting);
  announce_leaving(token);
}

}  // namespace

constinit thread_local const Place* place = nullptr;
constinit thread_local Block* running_block = nullptr;

void block_barrier(Site site) {
  const Unwatched unwatched;
  pass(State::at_block_barrier, {0, "__syncthreads", site}, running_block->barrier_token());
}

void grid_barrier(Site site) {
  const Unwatched unwatched;
  pass(State::at_grid_barrier, {0, "the grid barrier", site}, running_block->grid_token());
}

void let_others_run(Site site) {
  const Unwatched unwatched;
  running_block->wait(State::spins, {0, "", site});
}

std::uint64_t shuffle(const Meeting& meeting, std::uint64_t value, int source) {
  return meet(meeting, value, source, nullptr);
}

std::uint64_t fold_lanes(const Meeting& meeting, std::uint64_t value, Fold* fold) {
  return meet(meeting, value, 0, fold);
}

}  // namespace weft::cuda_on_host
