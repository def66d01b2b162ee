#include "values.hpp"

namespace weft::python {
namespace {

/// The Python exceptions. They live as long as the module's interpreter.
PyObject *g_error = nullptr, *g_usage = nullptr, *g_call = nullptr, *g_fault = nullptr,
         *g_deadlock = nullptr, *g_limit = nullptr;

void fill(const py::object& value, const Error& e) {
  value.attr("category") = std::string(to_string(e.category()));
  value.attr("problem") = in_python(e.problem());
  value.attr("reason") = in_python(e.reason());
  value.attr("remedy") = in_python(e.remedy());
}

void fill(const py::object& value, const FaultError& e) {
  fill(value, static_cast<const Error&>(e));
  const Fault& fault = e.fault();
  value.attr("kind") = std::string(to_string(fault.kind));
  value.attr("cycle") = fault.cycle;
  value.attr("pe") = py::make_tuple(fault.x, fault.y);
  value.attr("color") =
      fault.color < 0 ? py::object(py::none()) : py::object(py::int_(fault.color));
}

py::object make(PyObject* type, const char* message) {
  return py::reinterpret_borrow<py::object>(type)(in_python(message));
}

void raise(PyObject* type, const py::object& value) { PyErr_SetObject(type, value.ptr()); }

PyObject* exception(py::module_& m, const char* name, const py::tuple& bases) {
  py::dict members;
  members["__module__"] = "weft";
  const py::object type = py::reinterpret_borrow<py::object>(
      reinterpret_cast<PyObject*>(&PyType_Type))(name, bases, members);
  m.attr(name) = type;
  return type.ptr();  // the module keeps it
}

}  // namespace

void raise_call_error(const ErrorText& text) {
  const Error e(ErrorCategory::usage, text);
  const py::object value = make(g_call, e.what());
  fill(value, e);
  raise(g_call, value);
}

void raise_error(const Error& e) {
  PyObject* type = e.category() == ErrorCategory::usage ? g_usage : g_error;
  const py::object value = make(type, e.what());
  fill(value, e);
  raise(type, value);
}

void bind_errors(py::module_& m) {
  const auto bases = [](PyObject* first, PyObject* second = nullptr) {
    const py::handle a(first), b(second);
    return b ? py::make_tuple(a, b) : py::make_tuple(a);
  };
  g_error = exception(m, "Error", bases(PyExc_RuntimeError));
  g_usage = exception(m, "UsageError", bases(g_error, PyExc_ValueError));
  g_call = exception(m, "CallError", bases(g_usage, PyExc_TypeError));
  g_fault = exception(m, "FaultError", bases(g_error));
  g_deadlock = exception(m, "DeadlockError", bases(g_fault));
  g_limit = exception(m, "LimitError", bases(g_fault));
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const DeadlockError& e) {
      const py::object value = make(g_deadlock, e.what());
      fill(value, static_cast<const FaultError&>(e));
      value.attr("explanation") = explain(e.report());
      value.attr("profile") = shown(e.profile());
      raise(g_deadlock, value);
    } catch (const LimitError& e) {
      const py::object value = make(g_limit, e.what());
      fill(value, static_cast<const FaultError&>(e));
      value.attr("waits") = e.waits().size();
      value.attr("profile") = shown(e.profile());
      raise(g_limit, value);
    } catch (const FaultError& e) {
      const py::object value = make(g_fault, e.what());
      fill(value, e);
      raise(g_fault, value);
    } catch (const py::cast_error&) {
      raise_call_error({"invalid type of an argument, or of what a function returned", "",
                        "help() of the method names the types"});
    } catch (const Error& e) {
      raise_error(e);
    }
  });
}

}  // namespace weft::python
