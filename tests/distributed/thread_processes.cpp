#include "distributed/thread_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>

namespace weft::test {
namespace {

using Message = std::vector<std::byte>;

/// What the processes share.
struct Office {
  explicit Office(int processes) : size(processes), given(static_cast<std::size_t>(processes)) {}

  const int size;
  std::mutex mutex{};
  std::condition_variable news{};
  std::map<std::pair<int, int>, std::deque<Message>> mail{};  ///< by sender and receiver
  std::vector<Message> given;                                 ///< by process
  int arrived = 0;
  std::uint64_t meetings = 0;
  int ended = 0;
  Traffic traffic{};

  /// Waits until done(), or for a process that will never do it.
  template <class Done>
  void wait(std::unique_lock<std::mutex>& lock, const Done& done) {
    // Most messages are there at once, and to sleep takes longer.
    constexpr int kLooks = 200;
    for (int look = 0; look < kLooks && !done() && ended == 0; ++look) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
    const bool came =
        news.wait_for(lock, std::chrono::seconds(120), [&] { return done() || ended > 0; });
    if (!done()) throw std::runtime_error(came ? "another process has ended" : "nobody answers");
  }

  /// All meet.
  void meet(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t number = meetings;
    if (++arrived == size) {
      arrived = 0;
      ++meetings;
      news.notify_all();
    }
    wait(lock, [&] { return meetings != number; });
  }
};

class ThreadProcess : public Processes {
 public:
  ThreadProcess(Office& office, int rank, std::uint64_t delays) : office_(office), rank_(rank) {
    if (delays != 0) dice_.emplace(delays + static_cast<std::uint64_t>(rank));
  }

  int rank() const override { return rank_; }
  int size() const override { return office_.size; }
  int number_on_host() const override { return rank_; }

  void send(int to, std::span<const std::byte> message) override {
    pause();
    const std::lock_guard lock(office_.mutex);
    ++office_.traffic.messages;
    office_.traffic.bytes += message.size();
    std::deque<Message>& mail = office_.mail[{rank_, to}];
    mail.emplace_back(message.begin(), message.end());
    office_.traffic.most_waiting =
        std::max<std::uint64_t>(office_.traffic.most_waiting, mail.size());
    office_.news.notify_all();
  }

  void receive(int from, std::vector<std::byte>& message) override {
    pause();
    std::unique_lock lock(office_.mutex);
    std::deque<Message>& mail = office_.mail[{from, rank_}];
    office_.wait(lock, [&] { return !mail.empty(); });
    message = std::move(mail.front());
    mail.pop_front();
  }

  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    pause();
    std::unique_lock lock(office_.mutex);
    count(office_.traffic.gathers, office_.traffic.gathered_bytes, mine.size());
    office_.given[static_cast<std::size_t>(rank_)].assign(mine.begin(), mine.end());
    office_.meet(lock);
    for (const Message& one : office_.given) {
      if (one.size() != mine.size()) throw std::runtime_error("processes gather different things");
      std::ranges::copy(one, all.begin());
      all = all.subspan(one.size());
    }
    office_.meet(lock);
  }

  void broadcast(int from, std::span<std::byte> bytes) override {
    pause();
    std::unique_lock lock(office_.mutex);
    count(office_.traffic.broadcasts, office_.traffic.broadcast_bytes, bytes.size());
    const auto root = static_cast<std::size_t>(from);
    if (rank_ == from) office_.given[root].assign(bytes.begin(), bytes.end());
    office_.meet(lock);
    if (office_.given[root].size() != bytes.size())
      throw std::runtime_error("processes broadcast different things");
    std::ranges::copy(office_.given[root], bytes.begin());
    office_.meet(lock);
  }

 private:
  void count(std::uint64_t& calls, std::uint64_t& bytes, std::size_t size) const {
    if (rank_ != 0) return;
    ++calls;
    bytes += size;
  }

  /// Sometimes.
  void pause() {
    if (!dice_) return;
    std::uint64_t drawn = 0;
    {
      const std::lock_guard lock(dice_mutex_);
      drawn = (*dice_)();
    }
    if (drawn % 64 == 0) std::this_thread::sleep_for(std::chrono::microseconds(drawn / 64 % 100));
    if (drawn % 4 == 0) std::this_thread::yield();
  }

  Office& office_;
  const int rank_;
  std::mutex dice_mutex_{};
  std::optional<std::mt19937_64> dice_{};
};

}  // namespace

std::vector<std::string> Team::run(
    const std::function<std::string(const std::shared_ptr<Processes>&)>& work) {
  Office office(size);
  std::vector<std::string> told(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  threads.reserve(told.size());
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      std::string& text = told[static_cast<std::size_t>(rank)];
      try {
        text = work(std::make_shared<ThreadProcess>(office, rank, delays));
      } catch (const std::exception& error) {
        text = error.what();
      }
      const std::lock_guard lock(office.mutex);
      ++office.ended;
      office.news.notify_all();
    });
  for (std::thread& thread : threads) thread.join();
  traffic = office.traffic;
  return told;
}

}  // namespace weft::test
