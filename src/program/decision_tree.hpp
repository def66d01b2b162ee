#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace weft {

/// The kinds of PEs that a program function distinguishes. It asks questions of a PE's place; each
/// result leads to the next question, and the last one to the kind. So the kind of any PE is found
/// without calling the function again, if its results have come up before.
class DecisionTree {
 public:
  using Question = std::function<int(int x, int y)>;
  /// Calls the function for the PE at (x, y), which asks by `ask`; returns the number of a kind.
  using Describe = std::function<int(const std::function<int(const Question&)>& ask)>;

  int kind_of(int x, int y, const Describe& run);

 private:
  struct Node {
    Question question;  ///< none: this is a kind
    int kind = -1;      ///< -1: nobody has come here yet
    std::map<int, std::unique_ptr<Node>> next;
  };
  Node first_;
};

}  // namespace weft
