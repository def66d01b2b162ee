// Crews: threads that the process keeps, borrowed for one piece of work after the other.
#include "base/crew.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/spin_barrier.hpp"
#include "engine/stretch.hpp"
#include "support/mesh.hpp"

namespace weft::test::crew_test {
namespace {

using base::Crew;

/// The threads of a crew, each by its number. They meet, so they are there at the same time.
std::vector<std::thread::id> ids_of(Crew& crew) {
  std::vector<std::thread::id> ids(static_cast<std::size_t>(crew.threads()));
  base::SpinBarrier barrier(crew.threads());
  crew.run([&](int thread) {
    barrier.arrive_and_wait();
    ids[static_cast<std::size_t>(thread)] = std::this_thread::get_id();
    barrier.arrive_and_wait();
  });
  return ids;
}

TEST(Crew, WorksAtTheSameTime) {
  Crew crew(4);
  ASSERT_EQ(crew.threads(), 4);
  const std::vector<std::thread::id> ids = ids_of(crew);
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 4U);
  EXPECT_EQ(ids_of(crew), ids);
}

TEST(Crew, TheNextOneHasTheSameThreads) {
  std::vector<std::thread::id> first;
  for (int round = 0; round < 20; ++round) {
    Crew crew(3);
    const std::vector<std::thread::id> ids = ids_of(crew);
    if (round == 0) first = ids;
    EXPECT_EQ(ids, first);
  }
}

TEST(Crew, OfOneIsTheCaller) {
  for (const int threads : {-1, 0, 1}) {
    Crew crew(threads);
    ASSERT_EQ(crew.threads(), 1);
    EXPECT_EQ(ids_of(crew).front(), std::this_thread::get_id());
  }
}

TEST(Crew, PassesOnTheFirstExceptionWhenAllHaveEnded) {
  Crew crew(3);
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> ended = 0;
    std::string what;
    try {
      crew.run([&](int thread) {
        ++ended;
        if (thread != 0) throw std::runtime_error(std::to_string(thread));
      });
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    EXPECT_EQ(what, "1");
    EXPECT_EQ(ended, 3);
  }
  EXPECT_NO_THROW(crew.run([](int) {}));
  EXPECT_THROW(crew.run([](int thread) {
    if (thread == 0) throw std::runtime_error("0");
  }),
               std::runtime_error);
}

TEST(Crew, MayWorkWithinAnothersWork) {
  Crew outer(2);
  std::atomic<int> all = 0;
  outer.run([&](int) {
    Crew inner(3);
    inner.run([&](int) { ++all; });
  });
  EXPECT_EQ(all, 6);
}

TEST(Crew, SeveralThreadsMayHaveOne) {
  std::atomic<int> all = 0;
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 3; ++caller)
      callers.emplace_back([&] {
        for (int round = 0; round < 50; ++round) Crew(2).run([&](int) { ++all; });
      });
  }
  EXPECT_EQ(all, 3 * 50 * 2);
}

TEST(SpinBarrier, LetsAllGoWhereOneHasAbandonedIt) {
  Crew crew(3);
  if (crew.threads() < 3) GTEST_SKIP() << "the system starts no more threads";
  for (int round = 0; round < 100; ++round) {
    base::SpinBarrier barrier(crew.threads());
    std::atomic<int> came{0};
    crew.run([&](int thread) {
      for (int meetings = 0; !barrier.abandoned(); ++meetings) {
        if (thread == 1 && meetings == round % 4) return barrier.abandon();
        barrier.arrive_and_wait();
      }
      ++came;
    });
    EXPECT_EQ(came, 2) << "round " << round;
    EXPECT_TRUE(barrier.abandoned());
  }
}

// Each thread is late in some rounds, and so are several at a time: the others go to sleep, and
// some are about to when they are woken.
TEST(SpinBarrier, WakesAllThatSleep) {
  Crew crew(4);
  base::SpinBarrier barrier(crew.threads());
  std::atomic<int> arrived = 0;
  std::atomic<bool> early = false;
  crew.run([&](int thread) {
    for (int round = 0; round < 3000; ++round) {
      if (((round * 7 + thread * 5) & 3) == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(round % 40));
      ++arrived;
      barrier.arrive_and_wait();
      if (arrived < crew.threads() * (round + 1)) early = true;
    }
  });
  EXPECT_FALSE(early);
  EXPECT_EQ(arrived, 3000 * crew.threads());
}

// A child has none of its parent's threads but the one that forked.
TEST(Crew, WorksInAForkedChildToo) {
  if (sanitized()) GTEST_SKIP() << "a sanitizer's child of several threads may not start any";
  Crew(2).run([](int) {});
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> all = 0;
    Crew(3).run([&](int) { ++all; });
    _exit(all == 3 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(Crew, AChildThatIsForkedDuringARunMayEnd) {
  if (sanitized()) GTEST_SKIP() << "a sanitizer's child of several threads may not start any";
  std::atomic<int> at_work = 0;
  std::atomic<bool> over = false;
  std::thread run([&] {
    Crew(3).run([&](int) {
      ++at_work;
      while (!over) std::this_thread::yield();
    });
  });
  while (at_work == 0) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(5);  // ends it by a signal
    Crew(2).run([](int) {});
    std::exit(7);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  over = true;
  run.join();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
}

// Two that wait for a third of their time do the work of four thirds of one.
TEST(Stretch, PaysUnlessItsThreadsMostlyWait) {
  using std::chrono::milliseconds;
  EXPECT_TRUE(engine::work_pays(2, {milliseconds(30), milliseconds(0)}));
  EXPECT_TRUE(engine::work_pays(2, {milliseconds(30), milliseconds(20)}));
  EXPECT_FALSE(engine::work_pays(2, {milliseconds(30), milliseconds(21)}));
  EXPECT_TRUE(engine::work_pays(16, {milliseconds(30), milliseconds(440)}));
  EXPECT_FALSE(engine::work_pays(16, {milliseconds(30), milliseconds(441)}));
}

TEST(Stretch, TriesRarelyWhereItNeverPays) {
  int before = 0;
  std::vector<int> alone;
  for (int tries = 0; tries < 5; ++tries)
    alone.push_back(before = engine::stretches_alone(before, false));
  EXPECT_EQ(alone, (std::vector{1, 4, 16, 32, 32}));
  EXPECT_EQ(engine::stretches_alone(32, true), 1);
}

}  // namespace
}  // namespace weft::test::crew_test
