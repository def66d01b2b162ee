// The docstrings of the module. They stand in python/stubs/, beside the types.
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "bind.hpp"

namespace weft::python {
namespace {

struct Doc {
  const char* name;  ///< "Design.route"
  const char* text;
};

constexpr Doc kDocs[] = {
#include "docs_table.inc"
};

/// The docstring of a function: its signatures, which pybind11 has written, and the text.
void document(PyMethodDef& method, const std::string& text) {
  const std::string signatures = method.ml_doc == nullptr ? "" : method.ml_doc;
  char* whole = strdup((signatures + "\n" + text).c_str());
  std::free(const_cast<char*>(std::exchange(method.ml_doc, whole)));  // as pybind11 does at the end
}

void document(py::handle owner, const std::string& name, const std::string& text) {
  py::object member = owner.attr("__dict__")[py::str(name)];
  if (PyType_Check(member.ptr()) != 0) {
    // Not by the metaclass of pybind11, for which the docstring of an enumeration is a property.
    if (PyType_Type.tp_setattro(member.ptr(), py::str("__doc__").ptr(), py::str(text).ptr()) != 0)
      throw py::error_already_set();
    return;
  }
  if (py::hasattr(member, "fget")) {
    member.attr("__doc__") = text;
    return;
  }
  if (py::hasattr(member, "__func__")) member = member.attr("__func__");
  document(*reinterpret_cast<PyCFunctionObject*>(member.ptr())->m_ml, text);
}

}  // namespace

void bind_docs(py::module_& m) {
  for (const Doc& doc : kDocs) {
    const std::string name = doc.name;
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos)
      document(m, name, doc.text);
    else
      document(m.attr(name.substr(0, dot).c_str()), name.substr(dot + 1), doc.text);
  }
}

}  // namespace weft::python
