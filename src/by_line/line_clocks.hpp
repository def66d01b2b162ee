#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/state/counts_state.hpp"

namespace weft::by_line {

/// When lines leave their windows, each by its own clock (model::Counts::window_ends).
class LineClocks {
 public:
  LineClocks() = default;
  LineClocks(const LineClocks&) = delete;

  /// From a cycle of the bundle on. `lines` stays there.
  void begin(std::span<const model::LineInLane> lines, std::uint32_t windows, std::uint64_t first);
  model::WindowEnds& ends() { return ends_; }

 private:
  /// What the step calls.
  struct Ends : model::WindowEnds {
    LineClocks* owner;
  };
  void find_more();

  Ends ends_{};
  std::vector<model::WindowEnd> known_;
  std::span<const model::LineInLane> lines_;
  std::uint32_t windows_ = 0;
  std::vector<std::uint64_t> next_;  ///< by line: its first end that is not in `known_`
};

}  // namespace weft::by_line
