#pragma once

// How a kernel runs: a grid of blocks, each an OS thread that resumes its CUDA threads in turn.
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cuda_on_host/cuda.hpp"
#include "cuda_on_host/fiber.hpp"
#include "cuda_on_host/memory.hpp"
#include "cuda_on_host/report.hpp"

namespace weft::cuda_on_host {

/// A CUDA thread.
struct Thread {
  unsigned index = 0;
  Place place;
  State state = State::ready;
  Meeting meeting;          ///< what it waits for, or waited for last
  std::uint64_t value = 0;  ///< brought to a warp operation
  int source = 0;           ///< lane whose value a shuffle takes
  Fold* fold = nullptr;     ///< null: a shuffle
  std::uint64_t result = 0;
  std::unique_ptr<Fiber> fiber;
};

/// ThreadSanitizer orders a barrier by them: two that alternate, since some threads leave after
/// others have arrived at the next barrier.
struct Tokens {
  char token[2] = {};
  unsigned turn = 0;
  char* now() { return &token[turn & 1U]; }
};

/// Shared by the blocks of a running kernel.
class Grid {
 public:
  Grid(const Launch& shape, const std::function<void()>& kernel);

  /// Returns when all blocks have left, or throws the Misuse of one of them.
  void run();

  /// Called by a block's OS thread when all its threads are there; false: give up.
  bool pass_barrier(unsigned block, Site site);

  bool failed() const { return failed_; }
  std::atomic<std::uint64_t>& pulse() { return pulse_; }  ///< ticks while any block gets on
  const Launch& shape() const { return shape_; }
  const std::function<void()>& kernel() const { return kernel_; }
  char* barrier_token(unsigned turn) { return &barrier_tokens_[turn & 1U]; }

 private:
  void run_block(unsigned index);
  void leave(unsigned block);
  void fail(const std::string& report);
  std::string report() const;

  Launch shape_;
  const std::function<void()>& kernel_;
  std::atomic<bool> failed_ = false;
  std::atomic<std::uint64_t> pulse_ = 0;
  char barrier_tokens_[2] = {};

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string failure_;
  std::uint64_t passed_ = 0;  ///< grid barriers
  unsigned waiting_ = 0, left_ = 0;
  std::vector<State> states_;
  std::vector<Site> sites_;
};

/// A block's threads and barriers; lives on the block's OS thread.
class Block {
 public:
  Block(Grid& grid, unsigned index);

  void run();

  Thread& running() { return *running_; }
  /// Suspends the running thread until its meeting is complete.
  void wait(State state, const Meeting& meeting);
  /// The kernel ends with this report when the running thread is suspended next.
  void fault(std::string what) { fault_ = std::move(what); }

  char* barrier_token();
  char* grid_token();
  char* warp_token(const Meeting& meeting);

 private:
  struct Round {
    bool moved = false, spun = false;
  };

  void make_threads();
  Round resume_all();
  bool open_barriers();
  bool open_block_barrier();
  bool open_warp(unsigned first);
  void meet(const Meeting& meeting, unsigned first);
  bool pass_grid_barrier();
  void wait_for_others();
  bool all_in(State state) const;
  bool all_at_one_site() const;
  std::string named(const std::string& what) const;
  std::string report() const;

  Grid& grid_;
  unsigned index_;
  Stacks stacks_;  ///< given back after `home_` has seen all that was written there
  Home home_;
  Memory shared_;
  std::vector<Thread> threads_;
  std::vector<unsigned> order_;
  std::mt19937_64 random_;
  Thread* running_ = nullptr;
  std::string fault_;
  Tokens barrier_;
  unsigned grid_turn_ = 0;
  std::map<std::pair<unsigned, std::uint32_t>, Tokens> warp_tokens_;
  std::uint64_t pulse_seen_ = 0;
  std::clock_t stalled_since_ = -1;  ///< none
};

extern constinit thread_local Block* running_block;  ///< of this OS thread

}  // namespace weft::cuda_on_host
