#pragma once

#include <chrono>

#include "weft/fft.hpp"

namespace weft::cli {

/// A progress bar on standard error, there only while the object lives. Draws nothing where
/// standard error is no terminal, or if `wanted` is false.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const FftProgress& progress) const;

 private:
  bool drawn_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace weft::cli
