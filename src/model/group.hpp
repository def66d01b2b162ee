#pragma once

#include "model/state.hpp"

namespace weft::model {

/// Lanes at the same instruction at the same time, executing together.
struct Group {
  const View& v;
  Place at;
  CoreState& core;
  Mask lanes;          ///< an executor that leaves some lanes elsewhere takes them out
  std::uint32_t pc;    ///< of the instruction being executed
  std::uint32_t next;  ///< of the one after it
  std::uint64_t time;  ///< cycle of issue
  std::uint32_t cost;  ///< cycles until the next issue
};

}  // namespace weft::model
