#include "weft/mpi.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <list>
#include <mutex>
#include <span>
#include <thread>

#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

constexpr int kTag = 1;

/// One thread at a time calls MPI, so that MPI_THREAD_SERIALIZED is enough.
class World : public Processes {
 public:
  explicit World(MPI_Comm all) {
    MPI_Comm_dup(all, &messages_);
    MPI_Comm_dup(all, &calls_);
    // A program may have errors returned to itself (as mpi4py does); here nobody would look at
    // them.
    for (const MPI_Comm own : {messages_, calls_})
      MPI_Comm_set_errhandler(own, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(all, &rank_);
    MPI_Comm_size(all, &size_);
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(calls_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
    int here = 1;
    MPI_Comm_size(host, &here);
    MPI_Comm_rank(host, &number_on_host_);
    MPI_Comm_free(&host);
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    const std::array mine{here, here > cores ? 1 : 0};
    std::array most{1, 0};
    MPI_Allreduce(mine.data(), most.data(), 2, MPI_INT, MPI_MAX, calls_);
    most_on_a_host_ = most[0];
    crowded_ = most[1] != 0;
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int most_on_a_host() const override { return most_on_a_host_; }
  int number_on_host() const override { return number_on_host_; }

  void send(int to, std::span<const std::byte> message) override {
    const std::lock_guard lock(mutex_);
    under_way_.remove_if([](Sent& sent) { return is_done(sent.request); });
    Sent& sent = under_way_.emplace_back();
    sent.bytes.assign(message.begin(), message.end());
    MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, to, kTag, messages_,
              &sent.request);
  }

  void receive(int from, std::vector<std::byte>& message) override {
    wait_until([&] { return take(from, message); });
  }

  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    const std::lock_guard lock(mutex_);
    const auto size = static_cast<int>(mine.size());
    if (!crowded_) {
      MPI_Allgather(mine.data(), size, MPI_BYTE, all.data(), size, MPI_BYTE, calls_);
      return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(mine.data(), size, MPI_BYTE, all.data(), size, MPI_BYTE, calls_, &request);
    wait_until([&] { return is_done(request); });
  }

  void broadcast(int from, std::span<std::byte> bytes) override {
    const std::lock_guard lock(mutex_);
    while (!bytes.empty()) {  // counts are ints
      const auto part = bytes.first(std::min<std::size_t>(bytes.size(), 1U << 30U));
      MPI_Bcast(part.data(), static_cast<int>(part.size()), MPI_BYTE, from, calls_);
      bytes = bytes.subspan(part.size());
    }
  }

  /// Begins to find the largest of all numbers, one by one.
  MPI_Request begin_largest(std::span<const int> numbers, std::span<int> largest) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(numbers.data(), largest.data(), static_cast<int>(numbers.size()), MPI_INT,
                   MPI_MAX, messages_, &request);
    return request;
  }

 private:
  struct Sent {
    std::vector<std::byte> bytes{};
    MPI_Request request = MPI_REQUEST_NULL;
  };

  /// The next message, if it is there.
  bool take(int from, std::vector<std::byte>& message) {
    const std::lock_guard lock(mutex_);
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(from, kTag, messages_, &there, &status);
    if (there == 0) return false;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    message.resize(static_cast<std::size_t>(size));
    MPI_Recv(message.data(), size, MPI_BYTE, from, kTag, messages_, MPI_STATUS_IGNORE);
    return true;
  }

  static bool is_done(MPI_Request& request) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  }

  /// Where a host has more processes than cores, one that waits leaves its core to those that it
  /// waits for. To yield leaves it for moments only: four processes beside a busy one on two cores
  /// took ten times as long.
  template <class Arrived>
  void wait_until(const Arrived& arrived) const {
    for (int tries = 1; !arrived(); ++tries) {
      if (tries % kSpins != 0) continue;
      if (crowded_)
        std::this_thread::sleep_for(kNap);
      else
        std::this_thread::yield();
    }
  }

