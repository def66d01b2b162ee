#pragma once

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "weft/weft.hpp"

/// The parts of the module; each binds what its file is named after.
namespace weft::python {

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_machine(py::module_& m);
void bind_layout(py::module_& m);
void bind_pe_program(py::module_& m);
void bind_design(py::module_& m);
void bind_patterns(py::module_& m);
void bind_fabric(py::module_& m);
void bind_fft(py::module_& m);

/// An element type from anything that NumPy takes as a dtype. Throws Error(usage).
ElementType element_type(const py::object& dtype);
py::dtype dtype_of(ElementType type);

/// Lets Ctrl-C stop a run: takes the GIL, and throws what Python's signal handlers raise.
void check_signals();

/// Whether Python takes this text of options as an engine: "auto", "host", "cuda", "reference".
Engine engine_of(const std::string& name);

}  // namespace weft::python
