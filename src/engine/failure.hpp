#pragma once

#include <atomic>
#include <exception>

#include "engine/share.hpp"

namespace weft::engine {

/// Why a run is given up: something was thrown in one of its threads, here or in another process.
struct Failure {
  /// In the thread that has thrown.
  void note(const std::exception_ptr& exception) {
    if (!noted.test_and_set()) thrown = exception;
  }

  /// After all threads have given up. Throws what the first one has thrown, or the same error in
  /// all processes.
  [[noreturn]] void end(Share* share) const {
    if (share == nullptr || meets) std::rethrow_exception(thrown);
    share->end_given_up(thrown, announced);
  }

  std::atomic_flag noted{};
  std::exception_ptr thrown{};  ///< null: not here
  bool meets = false;           ///< all processes meet just now
  bool announced = false;       ///< where they have met, to all
};

}  // namespace weft::engine
