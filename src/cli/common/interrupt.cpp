#include "cli/common/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace weft::cli {
namespace {

std::atomic<bool> noted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void note(int) { noted.store(true, std::memory_order_relaxed); }

}  // namespace

void note_interrupts() {
  struct sigaction action {};
  action.sa_handler = note;
  // After the first signal the default comes back, so that a second one ends what does not react.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    ::sigaction(signal, &action, nullptr);
  }
}

bool is_interrupted() noexcept { return noted.load(std::memory_order_relaxed); }

void stop_if_interrupted(const std::string& doing) {
  if (is_interrupted()) throw Interrupted("while " + doing);
}

}  // namespace weft::cli
