#pragma once

#include <functional>
#include <vector>

namespace weft::base {

class Worker;

/// Threads that do something together, the calling one among them. The others belong to the process
/// and wait for the next crew when this one ends: to start a thread takes as long as some hundred
/// cycles of a small fabric. Crews of several threads may be under way at the same time, as may one
/// within another's work. After a fork, the child has workers of its own.
class Crew {
 public:
  /// `threads`: at most so many; fewer if the system refuses more.
  explicit Crew(int threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// work(i) for each i < threads(), all at the same time; 0 on the calling thread. Returns when
  /// all have ended, and throws what the first of them threw.
  void run(const std::function<void(int)>& work);

 private:
  std::vector<Worker*> workers_;
};

}  // namespace weft::base
