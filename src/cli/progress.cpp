#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "cli/terminal.hpp"

namespace weft::cli {
namespace {

constexpr const char* kErase = "\r\x1b[K";
constexpr int kWidestBar = 40;

}  // namespace

Progress::Progress(bool wanted)
    : drawn_(wanted && can_draw(STDERR_FILENO)), start_(std::chrono::steady_clock::now()) {
  show({});
}

Progress::~Progress() {
  if (drawn_) {
    write_stderr(kErase);
  }
}

void Progress::show(const FftProgress& progress) const {
  if (!drawn_) {
    return;
  }
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const double rate = static_cast<double>(progress.pe_cycles) / std::max(elapsed.count(), 1e-3);
  const std::string text = fmt::format(" {:3.0f} %  {:.2e} PE-cycles/s", 100 * fraction, rate);

  // The last column stays free: a terminal that wraps there could not be erased.
  const int room = columns(STDERR_FILENO) - 1 - static_cast<int>(text.size()) - 2;
  const int width = std::clamp(room, 0, kWidestBar);
  const int done = static_cast<int>(fraction * width);
  const std::string bar =
      width < 4 ? "" : fmt::format("[{:#<{}}{:.<{}}]", "", done, "", width - done);
  write_stderr(kErase + bar + text);
}

}  // namespace weft::cli