  static constexpr int kSpins = 100;
  static constexpr std::chrono::microseconds kNap{20};

  static inline std::mutex mutex_{};
  MPI_Comm messages_ = MPI_COMM_NULL, calls_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, most_on_a_host_ = 1, number_on_host_ = 0;
  bool crowded_ = false;  ///< a host has more processes than cores: alike in all, as calls must be
  std::list<Sent> under_way_{};  ///< MPI reads the bytes until they have left
};

bool started_here = false;

/// Throws unless threads of a process may call this MPI in turn.
void check_level(int level) {
  if (level < MPI_THREAD_SERIALIZED)
    throw Error(ErrorCategory::environment, "this MPI serves one thread only",
                "threads of a fabric call it in turn (MPI_THREAD_SERIALIZED)",
                "start it with MPI_Init_thread, or take an MPI with threads");
}

std::shared_ptr<World> start() {
  int started = 0, level = MPI_THREAD_SINGLE;
  MPI_Initialized(&started);
  if (started != 0) {
    MPI_Query_thread(&level);
  } else {
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    started_here = true;
  }
  check_level(level);
  return std::make_shared<World>(MPI_COMM_WORLD);
}

using Held = std::shared_ptr<World>;

/// The communicator's attribute that holds its World, and ends with it.
int attribute() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(
        MPI_COMM_NULL_COPY_FN,
        [](MPI_Comm, int, void* held, void*) {
          delete static_cast<Held*>(held);
          return MPI_SUCCESS;
        },
        &made, nullptr);
    return made;
  }();
  return key;
}

const std::shared_ptr<World>& the_world() {
  static const std::shared_ptr<World> world = start();
  return world;
}

}  // namespace

std::shared_ptr<Processes> mpi_world() { return the_world(); }

std::shared_ptr<Processes> mpi_processes(const void* communicator) {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  if (started == 0 || ended != 0)
    throw Error(ErrorCategory::usage, "no processes to share a fabric",
                ended != 0 ? "MPI has ended" : "MPI has not been started",
                "call it between MPI_Init_thread and MPI_Finalize");
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  check_level(level);
  const MPI_Comm all = *static_cast<const MPI_Comm*>(communicator);
  int between_groups = 0;
  if (all != MPI_COMM_NULL) MPI_Comm_test_inter(all, &between_groups);
  if (all == MPI_COMM_NULL || between_groups != 0)
    throw Error(ErrorCategory::usage, "invalid communicator",
                all == MPI_COMM_NULL ? "it is MPI_COMM_NULL: this process is in no group of it"
                                     : "it is between two groups of processes",
                "give one that this process shares with the others of the fabric");
  void* held = nullptr;
  int found = 0;
  MPI_Comm_get_attr(all, attribute(), static_cast<void*>(&held), &found);
  if (found == 0) {
    held = new Held(std::make_shared<World>(all));
    MPI_Comm_set_attr(all, attribute(), held);
  }
  return *static_cast<Held*>(held);
}

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  return {text, text + length};
}

int mpi_finish(int code, std::string_view message) {
  constexpr std::chrono::seconds kPatience{10};
  const auto print = [&] {
    std::fwrite(message.data(), 1, message.size(), stderr);
    std::fflush(stderr);
  };
  const auto begin = std::chrono::steady_clock::now();
  World& world = *the_world();
  // The first process that failed is the one that has most before the end.
  const int before_end = code != 0 ? world.size() - world.rank() : 0;
  const std::array mine{code, before_end};
  std::array largest{code, before_end};
  int done = 0;
  MPI_Request request = world.begin_largest(mine, largest);
  for (;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) break;
    if (code != 0 && std::chrono::steady_clock::now() - begin > kPatience) {
      print();
      MPI_Abort(MPI_COMM_WORLD, code);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (code != 0 && before_end == largest[1]) print();
  if (started_here) MPI_Finalize();
  return largest[0];
}

}  // namespace weft::inline v0
