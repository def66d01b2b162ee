// Calls of the module by threads, and their end when the interpreter ends: a thread that came back
// to an interpreter which is gone, from a run or from NumPy, would end the process by a signal.
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
std::atomic<int> calls = 0;  ///< of functions of the module, by all threads
thread_local int mine = 0;   ///< of them, in this thread: one may be within another one's progress
thread_local bool ends = false;  ///< this thread ends the interpreter
thread_local pid_t process = 0;  ///< in which this thread's run began

/// A child has the thread that forked, and no other.
void forget_others() { calls = mine; }

void refuse_at_the_end() {
  if (ending)
    throw Error(ErrorCategory::environment, "cannot run the fabric", "the interpreter is ending",
                "wait for threads that run a fabric");
}

/// Called by Python's atexit: waits, without the GIL, until no other thread is in a call.
void end_calls() {
  ending = ends = true;
  const py::gil_scoped_release released;
  const auto last = std::chrono::steady_clock::now() + kPatience;
  while (calls > mine && std::chrono::steady_clock::now() < last)
    std::this_thread::sleep_for(kLook);
}

}  // namespace

void stay_until_the_end() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

Call::Call() {
  if (!ends) refuse_at_the_end();  // nobody sets it meanwhile: that takes the GIL
  ++calls;
  ++mine;
}

Call::~Call() {
  --calls;
  --mine;
}

WithoutGil::WithoutGil() {
  refuse_at_the_end();
  outer_ = std::exchange(process, getpid());
  state_ = PyEval_SaveThread();
}

WithoutGil::~WithoutGil() {
  try {
    PyEval_RestoreThread(state_);
  } catch (abi::__forced_unwind&) {
    stay_until_the_end();
  }
  process = outer_;
}

void call_progress(const std::function<void()>& call, bool alone) {
  with_gil([&] {
    try {
      call();
    } catch (py::error_already_set& e) {
      if (alone || process == getpid()) throw;
      e.restore();
      calls = 0;
      PyErr_Print();  // SystemExit ends the process
      Py_Exit(1);
    }
    if (alone || process == getpid()) return;
    calls = 0;
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
  py::module_::import("atexit").attr("register")(py::cpp_function(end_calls));
}

}  // namespace weft::python
