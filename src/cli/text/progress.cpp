#include "cli/text/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>

#include "cli/text/number_text.hpp"
#include "cli/text/terminal.hpp"

namespace weft::cli {
namespace {

constexpr const char* kErase = "\r\x1b[K";
constexpr int kNarrowestBar = 8, kWidestBar = 40;  // with its brackets

/// Two, or what the environment says: who watches for a bar need not wait for it.
double silent_seconds() {
  const char* wish = std::getenv("WEFT_BAR_AFTER");
  return wish != nullptr ? std::strtod(wish, nullptr) : 2;
}

std::string left_text(double fraction, double seconds) {
  if (fraction <= 0) return "";
  return "  " + long_duration_text(seconds * (1 - fraction) / fraction) + " left";
}

std::string bar_of(double fraction, int width) {
  const int inside = width - 2;
  const int done = static_cast<int>(fraction * inside);
  return fmt::format("[{:#<{}}{:.<{}}] ", "", done, "", inside - done);
}

}  // namespace

std::string bar_text(const Shown& shown, double seconds, int columns) {
  // The last column stays free: a terminal that wraps there could not be erased.
  const auto room = [&](const std::string& text) {
    return columns - 1 - static_cast<int>(text.size());
  };
  std::string text;
  const auto add = [&](const std::string& part, int reserved) {
    if (room(text + part) >= reserved) text += part;
  };
  const double rate = static_cast<double>(shown.pe_cycles) / std::max(seconds, 1e-3);
  const std::string speed = fmt::format("  {:.1e} PE-cycles/s", rate);
  if (!shown.fraction) {
    add(shown.done, 0);
    add(speed, 0);
    return text;
  }
  const double fraction = std::clamp(*shown.fraction, 0.0, 1.0);
  text = fmt::format("{:3.0f} %", std::floor(100 * fraction));
  add("  " + shown.done, 0);
  add(left_text(fraction, seconds), 0);
  add(speed, kNarrowestBar + 1);
  const int width = std::min(room(text) - 1, kWidestBar);
  return width < kNarrowestBar ? text : bar_of(fraction, width) + text;
}

std::string cycles_text(const FftProgress& progress) {
  const auto expected = progress.expectation();
  if (!expected) return grouped(progress.cycle) + " cycles";
  return fmt::format("{} of ~{} cycles", grouped(progress.cycle), grouped(expected->cycles));
}

std::string stop_text(const FftProgress& progress, double seconds) {
  const auto expected = progress.expectation();
  const std::string of =
      expected ? fmt::format(" of about {} ({})", grouped(expected->cycles), expected->phase) : "";
  return fmt::format("at cycle {}{}, after {}", grouped(progress.cycle), of,
                     duration_text(seconds));
}

ProgressBar::ProgressBar(bool wanted)
    : wanted_(wanted && can_draw(STDERR_FILENO)),
      silent_seconds_(silent_seconds()),
      start_(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() {
  if (drawn_) {
    write_stderr(kErase);
  }
}

void ProgressBar::show(const std::function<Shown()>& ask) {
  if (!wanted_ || seconds() < silent_seconds_) {
    return;
  }
  try {
    const std::string text = kErase + bar_text(ask(), seconds(), columns(STDERR_FILENO));
    drawn_ = true;
    write_stderr(text);
  } catch (const std::exception&) {
    // A run does not end because its bar cannot be drawn.
  }
}

double ProgressBar::seconds() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  return elapsed.count();
}

}  // namespace weft::cli
