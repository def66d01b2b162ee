#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstddef>
#include <cstdlib>
#include <string>

#include "command.hpp"
#include "paths.hpp"
#include "support/temporary_folder.hpp"

/// `weft` as several processes that mpirun starts.
namespace weft::test {

/// Skips the test where nothing can share.
#define SKIP_WITHOUT_MPI()                                                      \
  if (!WEFT_HAVE_MPI) GTEST_SKIP() << "this build has no MPI (libopenmpi-dev)"; \
  if (std::system("command -v mpirun > /dev/null") != 0)                        \
  GTEST_SKIP() << "there is no mpirun here (openmpi-bin)"

/// For mpirun: on few cores, and as any user.
inline constexpr const char* kSettings =
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
    "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none";

/// So many processes of a program, `weft` for one, with these words.
inline CommandResult run_processes(int processes, const std::string& words,
                                   const std::string& program = WEFT_CLI_PATH) {
  const TemporaryFolder folder;
  const std::string line =
      fmt::format("{} mpirun -n {} '{}' {} > '{}' 2> '{}' < /dev/null", kSettings, processes,
                  program, words, folder.file("out"), folder.file("err"));
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_bytes(folder.file("out")),
          read_bytes(folder.file("err"))};
}

/// So many processes in a folder, of which the second one first executes this command of the shell.
/// Their messages take no files, which a limit would meet.
inline CommandResult run_after(const std::string& second, int processes, const std::string& folder,
                               const std::string& words) {
  const TemporaryFolder said;
  const std::string line = fmt::format(
      "cd '{}' && {} OMPI_MCA_btl=tcp,self mpirun -n {} sh -c 'if [ "
      "\"${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}\" = 1 ]; then "
      "{}; fi; exec \"$0\" \"$@\"' '{}' {} > '{}' 2> '{}' < /dev/null",
      folder, kSettings, processes, second, WEFT_CLI_PATH, words, said.file("out"),
      said.file("err"));
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_bytes(said.file("out")),
          read_bytes(said.file("err"))};
}

/// Two processes, of which one gets a signal ("KILL") some time after it has begun: `wait` is a
/// command of the shell that waits so long.
inline CommandResult run_and_signal(const std::string& words, int rank, const std::string& signal,
                                    const std::string& wait) {
  const TemporaryFolder folder;
  const std::string pid = folder.file("pid.");
  const std::string kill = fmt::format(
      "for n in $(seq 400); do [ -s '{0}{1}' ] && break; sleep 0.05; done; {2}; "
      "kill -{3} $(cat '{0}{1}')",
      pid, rank, wait, signal);
  // Its number is that of the command, which takes the shell's place.
  const std::string begin = fmt::format(
      "sh -c 'echo $$ > \"{}${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}\"; exec \"$0\" \"$@\"' '{}' {}",
      pid, WEFT_CLI_PATH, words);
  const std::string line =
      fmt::format("({}) & {} mpirun -n 2 {} > '{}' 2> '{}' < /dev/null; code=$?; wait; exit $code",
                  kill, kSettings, begin, folder.file("out"), folder.file("err"));
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_bytes(folder.file("out")),
          read_bytes(folder.file("err"))};
}

}  // namespace weft::test
