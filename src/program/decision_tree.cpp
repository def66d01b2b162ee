#include "program/decision_tree.hpp"

namespace weft {

int DecisionTree::kind_of(int x, int y, const Describe& run) {
  Node* node = &first_;
  while (node->question) {
    const auto at = node->next.find(node->question(x, y));
    if (at == node->next.end()) break;
    node = at->second.get();
  }
  if (!node->question && node->kind >= 0) return node->kind;

  // New results: the function goes the same way down to this node, and on from it.
  node = &first_;
  const int kind = run([&](const Question& question) {
    if (!node->question) node->question = question;
    const int result = question(x, y);
    std::unique_ptr<Node>& next = node->next[result];
    if (next == nullptr) next = std::make_unique<Node>();
    node = next.get();
    return result;
  });
  node->kind = kind;
  return kind;
}

}  // namespace weft
