#include "running.hpp"
#include "text.hpp"

namespace weft::python {

void bind_design(py::module_& m) {
  py::class_<Design, std::shared_ptr<Design>>(
      m, "Design",
      "The work of a fabric of width x height PEs: colors by name, routes, and one text for all "
      "PEs of a rectangle.")
      .def(py::init<int, int>(), py::arg("width"), py::arg("height"))
      .def_property_readonly("width", &Design::width, "PEs of a row")
      .def_property_readonly("height", &Design::height, "rows of PEs")
      .def_property_readonly("all", &Design::all, "The rectangle of all PEs.")
      .def_property_readonly("programs", &Design::programs,
                             "How many different programs the texts have made so far.")
      .def("color", &Design::color, py::arg("name"), py::arg("number") = py::none(),
           "A color that nobody has yet, or this one.")
      .def("color_pair", &Design::color_pair, py::arg("name"),
           "Two colors that differ in bit 0, for routes that swap them.")
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
      .def(
          "filter",
          [](Design& d, const Rect& where, Color color, const Filter& filter) {
            d.filter(where, color, filter);
          },
          py::arg("where"), py::arg("color"), py::arg("filter"),
          "Keeps wavelets of the color from the cores of a rectangle.")
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
              if (held->not_entered > 0)
                throw Error(ErrorCategory::usage,
                            "a loop or a condition of program " + name + " has no body",
                            "it begins with `with`", "write: with pe.repeat(10): ...");
            });
          },
          py::arg("where"), py::arg("name"), py::arg("text"),
          "The program of all PEs of a rectangle: text(pe) writes it. It is run at once, and once "
          "more for each other set of answers to what it asks of the PE's place.")
      .def(
          "fabric",
          [](const Design& design, const Machine& machine, int threads, const std::string& engine,
             py::object progress, bool data, bool tally) {
            if (progress.is(py::bool_(true)))
              progress = py::module_::import("weft").attr("_Bar")(true);
            else if (progress.is(py::bool_(false)))
              progress = py::none();
            FabricOptions options;
            options.threads = threads;
            options.engine = engine_of(engine);
            options.data = data;
            options.tally = tally;
            return std::make_unique<RunningFabric>(design, machine, std::move(options), progress);
          },
          py::arg("machine") = Machine{}, py::kw_only(), py::arg("threads") = 1,
          py::arg("engine") = "host", py::arg("progress") = py::none(), py::arg("data") = true,
          py::arg("tally") = true,
          "The fabric, with the values at launch. progress(cycle) is called some ten times a "
          "second of a run; True shows a bar (of tqdm, if it is there). data=False: only the "
          "cycles, for programs whose control does not follow from data; what vector instructions "
          "would have computed cannot be read. tally=False: filters do "
          "not count what they let in, which only a deadlock's report tells.");
}

}  // namespace weft::python
