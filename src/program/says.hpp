#pragma once

#include <string>

namespace weft::inline v0 {

/// As long as it lives, all instructions of a program are of this operation, in the user's words,
/// unless they are of another already.
class Says {
 public:
  Says(std::string& saying, const std::string& what) : saying_(saying), first_(saying.empty()) {
    if (first_) saying_ = what;
  }
  Says(const Says&) = delete;
  ~Says() {
    if (first_) saying_.clear();
  }

 private:
  std::string& saying_;
  bool first_;
};

}  // namespace weft::inline v0
