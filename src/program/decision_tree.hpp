#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace weft {

/// The kinds of PEs that a text tells apart. A text asks questions of a PE's place; each answer
/// leads on to the next question, and the last one to the kind. So the kind of any PE is found
/// without running the text again, if its answers have come up before.
class DecisionTree {
 public:
  using Question = std::function<int(int x, int y)>;
  /// Runs the text for the PE at (x, y), which asks by calling `ask`; returns the number of a kind.
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
