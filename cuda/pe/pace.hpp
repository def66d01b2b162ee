#pragma once

#include <algorithm>
#include <chrono>

namespace weft::pe_kernel {

/// Blocks of cycles of the next launch, so that one takes about a tenth of a second: the host
/// shows progress, and stops a run, between two.
class Pace {
 public:
  explicit Pace(int fixed) : fixed_(fixed) {}
  int blocks() const { return fixed_ > 0 ? fixed_ : blocks_; }
  void took(std::chrono::steady_clock::duration time) {
    if (time < std::chrono::milliseconds(50)) blocks_ = std::min(blocks_ * 2, 1 << 16);
    if (time > std::chrono::milliseconds(200)) blocks_ = std::max(blocks_ / 2, 1);
  }

 private:
  int fixed_;
  int blocks_ = 8;
};

}  // namespace weft::pe_kernel
