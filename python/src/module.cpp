#include "bind.hpp"
#include "weft/version.hpp"

PYBIND11_MODULE(_weft, m) {
  using namespace weft::python;
  m.doc() = "Emulator of wafer-scale fabrics: the compiled part of the package weft.";
  const py::object name = m.attr("__name__");
  m.attr("__name__") = "weft";  // where users find all of it, pickles too
  bind_errors(m);               // first, so that the others' exceptions are known
  bind_end(m);
  bind_machine(m);
  bind_layout(m);
  bind_vectors(m);
  bind_pe_program(m);
  bind_profile(m);
  bind_explanation(m);
  bind_design(m);
  bind_patterns(m);
  bind_fabric(m);
  bind_fft(m);
  bind_calls(m);  // last: of all functions
  bind_docs(m);
  m.attr("__name__") = name;
  m.attr("__version__") = std::string(weft::version());
}
