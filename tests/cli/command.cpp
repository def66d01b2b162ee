#include "command.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <stdexcept>

#include "paths.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test {
namespace {

// The file or descriptor that becomes one of the child's standard streams.
class Streams {
 public:
  Streams() { posix_spawn_file_actions_init(&actions_); }
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  void open(int stream, const std::string& path, int flags) {
    posix_spawn_file_actions_addopen(&actions_, stream, path.c_str(), flags, 0600);
  }
  void close(int stream) { posix_spawn_file_actions_addclose(&actions_, stream); }
  void duplicate(int from, int stream) {
    posix_spawn_file_actions_adddup2(&actions_, from, stream);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// Signals that the caller ignores, as a shell does for what runs in the background, would stay so.
class HeedSignals {
 public:
  HeedSignals() {
    posix_spawnattr_init(&attributes_);
    sigset_t heeded;
    sigemptyset(&heeded);
    sigaddset(&heeded, SIGINT);
    sigaddset(&heeded, SIGTERM);
    posix_spawnattr_setsigdefault(&attributes_, &heeded);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~HeedSignals() { posix_spawnattr_destroy(&attributes_); }
  HeedSignals(const HeedSignals&) = delete;
  HeedSignals& operator=(const HeedSignals&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

pid_t start(const std::vector<std::string>& arguments, const Streams& streams,
            const std::string& variable = "") {
  std::vector<std::string> words = {"weft"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char*> environment;
  std::string first = variable;  // the first of a name counts
  if (!first.empty()) environment.push_back(first.data());
  for (char** word = environ; *word != nullptr; ++word) environment.push_back(*word);
  environment.push_back(nullptr);
  pid_t child = 0;
  const HeedSignals attributes;
  if (posix_spawn(&child, WEFT_CLI_PATH, streams.get(), attributes.get(), argv.data(),
                  environment.data()) != 0) {
    throw std::runtime_error("cannot start " WEFT_CLI_PATH);
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

constexpr int kCreate = O_WRONLY | O_CREAT | O_TRUNC;

CommandResult run_into(const std::string& path, const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  Streams streams;
  streams.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  if (path.empty()) {
    streams.close(STDOUT_FILENO);
  } else {
    streams.open(STDOUT_FILENO, path, kCreate);
  }
  streams.open(STDERR_FILENO, folder.file("err"), kCreate);
  CommandResult result;
  result.exit_code = wait_for(start(arguments, streams));
  result.err = read_bytes(folder.file("err"));
  return result;
}

CommandResult run_on_terminal(
    const std::vector<std::string>& arguments, Bar bar,
    const std::function<void(pid_t, const std::string& seen)>& meanwhile) {
  const TemporaryFolder folder;
  int terminal = -1;
  int child_side = -1;
  if (::openpty(&terminal, &child_side, nullptr, nullptr, nullptr) != 0) {
    throw std::runtime_error("openpty failed");
  }
  Streams streams;
  streams.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  streams.open(STDOUT_FILENO, folder.file("out"), kCreate);
  streams.duplicate(child_side, STDERR_FILENO);
  streams.close(child_side);
  streams.close(terminal);
  const pid_t child =
      start(arguments, streams, bar == Bar::at_once ? "WEFT_BAR_AFTER=0" : "WEFT_BAR_AFTER=1e9");
  ::close(child_side);

  CommandResult result;
  std::array<char, 4096> part{};
  // Once the child has ended, reading fails.
  for (ssize_t read; (read = ::read(terminal, part.data(), part.size())) > 0;) {
    result.err.append(part.data(), static_cast<std::size_t>(read));
    meanwhile(child, result.err);
  }
  ::close(terminal);
  result.exit_code = wait_for(child);
  result.out = read_bytes(folder.file("out"));
  return result;
}

}  // namespace

CommandResult run_weft(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  CommandResult result = run_weft_into(folder.file("out"), arguments);
  result.out = read_bytes(folder.file("out"));
  return result;
}

CommandResult run_weft_into(const std::string& path, const std::vector<std::string>& arguments) {
  return run_into(path, arguments);
}

CommandResult run_weft_on_terminal(const std::vector<std::string>& arguments, Bar bar) {
  return run_on_terminal(arguments, bar, [](pid_t, const std::string&) {});
}

CommandResult interrupt_weft(const std::vector<std::string>& arguments, int signal,
                             const std::string& text) {
  bool sent = false;
  return run_on_terminal(arguments, Bar::at_once, [&](pid_t child, const std::string& seen) {
    if (!sent && seen.find(text) != std::string::npos) sent = ::kill(child, signal) == 0;
  });
}

void expect_error_line(const CommandResult& result, int exit_code, const std::string& category,
                       const std::vector<std::string>& parts) {
  EXPECT_EQ(result.exit_code, exit_code);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  EXPECT_TRUE(result.err.ends_with('\n'));
  EXPECT_TRUE(result.err.starts_with("weft: " + category + " error: ")) << result.err;
  EXPECT_NE(result.err.find(" ("), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("); "), std::string::npos) << result.err;
  for (const std::string& part : parts) {
    EXPECT_NE(result.err.find(part), std::string::npos) << "'" << part << "' not in " << result.err;
  }
}

}  // namespace weft::test
