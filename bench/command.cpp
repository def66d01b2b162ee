// A small transform as users meet it: the whole command, from its start to its end. The median.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <vector>

#include "median.hpp"

namespace {

/// Runs `weft` with these arguments, what it prints thrown away. Returns whether all was well.
bool run(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), WEFT_CLI_PATH);
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int refused = posix_spawn(&child, WEFT_CLI_PATH, &actions, nullptr,
                                  const_cast<char**>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return refused == 0 && waitpid(child, &status, 0) == child && status == 0;
}

void command(benchmark::State& state) {
  std::vector<double> seconds;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    if (!run({"fft", "--shape", "32,32,32", "--engine", "host"})) {
      state.SkipWithError("the command failed");
      return;
    }
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    state.SetIterationTime(seconds.back());
  }
  state.counters["seconds"] = weft::bench::median(seconds);
}
BENCHMARK(command)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(9);

}  // namespace
