#include "program_ref.hpp"
#include "running.hpp"
#include "values.hpp"

namespace weft::python {
namespace {

py::object back_of(const py::object& frame) {
  return py::reinterpret_steal<py::object>(
      reinterpret_cast<PyObject*>(PyFrame_GetBack(reinterpret_cast<PyFrameObject*>(frame.ptr()))));
}

/// The folder of the package, with a slash behind it.
std::string package_folder() {
  const auto file = py::cast<std::string>(py::module_::import("weft").attr("__file__"));
  return file.substr(0, file.rfind('/') + 1);
}

/// "heat.py:31": the innermost line of Python that is being executed outside the package.
std::string line_of_caller(const std::string& package) {
  auto* const innermost = PyEval_GetFrame();
  if (innermost == nullptr) return "";
  auto frame = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(innermost));
  while (frame) {
    auto* const f = reinterpret_cast<PyFrameObject*>(frame.ptr());
    const auto code =
        py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(f)));
    const auto file = py::cast<std::string>(code.attr("co_filename"));
    if (!file.starts_with(package))
      return file.substr(file.rfind('/') + 1) + ":" + std::to_string(PyFrame_GetLineNumber(f));
    frame = back_of(frame);
  }
  return "";
}

}  // namespace

void bind_design(py::module_& m) {
  py::class_<Design, std::shared_ptr<Design>> bound(m, "Design");
  handle(bound, "its programs are written by functions of this process", kDesignAgain);
  bound.def(py::init<int, int>(), py::arg("width"), py::arg("height"))
      .def("__repr__",
           [](const Design& d) {
             const std::string programs = d.programs() == 1 ? " program" : " programs";
             return "Design(" + std::to_string(d.width()) + " x " + std::to_string(d.height()) +
                    " PEs, " + std::to_string(d.programs()) + programs + ")";
           })
      .def_property_readonly("width", &Design::width)
      .def_property_readonly("height", &Design::height)
      .def_property_readonly("all", &Design::all)
      .def_property_readonly("programs", &Design::programs)
      .def("color", py::overload_cast<const std::string&, std::optional<int>>(&Design::color),
           py::arg("name"), py::arg("number") = py::none())
      .def("color", py::overload_cast<const std::string&, const Rect&>(&Design::color),
           py::arg("name"), py::kw_only(), py::arg("where"))
      .def("color_pair", py::overload_cast<const std::string&>(&Design::color_pair),
           py::arg("name"))
      .def("color_pair", py::overload_cast<const std::string&, const Rect&>(&Design::color_pair),
           py::arg("name"), py::kw_only(), py::arg("where"))
      .def("control_entry", &Design::control_entry, py::arg("name"), py::arg("number") = py::none())
      .def(
          "route",
          [](Design& d, const Rect& where, Color color, const py::kwargs& route) {
            const py::object type = py::module_::import("weft._weft").attr("Route");
            d.route(where, color, py::cast<Route>(type(**route)));
          },
          py::arg("where"), py::arg("color"))
      .def(
          "host_input",
          [](Design& d, const std::string& name, const Rect& where, Port edge,
             std::optional<Color> color) {
            if (!color) return d.host_input(name, where, edge);
            d.host_input(name, where, edge, *color);
            return *color;
          },
          py::arg("name"), py::arg("where"), py::arg("edge"), py::arg("color") = py::none())
      .def(
          "host_output",
          [](Design& d, const std::string& name, const Rect& where, Port edge,
             std::optional<Color> color, std::optional<std::size_t> limit) {
            if (!color) return d.host_output(name, where, edge, limit);
            d.host_output(name, where, edge, *color, limit);
            return *color;
          },
          py::arg("name"), py::arg("where"), py::arg("edge"), py::arg("color") = py::none(),
          py::kw_only(), py::arg("limit") = py::none())
      .def(
          "filter",
          [](Design& d, const Rect& where, Color color, const Filter& filter) {
            d.filter(where, color, filter);
          },
          py::arg("where"), py::arg("color"), py::arg("filter"))
      .def(
          "program",
          [](Design& d, const Rect& where, const std::string& name, const py::function& function) {
            d.program(where, name, [&](PeProgram& program) {
              const auto held = std::make_shared<HeldProgram>(
                  HeldProgram{&program, "PeProgram(" + std::string(py::repr(py::str(name))) + ", " +
                                            std::to_string(where.width) + " x " +
                                            std::to_string(where.height) + " PEs)"});
              struct End {
                HeldProgram& held;
                ~End() { held.program = nullptr; }
              } end{*held};
              program.name_lines([package = package_folder()] { return line_of_caller(package); });
              function(held);
              if (held->not_entered > 0)
                throw Error(ErrorCategory::usage,
                            "a loop or a condition of program " + name + " has no body",
                            "it begins with `with`", "write: with pe.repeat(10): ...");
            });
          },
          py::arg("where"), py::arg("name"), py::arg("function"))
      .def(
          "listing", [](const Design& d, int x, int y) { return in_python(d.listing(x, y)); },
          py::arg("x"), py::arg("y"))
      .def(
          "fabric",
          [](const Design& design, const Machine& machine, int threads, const std::string& engine,
             py::object progress, bool data, bool tally, bool check,
             const std::optional<Observation>& observe, const py::object& processes) {
            if (progress.is(py::bool_(true)))
              progress = py::module_::import("weft").attr("_Bar")(true);
            else if (progress.is(py::bool_(false)))
              progress = py::none();
            FabricOptions options;
            options.threads = threads;
            options.engine = engine_of(engine);
            options.data = data;
            options.tally = tally;
            options.observe = observe.value_or(Observation{});
            options.processes = processes_of(processes);
            return std::make_unique<RunningFabric>(design, machine, std::move(options), progress,
                                                   check);
          },
          py::arg("machine") = Machine{}, py::kw_only(), py::arg("threads") = 1,
          py::arg("engine") = "host", py::arg("progress") = py::none(), py::arg("data") = true,
          py::arg("tally") = true, py::arg("check") = false, py::arg("observe") = py::none(),
          py::arg("processes") = py::none());
}

}  // namespace weft::python
