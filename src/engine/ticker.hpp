#pragma once

#include <chrono>
#include <cstdint>

#include "engine/engine.hpp"

namespace weft::engine {

/// Calls the user's progress function now and then.
class Ticker {
 public:
  explicit Ticker(const RunOptions& options) : options_(options) {}

  void tick(std::uint64_t now) {
    if (!options_.progress) return;
    const auto time = std::chrono::steady_clock::now();
    if (time - last_ < options_.pause) return;
    last_ = time;
    options_.progress(now);
  }

 private:
  const RunOptions& options_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace weft::engine
