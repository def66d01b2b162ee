#pragma once

#include <cxxabi.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "weft/weft.hpp"
#include "whole_numbers.hpp"

/// The parts of the module; each binds what its file is named after.
namespace weft::python {

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_end(py::module_& m);
void bind_machine(py::module_& m);
void bind_layout(py::module_& m);
void bind_vectors(py::module_& m);
void bind_pe_program(py::module_& m);
void bind_design(py::module_& m);
void bind_patterns(py::module_& m);
void bind_trace(py::module_& m);
void bind_profile(py::module_& m);
void bind_explanation(py::module_& m);
void bind_fabric(py::module_& m);
void bind_fft(py::module_& m);
void bind_calls(py::module_& m);
void bind_docs(py::module_& m);

/// An element type from anything that NumPy takes as a dtype. Throws Error(usage).
ElementType element_type(const py::object& dtype);
py::dtype dtype_of(ElementType type);

/// The processes of a communicator of mpi4py; None: this process alone. Throws Error.
std::shared_ptr<Processes> processes_of(const py::object& communicator);

/// A number of Python's or NumPy's. Throws Error(usage).
PeValue value_of(const py::object& o);

/// str(o).
inline std::string text_of(const py::handle& o) { return py::cast<std::string>(py::str(o)); }

/// A text of the library's with Python's words for those of C++.
std::string in_python(std::string text);

/// A whole number that T can hold. Throws Error(usage) that names it.
template <class T>
T whole_number(py::handle o, const std::string& name) {
  const std::optional<T> number = as_whole<T>(o);
  if (number) return *number;
  throw Error(ErrorCategory::usage, "invalid " + name + ": " + std::string(py::repr(o)),
              is_whole(o) ? "it does not fit " + std::to_string(8 * sizeof(T)) + " bits"
                          : "it is no whole number",
              is_whole(o) ? "give a smaller one" : "give a whole number");
}

/// Raises CallError in Python.
void raise_call_error(const ErrorText& text);
/// Raises what the error is in Python.
void raise_error(const Error& e);

/// Python ends a thread that wants the GIL while the interpreter ends, by an unwinding that no
/// destructor and no other handler survives. Such a thread stays here: the process ends soon.
[[noreturn]] void stay_until_the_end();

/// f() with the GIL.
template <class F>
void with_gil(F f) {
  std::optional<py::gil_scoped_acquire> gil;
  try {
    gil.emplace();
    f();
  } catch (abi::__forced_unwind&) {
    stay_until_the_end();
  }
}

/// A call of a function of the module, while it lives. The interpreter's end waits for those of
/// other threads: Python's code and NumPy's give the GIL away in them. Throws Error(environment) in
/// other threads once the interpreter ends.
class Call {
 public:
  Call();
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

/// The GIL is not held while it lives.
class WithoutGil {
 public:
  WithoutGil();
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
  int outer_ = 0;  ///< the process in which an outer run of this thread began
};

/// Calls a progress function with the GIL. `alone`: the run has no other thread. If it has, and the
/// function forks, the child would wait for them without end: it ends with the function.
void call_progress(const std::function<void()>& call, bool alone);

/// Lets Ctrl-C stop a run: takes the GIL, and throws what Python's signal handlers raise.
void check_signals();

/// Throws Error(usage) if no engine has this name.
inline Engine engine_of(const std::string& name) { return from_word<Engine>("engine", name); }

}  // namespace weft::python
