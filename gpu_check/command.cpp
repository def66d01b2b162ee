#include "gpu_check/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace weft::gpu_check {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kGrace = 2;       // seconds between asking and killing
constexpr double kPatience = 10;   // seconds for a killed process to be gone: a GPU may hold it
constexpr int kCannotStart = 127;  // as shells say it

volatile std::sig_atomic_t signal_seen = 0;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A file in memory, for what a command writes.
class Capture {
 public:
  Capture() : file_(::memfd_create("output", MFD_CLOEXEC)) {}
  ~Capture() { ::close(file_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int file() const { return file_; }
  std::string text() const {
    std::string all;
    std::array<char, 65536> part{};
    ssize_t read = 0;
    for (off_t at = 0; (read = ::pread(file_, part.data(), part.size(), at)) > 0; at += read)
      all.append(part.data(), static_cast<std::size_t>(read));
    return all;
  }

 private:
  int file_;
};

[[noreturn]] void become(const Command& command, int out, int err) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_DFL);
  const int in = ::open("/dev/null", O_RDONLY);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : command.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  const std::string why = fmt::format("cannot start {}: {}\n", words[0], std::strerror(errno));
  static_cast<void>(!::write(STDERR_FILENO, why.data(), why.size()));
  ::_exit(kCannotStart);
}

/// Waits until the process has ended, for so long. Returns whether it has.
bool ended_within(pid_t child, double limit_s, int& status, bool heed_signals) {
  const Clock::time_point start = Clock::now();
  for (;;) {
    if (::waitpid(child, &status, WNOHANG) == child) return true;
    if (seconds_since(start) >= limit_s || (heed_signals && signal_seen != 0)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace

Finished run(const Command& command, double limit_s) {
  Finished finished;
  if (::access(command.words[0].c_str(), X_OK) != 0) {
    finished.not_started = fmt::format("{}: {}", command.words[0], std::strerror(errno));
    return finished;
  }
  const Capture out, err;
  const Clock::time_point start = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) {
    finished.not_started = std::strerror(errno);
    return finished;
  }
  if (child == 0) become(command, out.file(), err.file());
  ::setpgid(child, child);  // whoever comes first
  int status = 0;
  bool ended = ended_within(child, limit_s, status, true);
  if (!ended) {
    finished.killed = true;
    ::kill(-child, SIGTERM);
    ended = ended_within(child, kGrace, status, false);
    ::kill(-child, SIGKILL);
    ended = ended || ended_within(child, kPatience, status, false);
  }
  finished.seconds = seconds_since(start);
  if (ended) finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished.out = out.text();
  finished.err = err.text();
  if (finished.exit_code == kCannotStart && finished.out.empty())
    finished.not_started = finished.err.substr(0, finished.err.find('\n'));
  return finished;
}

void heed_interrupts() {
  struct sigaction heed {};
  heed.sa_handler = [](int signal) { signal_seen = signal; };
  heed.sa_flags = SA_RESTART;  // what is being written is written
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &heed, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return signal_seen != 0; }

}  // namespace weft::gpu_check
