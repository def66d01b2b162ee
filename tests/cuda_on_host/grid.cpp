#include "cuda_on_host/grid.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <thread>

namespace weft::cuda_on_host {
namespace {

unsigned lowest(const Meeting& meeting) {
  return static_cast<unsigned>(std::countr_zero(meeting.lanes));
}

}  // namespace

Grid::Grid(const Launch& shape, const std::function<void()>& kernel)
    : shape_(shape), kernel_(kernel), states_(shape.blocks, State::ready), sites_(shape.blocks) {}

void Grid::run() {
  std::vector<unsigned> order(shape_.blocks);
  std::iota(order.begin(), order.end(), 0U);
  if (control().order == Order::reverse) std::ranges::reverse(order);
  if (control().order == Order::random) {
    std::ranges::shuffle(order, std::mt19937_64(control().seed));
  }
  std::vector<std::thread> threads;
  threads.reserve(order.size());
  for (const unsigned block : order) threads.emplace_back([this, block] { run_block(block); });
  for (std::thread& thread : threads) thread.join();
  if (failed_) throw Misuse("CUDA on the host: " + failure_);
}

void Grid::run_block(unsigned index) {
  const Unwatched unwatched;
  Block block(*this, index);
  try {
    block.run();
    leave(index);
  } catch (const Misuse& misuse) {
    fail(misuse.what());
  }
}

bool Grid::pass_barrier(unsigned block, Site site) {
  std::unique_lock lock(mutex_);
  states_[block] = State::at_grid_barrier;
  sites_[block] = site;
  ++waiting_;
  if (waiting_ + left_ == shape_.blocks) {
    if (left_ > 0 || !std::ranges::all_of(sites_, [&](Site other) { return same(other, site); })) {
      throw Misuse(report());
    }
    std::ranges::fill(states_, State::ready);
    waiting_ = 0;
    ++passed_;
    changed_.notify_all();
    return true;
  }
  changed_.wait(lock, [&, passed = passed_] { return passed_ != passed || failed_; });
  return !failed_;
}

void Grid::leave(unsigned block) {
  std::string stuck;
  {
    const std::lock_guard lock(mutex_);
    states_[block] = State::left;
    ++left_;
    if (waiting_ > 0 && waiting_ + left_ == shape_.blocks) stuck = report();
  }
  if (!stuck.empty()) fail(stuck);
}

void Grid::fail(const std::string& report) {
  const std::lock_guard lock(mutex_);
  if (!failed_) failure_ = report;
  failed_ = true;
  changed_.notify_all();
}

std::string Grid::report() const {
  Groups blocks("block");
  for (unsigned i = 0; i < shape_.blocks; ++i) {
    blocks.add(i, describe(states_[i], {0, "the grid barrier", sites_[i]}));
  }
  return (left_ > 0 ? "a block has left while others wait: "
                    : "blocks wait at different grid barriers: ") +
         blocks.text();
}

Block::Block(Grid& grid, unsigned index)
    : grid_(grid),
      index_(index),
      stacks_(grid.shape().threads,
              control().stack_bytes * (kThreadSanitizer || kAddressSanitizer ? 4 : 1)),
      shared_(poisoned_memory(grid.shape().shared_bytes, 128)),
      threads_(grid.shape().threads),
      order_(grid.shape().threads),
      random_(control().seed * 1000 + index) {
  poison_shared_variables();
  make_threads();
  std::iota(order_.begin(), order_.end(), 0U);
  if (control().order == Order::reverse) std::ranges::reverse(order_);
}

void Block::make_threads() {
  const Launch& shape = grid_.shape();
  for (unsigned i = 0; i < shape.threads; ++i) {
    Thread& thread = threads_[i];
    thread.index = i;
    thread.place = {
        {i, 0, 0}, {index_, 0, 0}, {shape.threads, 1, 1}, {shape.blocks, 1, 1}, shared_.get()};
    thread.fiber = std::make_unique<Fiber>(home_, stacks_[i], [this, &thread] {
      grid_.kernel()();
      const Unwatched unwatched;
      thread.state = State::left;
    });
  }
}

void Block::run() {
  running_block = this;
  while (!all_in(State::left) && !grid_.failed()) {
    const Round round = resume_all();
    if (open_barriers() || round.moved) {
      ++grid_.pulse();
      if (round.spun) std::this_thread::yield();
    } else if (round.spun) {
      wait_for_others();
    } else if (!all_in(State::left) && !pass_grid_barrier()) {
      return;
    }
  }
}

Block::Round Block::resume_all() {
  if (control().order == Order::random) std::ranges::shuffle(order_, random_);
  Round round;
  for (const unsigned i : order_) {
    Thread& thread = threads_[i];
    if (thread.state != State::ready && thread.state != State::spins) continue;
    thread.state = State::ready;
    running_ = &thread;
    place = &thread.place;
    thread.fiber->resume();
    if (!fault_.empty()) throw Misuse(named(fault_));
    (thread.state == State::spins ? round.spun : round.moved) = true;
  }
  return round;
}

void Block::wait(State state, const Meeting& meeting) {
  running_->state = state;
  running_->meeting = meeting;
  running_->fiber->suspend();
}

bool Block::open_barriers() {
  bool opened = open_block_barrier();
  for (unsigned first = 0; first < threads_.size(); first += 32) opened |= open_warp(first);
  return opened;
}

bool Block::open_block_barrier() {
  if (!all_in(State::at_block_barrier) || !all_at_one_site()) return false;
  for (Thread& thread : threads_) thread.state = State::ready;
  ++barrier_.turn;
  return true;
}

bool Block::pass_grid_barrier() {
  if (!all_in(State::at_grid_barrier) || !all_at_one_site()) throw Misuse(named(report()));
  if (!grid_.pass_barrier(index_, threads_[0].meeting.site)) return false;
  for (Thread& thread : threads_) thread.state = State::ready;
  ++grid_turn_;
  return true;
}

// A meeting is complete when all lanes of its mask wait in it; the lowest of them speaks for all.
bool Block::open_warp(unsigned first) {
  const unsigned end = std::min<unsigned>(first + 32, static_cast<unsigned>(threads_.size()));
  bool opened = false;
  for (unsigned i = first; i < end; ++i) {
    const Meeting meeting = threads_[i].meeting;
    if (threads_[i].state != State::in_warp || lowest(meeting) != i - first) continue;
    std::uint32_t arrived = 0;
    for (unsigned j = i; j < end; ++j) {
      if (threads_[j].state != State::in_warp || !same(threads_[j].meeting, meeting)) continue;
      arrived |= 1U << (j - first);
    }
    if (arrived != meeting.lanes) continue;
    meet(meeting, first);
    opened = true;
  }
  return opened;
}

void Block::meet(const Meeting& meeting, unsigned first) {
  const auto in_meeting = [&](unsigned lane) { return (meeting.lanes >> lane & 1U) != 0; };
  const unsigned leader = first + lowest(meeting);
  Fold* const fold = threads_[leader].fold;
  std::uint64_t all = threads_[leader].value;
  for (unsigned i = leader + 1; fold != nullptr && i < first + static_cast<unsigned>(meeting.folds);
       ++i) {
    if (in_meeting(i - first)) all = fold(all, threads_[i].value);
  }
  for (unsigned i = leader; i < first + 32; ++i) {
    if (!in_meeting(i - first)) continue;
    Thread& thread = threads_[i];
    const unsigned source = static_cast<unsigned>(thread.source) % 32;
    if (fold == nullptr && !in_meeting(source)) {
      throw Misuse(named("thread " + std::to_string(i) + " takes the value of lane " +
                         std::to_string(source) + ", which is not in the meeting: " + report()));
    }
    thread.result = fold != nullptr ? all : threads_[first + source].value;
    thread.state = State::ready;
  }
  if (kThreadSanitizer) ++warp_tokens_[{first / 32, meeting.lanes}].turn;
}

void Block::wait_for_others() {
  std::this_thread::yield();
  const std::uint64_t pulse = grid_.pulse();
  const std::clock_t now = std::clock();  // of this process: other jobs do not count
  if (pulse != pulse_seen_ || stalled_since_ < 0) {
    pulse_seen_ = pulse;
    stalled_since_ = now;
  } else if (static_cast<double>(now - stalled_since_) > control().patience_s * CLOCKS_PER_SEC) {
    throw Misuse(named("no thread of the grid gets on: " + report()));
  }
}

char* Block::barrier_token() { return barrier_.now(); }
char* Block::grid_token() { return grid_.barrier_token(grid_turn_); }

// The lanes of one mask are always the same, so each mask has tokens of its own.
char* Block::warp_token(const Meeting& meeting) {
  if (!kThreadSanitizer) return nullptr;
  return warp_tokens_[{running_->index / 32, meeting.lanes}].now();
}

bool Block::all_in(State state) const {
  return std::ranges::all_of(threads_, [&](const Thread& t) { return t.state == state; });
}

bool Block::all_at_one_site() const {
  return std::ranges::all_of(threads_, [&](const Thread& thread) {
    return same(thread.meeting.site, threads_[0].meeting.site);
  });
}

std::string Block::named(const std::string& what) const {
  return "block " + std::to_string(index_) + ": " + what;
}

std::string Block::report() const {
  Groups threads("thread");
  bool in_warp = false, left = false;
  for (const Thread& thread : threads_) {
    threads.add(thread.index, describe(thread.state, thread.meeting));
    in_warp |= thread.state == State::in_warp;
    left |= thread.state == State::left;
  }
  const char* what = in_warp ? "lanes of a warp operation never come: "
                     : left  ? "a thread has left while others wait: "
                             : "threads wait at different barriers: ";
  return what + threads.text();
}

}  // namespace weft::cuda_on_host
