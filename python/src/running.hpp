#pragma once

#include <atomic>

#include "bind.hpp"

namespace weft::python {

/// A fabric that Python runs without the GIL. One thread at a time may use it; another one gets an
/// error, not a race.
class RunningFabric {
 public:
  RunningFabric(const Design& design, const Machine& machine, int threads, Engine engine,
                const py::object& progress);

  /// f(fabric), without the GIL if `runs`. Throws Error(usage) if another thread is at it.
  template <class F>
  auto use(F f) {
    if (busy_.exchange(true))
      throw Error(ErrorCategory::usage, "the fabric is in use by another thread",
                  "one thread at a time may run, read or write it", "give each thread its own");
    struct Free {
      std::atomic<bool>& busy;
      ~Free() { busy = false; }
    } free{busy_};
    return f(fabric_);
  }
  template <class F>
  auto run(F f) {
    const py::gil_scoped_release without_gil;
    return use(f);
  }

 private:
  std::atomic<bool> busy_ = false;
  py::object progress_;
  Fabric fabric_;
};

/// Called between cycles: Ctrl-C, and the user's function. It does not own the function, because it
/// is copied and freed where the GIL is not held.
CycleProgress progress_of(py::handle progress);

}  // namespace weft::python
