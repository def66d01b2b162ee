#include "running.hpp"
#include "text.hpp"

namespace weft::python {

void bind_design(py::module_& m) {
  py::class_<Design, std::shared_ptr<Design>>(
      m, "Design",
      "The work of a fabric of width x height PEs: colors by name, routes, and one text for all "
      "PEs of a rectangle.")
      .def(py::init<int, int>(), py::arg("width"), py::arg("height"))
      .def_property_readonly("width", &Design::width)
      .def_property_readonly("height", &Design::height)
      .def_property_readonly("all", &Design::all, "The rectangle of all PEs.")
      .def_property_readonly("programs", &Design::programs,
                             "How many different programs the texts have made so far.")
      .def("color", &Design::color, py::arg("name"), py::arg("number") = py::none(),
           "A color that nobody has yet, or this one.")
      .def("color_pair", &Design::color_pair, py::arg("name"))
      .def("control_entry", &Design::control_entry, py::arg("name"), py::arg("number") = py::none(),
           "The entry of a control task that nobody has yet, or this one.")
      .def(
          "route",
          [](Design& d, const Rect& where, Color color, const py::kwargs& route) {
            const py::object type = py::module_::import("weft._weft").attr("Route");
            d.route(where, color, py::cast<Route>(type(**route)));
          },
          py::arg("where"), py::arg("color"),
          "How routers of a rectangle treat the color: the arguments of Route. Where a route leads "
          "to a core, it leads to the queue that the program there takes the color from.")
      .def("filter", [](Design& d, const Rect& where, Color color,
                        const Filter& filter) { d.filter(where, color, filter); })
      .def(
          "program",
          [](Design& d, const Rect& where, const std::string& name, const py::function& text) {
            d.program(where, name, [&](PeProgram& program) {
              const auto held = std::make_shared<Text>(Text{&program});
              struct End {
                Text& text;
                ~End() { text.program = nullptr; }
              } end{*held};
              text(held);
            });
          },
          py::arg("where"), py::arg("name"), py::arg("text"),
          "The program of all PEs of a rectangle: text(pe) writes it. It is run at once, and once "
          "more for each other set of answers to what it asks of the PE's place.")
      .def(
          "fabric",
          [](const Design& d, const Machine& machine, int threads, const std::string& engine,
             py::object progress) {
            if (progress.is(py::bool_(true)))
              progress = py::module_::import("weft").attr("_Bar")(true);
            else if (progress.is(py::bool_(false)))
              progress = py::none();
            return std::make_unique<RunningFabric>(d, machine, threads, engine_of(engine),
                                                   progress);
          },
          py::arg("machine") = Machine{}, py::kw_only(), py::arg("threads") = 1,
          py::arg("engine") = "host", py::arg("progress") = py::none(),
          "The fabric, with the values at launch. progress(cycle) is called some ten times a "
          "second "
          "of a run; True shows a bar (of tqdm, if it is there).");
}

}  // namespace weft::python
