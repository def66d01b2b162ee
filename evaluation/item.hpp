#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/result.hpp"
#include "evaluation/run.hpp"

namespace weft::evaluation {

/// How much of an evaluation is done again.
struct Scope {
  int most;  ///< the longest side of a cube, and of a mesh
};
inline constexpr Scope kQuick{128}, kWhole{1024};

/// The outcomes of runs; a run that could not be made has a reason instead.
class Outcomes {
 public:
  void add(const Run& run, const Outcome& outcome) { made_[key_of(run)] = outcome; }
  void refuse(const Run& run, const std::string& why) { refused_[key_of(run)] = why; }
  /// Null if there is none.
  const Outcome* find(const Run& run) const {
    const auto found = made_.find(key_of(run));
    return found == made_.end() ? nullptr : &found->second;
  }
  /// By the key of a run.
  const std::map<std::string, std::string>& refused() const noexcept { return refused_; }

 private:
  std::map<std::string, Outcome> made_;
  std::map<std::string, std::string> refused_;
};

/// A table, a figure or a list of claims of a paper: the runs that it needs, and what it makes of
/// them. `make` leaves out rows whose runs are not there.
struct Item {
  std::string_view name, title;
  std::vector<Run> (*runs)(const Scope& scope);
  Result (*make)(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
};

/// A paper whose evaluation can be done again.
struct Paper {
  std::string_view name, title;
  std::span<const Item> items;
};

std::span<const Paper> papers();

}  // namespace weft::evaluation
