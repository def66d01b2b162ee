#include "cli/sweep/make_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include "base/bytes.hpp"
#include "base/digest.hpp"
#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "cli/common/interrupt.hpp"
#include "cli/sweep/workers.hpp"
#include "cli/text/progress.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::base {

template <>
struct Fields<cli::EndedRun> {
  template <class Run, class F>
  static void each(Run& run, F& f) {
    f(run.number);
    f(run.kept.ok);
    f(run.kept.error);
    f(run.kept.report);
    f(run.kept.peak_bytes);
  }
};

}  // namespace weft::base

namespace weft::cli {
namespace {

using std::chrono::milliseconds;

// Chosen: short beside the shortest run, which takes 20 ms; processes have to meet each time.
constexpr milliseconds kWait{5}, kWaitOfProcesses{20};

/// What a process has to say each time that all meet.
struct News {
  std::uint64_t free = 0;        ///< runs that it may begin
  std::uint64_t ended = 0;       ///< runs that have, since they last met
  std::uint64_t most_bytes = 0;  ///< that a run has taken
  std::uint64_t stop = 0;        ///< it was asked to stop, or has an error
};

std::vector<News> meet(Processes* processes, const News& mine) {
  if (processes == nullptr) return {mine};
  return base::gathered(*processes, mine);
}

/// All processes are to make runs of one grid.
void check_alike(Processes& processes, const std::vector<SweepRun>& runs) {
  base::Digest digest;
  digest.add(std::string_view(version()));
  for (const SweepRun& run : runs) digest.add(std::string_view(run.key));
  const std::vector<std::uint64_t> all = base::gathered(processes, digest.number());
  const auto other = std::ranges::find_if(all, [&](std::uint64_t one) { return one != all[0]; });
  if (other != all.end())
    throw Error(ErrorCategory::usage,
                fmt::format("process {} has another sweep than process 0", other - all.begin()),
                "its grid, command, machine profile or version of Weft is another one",
                "start the same weft with the same arguments on all hosts");
}

/// The runs that are to be made, and the most bytes of the others.
struct Left {
  std::vector<std::size_t> numbers{};
  std::uint64_t most_bytes = 0;  ///< 0: none has ended
};

Left find_left(const std::vector<SweepRun>& runs, const Journal& journal, bool again) {
  Left left;
  for (std::size_t number = 0; number < runs.size(); ++number) {
    const KeptRun* const known = again ? nullptr : journal.find(runs[number].key);
    if (known == nullptr)
      left.numbers.push_back(number);
    else
      left.most_bytes = std::max(left.most_bytes, known->peak_bytes);
  }
  return left;
}

/// As the first process has found it.
Left share_left(const Left& of_first, Processes& processes) {
  Left left = of_first;
  std::uint64_t head[] = {left.numbers.size(), left.most_bytes};
  processes.broadcast(0, std::as_writable_bytes(std::span(head)));
  left.numbers.resize(head[0]);
  left.most_bytes = head[1];
  processes.broadcast(0, std::as_writable_bytes(std::span(left.numbers)));
  return left;
}

/// The first process takes what the others send. `mine`: of this one.
std::vector<EndedRun> take_ended(Processes* processes, const std::vector<News>& all,
                                 std::vector<EndedRun> mine) {
  if (processes == nullptr) return mine;
  if (processes->rank() != 0) {
    if (mine.empty()) return {};
    base::Packer packer;
    packer(mine);
    processes->send(0, std::move(packer).bytes());
    return {};
  }
  for (int rank = 1; rank < processes->size(); ++rank) {
    if (all[static_cast<std::size_t>(rank)].ended == 0) continue;
    std::vector<std::byte> message;
    processes->receive(rank, message);
    std::vector<EndedRun> theirs;
    base::Unpacker unpacker(message);
    unpacker(theirs);
    for (EndedRun& run : theirs) mine.push_back(std::move(run));
  }
  return mine;
}

}  // namespace

std::vector<std::size_t> deal(const std::vector<std::size_t>& free, std::size_t left) {
  std::vector<std::size_t> dealt(free.size());
  for (bool any = true; any && left > 0;) {
    any = false;
    for (std::size_t rank = 0; rank < free.size() && left > 0; ++rank) {
      if (dealt[rank] == free[rank]) continue;
      ++dealt[rank];
      --left;
      any = true;
    }
  }
  return dealt;
}

void make_runs(const std::vector<SweepRun>& runs, Journal* journal, const HowToRun& how,
               Processes* processes) {
  if (processes != nullptr) check_alike(*processes, runs);
  Left left = journal != nullptr ? find_left(runs, *journal, how.again) : Left{};
  if (processes != nullptr) left = share_left(left, *processes);
  const auto rank = static_cast<std::size_t>(processes != nullptr ? processes->rank() : 0);
  const std::size_t count = left.numbers.size();
  Workers workers(runs,
                  {.at_once = std::min<std::size_t>(static_cast<std::size_t>(how.jobs), count),
                   .cores = how.cores,
                   .of_memory = 1.0 / base::processes_on_a_host(processes)});
  ProgressBar bar(!how.quiet);
  std::optional<Error> error;
  std::size_t begun = 0, ended = 0;
  while (ended < count) {
    std::vector<EndedRun> mine = workers.ended();
    for (const EndedRun& run : mine)
      left.most_bytes = std::max(left.most_bytes, run.kept.peak_bytes);
    const bool stop = error || is_interrupted();
    const std::vector<News> all =
        meet(processes, {workers.free(left.most_bytes), mine.size(), left.most_bytes, stop});
    std::vector<std::size_t> free;
    bool stops = false;
    for (const News& news : all) {
      free.push_back(news.free);
      ended += news.ended;
      left.most_bytes = std::max(left.most_bytes, news.most_bytes);
      stops |= news.stop != 0;
    }
    try {
      for (const EndedRun& run : take_ended(processes, all, std::move(mine)))
        journal->add(runs[run.number].key, run.kept);
      const std::vector<std::size_t> dealt = deal(free, stops ? 0 : count - begun);
      for (std::size_t other = 0; other < dealt.size(); ++other)
        for (std::size_t k = 0; k < dealt[other]; ++k, ++begun)
          if (other == rank) workers.begin(left.numbers[begun]);
    } catch (const Error& thrown) {
      if (processes == nullptr) throw;
      error = thrown;
    }
    if (stops) break;
    bar.show([&]() -> Shown {
      return {static_cast<double>(ended) / static_cast<double>(count),
              fmt::format("{} of {} runs", ended, count)};
    });
    if (ended < count) std::this_thread::sleep_for(processes != nullptr ? kWaitOfProcesses : kWait);
  }
  if (processes != nullptr) base::throw_first_error(*processes, error);
  if (ended < count)
    throw Interrupted(fmt::format("after {} of {} runs, which '{}' keeps: the same command goes on",
                                  ended, count, journal != nullptr ? journal->path() : ""));
}

}  // namespace weft::cli
