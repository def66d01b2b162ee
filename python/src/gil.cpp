// Runs without the GIL, and their end when the interpreter ends: a thread that came back to an
// interpreter which is gone would end the process by a signal.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "bind.hpp"

namespace weft::python {
namespace {

/// Chosen: a run asks ten times a second whether it is to end.
constexpr std::chrono::milliseconds kLook{10};
constexpr std::chrono::seconds kPatience{10};  ///< for a progress function that does not return

std::atomic<bool> ending = false;
std::atomic<int> without_gil = 0;  ///< threads
thread_local int mine = 0;  ///< of them, in this thread: a run may be within another one's progress
thread_local pid_t process = 0;  ///< in which this thread's run began

/// A child has the thread that forked, and no other.
void forget_others() { without_gil = mine; }

void refuse_at_the_end() {
  if (ending)
    throw Error(ErrorCategory::environment, "nothing is run any more", "the interpreter ends",
                "wait for threads that run a fabric");
}

/// Called by Python's atexit: waits, without the GIL, until no thread is at work.
void end_runs() {
  ending = true;
  const py::gil_scoped_release released;
  const auto last = std::chrono::steady_clock::now() + kPatience;
  while (without_gil > 0 && std::chrono::steady_clock::now() < last)
    std::this_thread::sleep_for(kLook);
}

}  // namespace

void stay_until_the_end() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

WithoutGil::WithoutGil() {
  refuse_at_the_end();  // nobody sets it meanwhile: that takes the GIL
  ++without_gil;
  ++mine;
  outer_ = std::exchange(process, getpid());
  state_ = PyEval_SaveThread();
}

WithoutGil::~WithoutGil() {
  try {
    PyEval_RestoreThread(state_);
  } catch (abi::__forced_unwind&) {
    stay_until_the_end();
  }
  --without_gil;
  --mine;
  process = outer_;
}

void call_progress(const std::function<void()>& call, bool alone) {
  with_gil([&] {
    try {
      call();
    } catch (py::error_already_set& e) {
      if (alone || process == getpid()) throw;
      e.restore();
      without_gil = 0;
      PyErr_Print();  // SystemExit ends the process
      Py_Exit(1);
    }
    if (alone || process == getpid()) return;
    without_gil = 0;
    PySys_WriteStderr(
        "weft: a child that was forked in a run cannot go on with it: its other threads are the "
        "parent's\n");
    Py_Exit(1);
  });
}

void check_signals() {
  refuse_at_the_end();
  with_gil([] {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  });
}

void bind_end(py::module_&) {
  pthread_atfork(nullptr, nullptr, forget_others);
  py::module_::import("atexit").attr("register")(py::cpp_function(end_runs));
}

}  // namespace weft::python
