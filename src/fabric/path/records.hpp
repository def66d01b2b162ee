#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/path.hpp"

/// What a run remembers of its causes: whenever something had to wait, what came last before it.
namespace weft::fabric::path {

/// What lets something go on: the work of a record, up to the cycle in which it did so.
struct Cause {
  std::uint32_t record = 0;
  std::uint64_t left = 0;
};

/// What a PE, or a wavelet, does after its record, until it lets another record come about.
/// `unknown`: nobody has looked at the PE before (Recorder::begin); `via` is Unknown::before then.
enum class Work : std::uint8_t { nothing, task, computing, streaming, going, unknown };

/// Something that went on after a wait. The work of its cause was left in cycle `left`. From there
/// something was on its way up to cycle `came`; then it waited up to cycle `at`.
struct Record {
  std::uint32_t cause = 0;
  std::int32_t pe = 0;   ///< where it waited, and works
  std::int32_t via = 0;  ///< where the way led
  std::int32_t pc = -1;  ///< of the work; -1: none
  std::uint64_t left = 0, came = 0, at = 0;
  std::int8_t color = -1;
  PathKind why = PathKind::core;  ///< between `came` and `at`
  Work work = Work::nothing;
};

/// All records of a run, in the order they came about; number 0 is the beginning.
class Records {
 public:
  Records() : all_(1) {}

  /// Cycles are kept in order, so that a chain of records has neither gaps nor overlaps.
  std::uint32_t add(Record r) {
    r.left = std::max(r.left, all_[r.cause].at);
    r.came = std::max(r.came, r.left);
    r.at = std::max(r.at, r.came);
    all_.push_back(r);
    return static_cast<std::uint32_t>(all_.size() - 1);
  }
  std::size_t size() const { return all_.size(); }
  const Record& operator[](std::uint32_t number) const { return all_[number]; }

 private:
  std::vector<Record> all_;
};

}  // namespace weft::fabric::path
