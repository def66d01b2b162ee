#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "weft/fft.hpp"

namespace weft::cli {

/// The contents of a bar.
struct Shown {
  std::optional<double> fraction;  ///< 0 to 1; none if it is unknown
  std::string done;                ///< "14,321 of ~32,100 cycles"
  std::uint64_t pe_cycles = 0;     ///< emulated since the bar was made
};

/// The bar `seconds` after the start, in less than `columns` columns: first of all the percentage,
/// then, as far as there is room, the time left, what was done, the bar itself, and the speed.
/// Without a fraction only what was done and the speed.
std::string bar_text(const Shown& shown, double seconds, int columns);

/// "14,321 of ~32,100 cycles", or "14,321 cycles" if nobody knows how many there will be.
std::string cycles_text(const FftProgress& progress);

/// Where a run was ended: "at cycle 14,321 of about 32,100 (transpose rows), after 3.42 s", or
/// "at cycle 14,321, after 3.42 s".
std::string stop_text(const FftProgress& progress, double seconds);

/// A progress bar on standard error, gone when the object is. Draws nothing in the first two
/// seconds (or as many as the environment variable WEFT_BAR_AFTER says), where standard error is no
/// terminal, or if `wanted` is false.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Asks what there is to show only if it is drawn; if that throws, nothing is drawn.
  void show(const std::function<Shown()>& ask);

  /// Since it was made.
  double seconds() const;

 private:
  bool wanted_;
  bool drawn_ = false;
  double silent_seconds_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace weft::cli
