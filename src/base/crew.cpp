#include "base/crew.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/awaited.hpp"

namespace weft::base {

/// A thread that does one piece of work after the other, and never ends.
class Worker {
 public:
  /// Throws std::system_error if the system refuses a thread.
  Worker() {
    std::thread([this] { serve(); }).detach();
  }

  void begin(const std::function<void(int)>& work, int number) {
    work_ = &work;
    number_ = number;
    error_ = nullptr;
    begun_.set(begun_.get() + 1);
  }

  /// Returns what the work threw; null: nothing.
  std::exception_ptr finish() {
    ended_.wait_until([all = begun_.get()](std::uint32_t ended) { return ended == all; });
    return error_;
  }

 private:
  [[noreturn]] void serve() {
    for (std::uint32_t done = 0;; ++done) {
      begun_.wait_until([done](std::uint32_t begun) { return begun != done; });
      try {
        (*work_)(number_);
      } catch (...) {
        error_ = std::current_exception();
      }
      ended_.set(done + 1);
    }
  }

  Awaited<std::uint32_t> begun_{}, ended_{};  ///< pieces of work
  const std::function<void(int)>* work_ = nullptr;
  int number_ = 0;
  std::exception_ptr error_{};
};

namespace {

/// The workers that wait for a crew. Never destroyed, as they never end.
class Pool {
 public:
  /// Of this process: the workers of its parent are not in a child.
  static Pool& of_process() {
    static std::atomic<Pool*> pool{nullptr};
    Pool* now = pool.load();
    while (now == nullptr || now->process_ != getpid()) {
      auto mine = std::make_unique<Pool>();
      if (pool.compare_exchange_strong(now, mine.get())) now = mine.release();
    }
    return *now;
  }

  /// Throws std::system_error if there is none, and the system refuses one more.
  Worker* take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Worker* const worker = idle_.back();
        idle_.pop_back();
        return worker;
      }
      idle_.reserve(++all_);
    }
    return new Worker;
  }

  void give(const std::vector<Worker*>& workers) {
    const std::lock_guard lock(mutex_);
    idle_.insert(idle_.end(), workers.rbegin(), workers.rend());
  }

 private:
  const pid_t process_ = getpid();
  std::mutex mutex_{};
  std::vector<Worker*> idle_{};  ///< the one that worked last comes last
  std::size_t all_ = 0;          ///< so many fit in `idle_` without a new allocation
};

}  // namespace

Crew::Crew(int threads) {
  try {
    for (int n = 1; n < threads; ++n) {
      workers_.reserve(workers_.size() + 1);
      workers_.push_back(Pool::of_process().take());
    }
  } catch (const std::system_error&) {  // the system refuses more
  }
}

Crew::~Crew() {
  if (!workers_.empty()) Pool::of_process().give(workers_);
}

void Crew::run(const std::function<void(int)>& work) {
  for (int n = 1; n < threads(); ++n) workers_[static_cast<std::size_t>(n) - 1]->begin(work, n);
  std::exception_ptr first;
  try {
    work(0);
  } catch (...) {
    first = std::current_exception();
  }
  for (Worker* const worker : workers_)
    if (const std::exception_ptr error = worker->finish(); error && !first) first = error;
  if (first) std::rethrow_exception(first);
}

}  // namespace weft::base
