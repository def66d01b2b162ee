#include "cli/sweep/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "cli/common/copies.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

Error cannot_start(int number) {
  return {ErrorCategory::environment, "cannot start a process", std::strerror(number),
          "choose a smaller number of --jobs"};
}

/// A file without a name, gone when nobody has it.
class Nameless {
 public:
  Nameless() : file_(memfd_create("weft sweep", MFD_CLOEXEC)) {
    if (file_ < 0) throw cannot_start(errno);
  }
  ~Nameless() {
    if (file_ >= 0) ::close(file_);
  }
  Nameless(const Nameless&) = delete;
  Nameless& operator=(const Nameless&) = delete;
  int get() const noexcept { return file_; }
  int release() noexcept { return std::exchange(file_, -1); }

 private:
  int file_;
};

/// All of a file, which is closed then.
std::string read_all(int& file) {
  std::string text;
  char some[1 << 16];
  for (off_t at = 0;;) {
    const ssize_t count = ::pread(file, some, sizeof some, at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(some, static_cast<std::size_t>(count));
    at += count;
  }
  ::close(std::exchange(file, -1));
  return text;
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<char*> words;
  std::string program = "weft";
  words.reserve(arguments.size() + 2);
  words.push_back(program.data());
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  std::vector<char*> variables;  // a run is no copy of the process that starts it
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!is_of_launcher(*variable)) variables.push_back(*variable);
  variables.push_back(nullptr);
  Nameless in, out, err;
  if (::pwrite(in.get(), input.data(), input.size(), 0) != static_cast<ssize_t>(input.size()))
    throw cannot_start(errno);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) throw cannot_start(errno);
  if (process_ > 0) {
    out_ = out.release();
    err_ = err.release();
    return;
  }
  // Of the child: only calls that are safe after a fork.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a process that ignores SIGTERM has runs that do so
  if (::getppid() != parent) ::_exit(1);
  ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  ::dup2(out.get(), STDOUT_FILENO);
  ::dup2(err.get(), STDERR_FILENO);
  const int third = in.get() == 3 ? ::fcntl(3, F_SETFD, 0) : ::dup2(in.get(), 3);
  if (third >= 0) ::execve("/proc/self/exe", words.data(), variables.data());
  ::_exit(1);
}

Child::~Child() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (out_ >= 0) ::close(out_);
  if (err_ >= 0) ::close(err_);
}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      out_(std::exchange(other.out_, -1)),
      err_(std::exchange(other.err_, -1)) {}

std::optional<Ended> Child::ended() {
  int status = 0;
  rusage usage{};
  const pid_t which = ::wait4(process_, &status, WNOHANG, &usage);
  if (which == 0 || (which < 0 && errno == EINTR)) return std::nullopt;
  process_ = -1;
  Ended ended;
  if (WIFSIGNALED(status))
    ended.signal = WTERMSIG(status);
  else
    ended.code = WEXITSTATUS(status);
  ended.out = read_all(out_);
  ended.err = read_all(err_);
  ended.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
  return ended;
}

}  // namespace weft::cli
