#include "cli/text/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "weft/error.hpp"

namespace weft::cli {
namespace {

bool silent = false;

// Returns 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view text) noexcept {
  if (silent) return 0;
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void prepare_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    // Open for reading only: writing to a stream that was closed stays an error.
    if (::fcntl(descriptor, F_GETFD) == -1 && ::open("/dev/null", O_RDONLY) == -1) {
      throw Error(ErrorCategory::environment, "cannot open /dev/null", std::strerror(errno),
                  "start weft with its standard streams open");
    }
  }
}

void be_silent() noexcept { silent = true; }

void write_stdout(std::string_view text) {
  const int failed = write_all(STDOUT_FILENO, text);
  if (failed != 0 && failed != EPIPE) {
    throw Error(ErrorCategory::environment, "cannot write to standard output",
                std::strerror(failed),
                failed == EFBIG
                    ? "raise the limit on the size of files (ulimit -f) or redirect it elsewhere"
                    : "redirect it to where there is room, or use --quiet and --json FILE");
  }
}

void write_stderr(std::string_view text) noexcept { write_all(STDERR_FILENO, text); }

bool can_draw(int descriptor) noexcept {
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return !dumb && ::isatty(descriptor) == 1;
}

int columns(int descriptor) noexcept {
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace weft::cli
