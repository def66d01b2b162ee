// All calls of the module's functions pass here. pybind11 reports a call that fits no signature
// with a list of its overloads, and this with an error of Weft's that names the argument
// (weft/_calls.py finds it).
#include <string>
#include <tuple>

#include "bind.hpp"

namespace weft::python {
namespace {

PyCFunctionWithKeywords g_dispatch = nullptr;  ///< pybind11's, of all functions of the module

/// The error that pybind11 has raised becomes Weft's.
void convert_error(PyObject* arguments, PyObject* keywords) {
  py::error_already_set raised;  // fetches it
  const auto text = py::cast<std::string>(py::str(raised.value()));
  if (text.find("(): incompatible ") == std::string::npos ||
      text.find("\nInvoked with: ") == std::string::npos) {
    raised.restore();
    return;
  }
  try {
    const py::handle given(keywords);
    const py::object message =
        py::module_::import("weft._calls")
            .attr("refusal")(text, py::handle(arguments),
                             given ? py::reinterpret_borrow<py::dict>(given) : py::dict());
    const auto [problem, reason, remedy] =
        py::cast<std::tuple<std::string, std::string, std::string>>(message);
    raise_call_error({problem, reason, remedy});
  } catch (py::error_already_set& e) {
    e.restore();
  }
}

PyObject* call(PyObject* self, PyObject* arguments, PyObject* keywords) {
  try {
    const Call here;
    PyObject* result = g_dispatch(self, arguments, keywords);
    if (result == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0)
      convert_error(arguments, keywords);
    return result;
  } catch (const Error& e) {  // of Call
    raise_error(e);
    return nullptr;
  }
}

/// Also what a method, a static method or a property calls.
void take_over(py::handle member) {
  for (const char* inner : {"__func__", "fget", "fset"})
    if (py::hasattr(member, inner)) take_over(member.attr(inner));
  if (!PyCFunction_Check(member.ptr())) return;
  PyMethodDef* method = reinterpret_cast<PyCFunctionObject*>(member.ptr())->m_ml;
  constexpr int kWithKeywords = METH_VARARGS | METH_KEYWORDS;
  const auto own =
      reinterpret_cast<PyCFunctionWithKeywords>(reinterpret_cast<void (*)()>(method->ml_meth));
  if (method->ml_flags != kWithKeywords || own == call) return;
  g_dispatch = own;
  method->ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call));
}

}  // namespace

void bind_calls(py::module_& m) {
  for (const auto& [name, member] : py::dict(m.attr("__dict__"))) {
    take_over(member);
    if (!PyType_Check(member.ptr())) continue;
    for (const auto& [inner, each] : py::dict(member.attr("__dict__"))) take_over(each);
  }
}

}  // namespace weft::python
